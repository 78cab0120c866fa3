/**
 * What a pod must not ask for on this node, as a list of checks after the baseline level of the Pod Security Standards: whoever may create
 * a privileged pod owns the machine. Each check names the option that permits it.
 */
import type { Container, Pod, SecurityContext } from '@podscope/k8s';

/** What has been permitted beyond the baseline. */
export interface PodPolicyOptions {
  readonly allowPrivileged: boolean;
  readonly allowHostPath: boolean;
  readonly allowHostNamespaces: boolean;
}

/** Nothing beyond the baseline. */
export const baselinePolicy: PodPolicyOptions = { allowPrivileged: false, allowHostPath: false, allowHostNamespaces: false };

/** One thing a pod asks for that is not permitted. */
export interface PolicyViolation {
  /** What is forbidden: `privileged`, `hostPath volumes`. Upstream: CheckResult.ForbiddenReason (pod-security-admission, v1.36). */
  readonly reason: string;
  /** Where, and what to change. Upstream: CheckResult.ForbiddenDetail. */
  readonly detail: string;
  /** The option that permits it. */
  readonly allowedBy: keyof PodPolicyOptions;
}

interface PolicyCheck {
  readonly allowedBy: keyof PodPolicyOptions;
  readonly reason: string;
  /** The detail of a violation, undefined when there is none. */
  readonly detail: (pod: Pod) => string | undefined;
}

/** Init, regular and ephemeral containers. */
const allContainers = ({ spec }: Pod): readonly Container[] => [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');
const containers = (names: readonly string[]): string => `${names.length === 1 ? 'container' : 'containers'} ${quoted(names)}`;
const unique = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted();

/** A check of the containers, one by one. `rule` follows `must not`. */
const containerCheck = (
  allowedBy: keyof PodPolicyOptions,
  reason: string,
  rule: (values: readonly string[]) => string,
  offence: (container: Container) => readonly string[],
): PolicyCheck => ({
  allowedBy,
  reason,
  detail: (pod) => {
    const offenders = allContainers(pod).flatMap((container) => {
      const values = offence(container);
      return values.length > 0 ? [{ name: container.name, values }] : [];
    });
    if (offenders.length === 0) return undefined;
    return `${containers(offenders.map(({ name }) => name))} must not ${rule(unique(offenders.flatMap(({ values }) => values)))}`;
  },
});

/** A check of something the pod and each container may set in their security contexts. */
const securityContextCheck = (reason: string, rule: string, offends: (context: SecurityContext) => boolean): PolicyCheck => ({
  allowedBy: 'allowPrivileged',
  reason,
  detail: (pod) => {
    const offenders = allContainers(pod).filter(({ securityContext }) => offends(securityContext ?? {}));
    const who = [...(offends(pod.spec.securityContext ?? {}) ? ['pod'] : []), ...(offenders.length > 0 ? [containers(offenders.map(({ name }) => name))] : [])];
    return who.length > 0 ? `${who.join(' and ')} must not set ${rule}` : undefined;
  },
});

/** The capabilities Docker gives by default; asking for them again changes nothing. Upstream: check_capabilities_baseline.go (v1.36). */
const baselineCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** Upstream: check_sysctls_baseline.go (v1.36). */
const baselineSysctls = new Set([
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

const baselineSELinuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

const capabilityOf = (name: string): string => name.toUpperCase().replace(/^CAP_/, '');

const hostNamespaces = ({ spec }: Pod): readonly string[] =>
  (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field]).map((field) => `${field}=true`);

const apparmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

/** The checks, in the order in which violations are told. */
const checks: readonly PolicyCheck[] = [
  {
    allowedBy: 'allowHostNamespaces',
    reason: 'host namespaces',
    detail: (pod) => hostNamespaces(pod).join(', ') || undefined,
  },
  containerCheck(
    'allowPrivileged',
    'privileged',
    () => 'set securityContext.privileged=true',
    ({ securityContext }) => (securityContext?.privileged ? ['true'] : []),
  ),
  containerCheck(
    'allowPrivileged',
    'non-default capabilities',
    (values) => `include ${quoted(values)} in securityContext.capabilities.add`,
    ({ securityContext }) => (securityContext?.capabilities?.add ?? []).filter((name) => !baselineCapabilities.has(capabilityOf(name))),
  ),
  {
    allowedBy: 'allowHostPath',
    reason: 'hostPath volumes',
    detail: ({ spec }) => {
      const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
      return volumes.length > 0 ? `${volumes.length === 1 ? 'volume' : 'volumes'} ${quoted(volumes)}` : undefined;
    },
  },
  containerCheck(
    'allowHostNamespaces',
    'hostPort',
    (values) => `use ${values.length === 1 ? 'hostPort' : 'hostPorts'} ${values.join(', ')}`,
    ({ ports }) => (ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
  ),
  containerCheck(
    'allowPrivileged',
    'procMount',
    () => 'set securityContext.procMount="Unmasked"',
    ({ securityContext }) => (securityContext?.procMount === 'Unmasked' ? ['Unmasked'] : []),
  ),
  securityContextCheck('seccompProfile', 'securityContext.seccompProfile.type="Unconfined"', ({ seccompProfile }) => seccompProfile?.type === 'Unconfined'),
  securityContextCheck('appArmorProfile', 'securityContext.appArmorProfile.type="Unconfined"', ({ appArmorProfile }) => appArmorProfile?.type === 'Unconfined'),
  {
    allowedBy: 'allowPrivileged',
    reason: 'forbidden AppArmor profile',
    detail: ({ metadata }) =>
      Object.entries(metadata.annotations ?? {})
        .filter(([key, value]) => key.startsWith(apparmorPrefix) && value !== '' && value !== 'runtime/default' && !value.startsWith('localhost/'))
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(', ') || undefined,
  },
  securityContextCheck(
    'seLinuxOptions',
    'securityContext.seLinuxOptions to a user, a role or a type outside container_t',
    ({ seLinuxOptions }) => !!seLinuxOptions && (!!seLinuxOptions.user || !!seLinuxOptions.role || !baselineSELinuxTypes.has(seLinuxOptions.type ?? '')),
  ),
  {
    allowedBy: 'allowPrivileged',
    reason: 'forbidden sysctls',
    detail: ({ spec }) => {
      const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name.replaceAll('/', '.')).filter((name) => !baselineSysctls.has(name));
      return names.length > 0 ? names.join(', ') : undefined;
    },
  },
];

/** Option names as a person types them. */
const optionNames: Readonly<Record<keyof PodPolicyOptions, string>> = {
  allowPrivileged: '--allow-privileged',
  allowHostPath: '--allow-host-path',
  allowHostNamespaces: '--allow-host-namespaces',
};

/** Everything in a pod that is not permitted. */
export function findPolicyViolations(pod: Pod, options: PodPolicyOptions): readonly PolicyViolation[] {
  return checks.flatMap(({ allowedBy, reason, detail }) => {
    const found = options[allowedBy] ? undefined : detail(pod);
    return found === undefined ? [] : [{ reason, detail: found, allowedBy }];
  });
}

/** Violations as the answer tells them, after `pods "web" is forbidden: `. Upstream: the message of PodSecurity admission (v1.36). */
export function formatPolicyViolations(violations: readonly PolicyViolation[]): string {
  const flags = unique(violations.map(({ allowedBy }) => optionNames[allowedBy]));
  const list = violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
  return `violates PodSecurity "baseline:latest": ${list}; start the server with ${flags.join(' ')} to permit it`;
}
