/** Only safe, namespaced sysctls. Upstream: pkg/kubelet/sysctl (v1.36). */
import { goQuote, type PodSpec } from '@podscope/k8s';
import type { AdmissionHandler, Rejection } from './types.ts';

/** Sysctls that are namespaced and can't harm other pods. */
const safeSysctls: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
]);

/** `net/ipv4/…` becomes `net.ipv4.…`. Upstream: NormalizeName. */
function normalizeName(name: string): string {
  const separator = /[./]/.exec(name)?.[0];
  if (separator !== '/') return name;
  return name.replaceAll(/[./]/g, (character) => (character === '/' ? '.' : '/'));
}

function check({ hostNetwork, hostIPC }: PodSpec, raw: string): Rejection | undefined {
  const name = normalizeName(raw);
  const reason = 'SysctlForbidden';
  if (hostIPC && (name.startsWith('kernel.shm') || name.startsWith('kernel.msg') || name.startsWith('fs.mqueue.') || name === 'kernel.sem')) {
    return { reason, message: `forbidden sysctl: ${goQuote(raw)} not allowed with host ipc enabled` };
  }
  if (hostNetwork && name.startsWith('net.')) return { reason, message: `forbidden sysctl: ${goQuote(raw)} not allowed with host net enabled` };
  if (!safeSysctls.has(name)) return { reason, message: `forbidden sysctl: ${goQuote(raw)} not allowlisted` };
  return undefined;
}

export const sysctlHandler: AdmissionHandler = {
  name: 'sysctls',
  admit: ({ pod }) => {
    for (const { name } of pod.spec.securityContext?.sysctls ?? []) {
      const rejection = check(pod.spec, name);
      if (rejection) return rejection;
    }
    return undefined;
  },
};
