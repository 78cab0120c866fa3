/**
 * Rejects pods that set sysctls outside the allowlist of safe, namespaced ones. Upstream: pkg/kubelet/sysctl (v1.36).
 */
import { goQuote, type PodSpec } from '@podscope/k8s';
import type { AdmissionHandler, Rejection } from './types.ts';

/** The differences between releases. */
interface SysctlRules {
  /** Namespaced sysctls that can't affect other pods. */
  readonly safe: ReadonlySet<string>;
  /** The word for a sysctl outside `safe` in the rejection's message. */
  readonly refusal: string;
  /** Whether the names of sysctls may use slashes as separators. */
  readonly normalizes: boolean;
}

/** The allowlist of v1.20, which v1.36 extends. Upstream: SafeSysctlWhitelist (pkg/kubelet/sysctl, v1.20). */
export const commonSafeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
];

/**
 * Sysctls that change nothing outside the pod's own namespaces. Upstream: SafeSysctlAllowlist (pkg/kubelet/sysctl,
 * v1.36).
 */
const safeSysctlsV136: readonly string[] = [
  ...commonSafeSysctls,
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
];

/** Converts `net/ipv4/…` to `net.ipv4.…`. Upstream: NormalizeName. */
function normalizeName(name: string): string {
  const separator = /[./]/.exec(name)?.[0];
  if (separator !== '/') return name;
  return name.replaceAll(/[./]/g, (character) => (character === '/' ? '.' : '/'));
}

/** Returns the Linux namespace that isolates a sysctl. Upstream: NamespacedBy (v1.20), GetNamespace (v1.36). */
function namespaceOf(name: string): 'ipc' | 'net' | undefined {
  if (name === 'kernel.sem' || ['kernel.shm', 'kernel.msg', 'fs.mqueue.'].some((prefix) => name.startsWith(prefix)))
    return 'ipc';
  return name.startsWith('net.') ? 'net' : undefined;
}

/**
 * Returns why a pod must not set a sysctl. The namespaces that the pod shares with the node count only for a sysctl on
 * the allowlist. Upstream: validateSysctl (v1.36 and v1.20).
 */
function check(
  { hostNetwork, hostIPC }: PodSpec,
  raw: string,
  { safe, refusal, normalizes }: SysctlRules,
): Rejection | undefined {
  const name = normalizes ? normalizeName(raw) : raw;
  const forbidden = (why: string): Rejection => ({
    reason: 'SysctlForbidden',
    message: `forbidden sysctl: ${goQuote(name)} ${why}`,
  });
  if (!safe.has(name)) return forbidden(refusal);
  const namespace = namespaceOf(name);
  const isShared = (namespace === 'ipc' && hostIPC) || (namespace === 'net' && hostNetwork);
  return isShared ? forbidden(`not allowed with host ${namespace} enabled`) : undefined;
}

/** Returns the handler that checks sysctls with a release's rules. */
export const sysctlsHandler = (rules: SysctlRules): AdmissionHandler => ({
  name: 'sysctls',
  admit: ({ pod }) => {
    for (const { name } of pod.spec.securityContext?.sysctls ?? []) {
      const rejection = check(pod.spec, name, rules);
      if (rejection) return rejection;
    }
    return undefined;
  },
});

export const sysctlsV136 = sysctlsHandler({
  safe: new Set(safeSysctlsV136),
  refusal: 'not allowlisted',
  normalizes: true,
});
