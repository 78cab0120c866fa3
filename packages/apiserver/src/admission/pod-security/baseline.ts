/**
 * Defines the checks of the baseline level. Upstream: the checks of LevelBaseline (pod-security-admission/policy,
 * v1.36).
 */
import type { Container, LifecycleHandler, Probe } from '@podscope/k8s';
import {
  type AnySecurityContext,
  allContainers,
  containersNamed,
  contextValues,
  offendersAmong,
  type PodSecurityCheck,
  plural,
  quoted,
  settersOf,
  sortedUnique,
} from './check.ts';

/** The default capabilities of container engines, which a pod may add explicitly. */
const defaultCapabilities: ReadonlySet<string> = new Set([
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

/**
 * Sysctls that a baseline pod may set. Upstream: sysctlsAllowedV1Dot32 (check_sysctls.go); the kubelet has its own list
 * with the same entries.
 */
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

const containerTypes: ReadonlySet<string> = new Set([
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
]);

const annotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const isConfining = (type: string | undefined): boolean =>
  type === undefined || type === 'RuntimeDefault' || type === 'Localhost';

/** The profile types that don't confine a container. */
const badProfile =
  (member: 'appArmorProfile' | 'seccompProfile') =>
  (context: AnySecurityContext): string | undefined =>
    isConfining(context[member]?.type) ? undefined : context[member]?.type;

/** Upstream: check_appArmorProfile.go. */
const appArmorProfile: PodSecurityCheck = {
  id: 'appArmorProfile',
  allowedBy: 'allowPrivileged',
  find: (pod) => {
    const bad = badProfile('appArmorProfile');
    const annotations = Object.entries(pod.metadata.annotations ?? {})
      .filter(
        ([key, value]) =>
          key.startsWith(annotationPrefix) &&
          value !== '' &&
          value !== 'runtime/default' &&
          !value.startsWith('localhost/'),
      )
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .toSorted();
    const setters = settersOf(pod, (context) => bad(context) !== undefined);
    const who = [
      ...(setters === undefined ? [] : [setters]),
      ...(annotations.length > 0 ? [plural('annotation', annotations.length)] : []),
    ];
    if (who.length === 0) return undefined;
    const values = [...contextValues(pod, bad), ...annotations];
    // Values from annotations are already in quotes.
    const shown = values.map((value) => `"${value}"`).join(', ');
    return {
      reason: plural('forbidden AppArmor profile', values.length),
      detail: `${who.join(' and ')} must not set AppArmor profile type to ${shown}`,
    };
  },
};

/** Upstream: check_capabilities_baseline.go. */
const capabilities: PodSecurityCheck = {
  id: 'capabilities_baseline',
  allowedBy: 'allowPrivileged',
  find: (pod) => {
    const { names, values } = offendersAmong(allContainers(pod), ({ securityContext }) =>
      (securityContext?.capabilities?.add ?? []).filter((name) => !defaultCapabilities.has(name)),
    );
    if (names.length === 0) return undefined;
    return {
      reason: 'non-default capabilities',
      detail: `${containersNamed(names)} must not include ${quoted(values)} in securityContext.capabilities.add`,
    };
  },
};

/** Upstream: check_hostNamespaces.go. */
const hostNamespaces: PodSecurityCheck = {
  id: 'hostNamespaces',
  allowedBy: 'allowHostNamespaces',
  find: ({ spec }) => {
    const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const)
      .filter((field) => spec[field])
      .map((field) => `${field}=true`);
    return shared.length > 0 ? { reason: 'host namespaces', detail: shared.join(', ') } : undefined;
  },
};

/** Upstream: check_hostPathVolumes.go. */
const hostPathVolumes: PodSecurityCheck = {
  id: 'hostPathVolumes',
  allowedBy: 'allowHostPath',
  find: ({ spec }) => {
    const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
    return names.length > 0
      ? { reason: 'hostPath volumes', detail: `${plural('volume', names.length)} ${quoted(names)}` }
      : undefined;
  },
};

/** Upstream: check_hostPorts.go. */
const hostPorts: PodSecurityCheck = {
  id: 'hostPorts',
  allowedBy: 'allowHostNamespaces',
  find: (pod) => {
    const { names, values } = offendersAmong(allContainers(pod), ({ ports }) =>
      (ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
    );
    if (names.length === 0) return undefined;
    const uses = names.length === 1 ? 'uses' : 'use';
    return {
      reason: 'hostPort',
      detail: `${containersNamed(names)} ${uses} ${plural('hostPort', values.length)} ${values.join(', ')}`,
    };
  },
};

const hostsOf = (handler: Probe | LifecycleHandler | undefined): readonly string[] =>
  [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host): host is string => !!host);

const handlerHosts = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): readonly string[] =>
  [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf);

/**
 * Probes and hooks with an explicit host make the node send requests to addresses in its own networks. Upstream:
 * check_hostProbesAndhostLifecycle.go.
 */
const hostProbes: PodSecurityCheck = {
  id: 'hostProbesAndHostLifecycle',
  allowedBy: 'allowHostNamespaces',
  find: (pod) => {
    const { names, values } = offendersAmong(allContainers(pod), handlerHosts);
    if (names.length === 0) return undefined;
    const uses = names.length === 1 ? 'uses' : 'use';
    const detail =
      `${containersNamed(sortedUnique(names))} ${uses} ${plural('probe or lifecycle host', values.length)} ` +
      quoted(values);
    return { reason: 'probe or lifecycle host', detail };
  },
};

/** Upstream: check_privileged.go. */
const privileged: PodSecurityCheck = {
  id: 'privileged',
  allowedBy: 'allowPrivileged',
  find: (pod) => {
    const { names } = offendersAmong(allContainers(pod), ({ securityContext }) =>
      securityContext?.privileged ? ['true'] : [],
    );
    return names.length > 0
      ? { reason: 'privileged', detail: `${containersNamed(names)} must not set securityContext.privileged=true` }
      : undefined;
  },
};

/**
 * Upstream: check_procMount.go. Upstream exempts pods with a user namespace. This node doesn't support user namespaces
 * and rejects such pods when they start.
 */
const procMount: PodSecurityCheck = {
  id: 'procMount',
  allowedBy: 'allowPrivileged',
  find: (pod) => {
    const { names, values } = offendersAmong(
      allContainers(pod),
      ({ securityContext: { procMount: value = 'Default' } = {} }) => (value === 'Default' ? [] : [value]),
    );
    return names.length > 0
      ? {
          reason: 'procMount',
          detail: `${containersNamed(names)} must not set securityContext.procMount to ${quoted(values)}`,
        }
      : undefined;
  },
};

/** Upstream: check_seLinuxOptions.go. */
const seLinuxOptions: PodSecurityCheck = {
  id: 'seLinuxOptions',
  allowedBy: 'allowPrivileged',
  find: (pod) => {
    const setters = settersOf(
      pod,
      ({ seLinuxOptions: options }) =>
        !!options && (!!options.user || !!options.role || !containerTypes.has(options.type ?? '')),
    );
    if (setters === undefined) return undefined;
    const types = contextValues(pod, ({ seLinuxOptions: options }) => options?.type).filter(
      (type) => !containerTypes.has(type),
    );
    const isSet = (member: 'user' | 'role'): boolean =>
      contextValues(pod, ({ seLinuxOptions: options }) => options?.[member]).some((value) => value !== '');
    const faults = [
      ...(types.length > 0 ? [`${plural('type', types.length)} ${quoted(types)}`] : []),
      ...(isSet('user') ? ['user may not be set'] : []),
      ...(isSet('role') ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')}`,
    };
  },
};

/** Upstream: check_seccompProfile_baseline.go. */
const seccompProfile: PodSecurityCheck = {
  id: 'seccompProfile_baseline',
  allowedBy: 'allowPrivileged',
  find: (pod) => {
    const bad = badProfile('seccompProfile');
    const setters = settersOf(pod, (context) => bad(context) !== undefined);
    if (setters === undefined) return undefined;
    return {
      reason: 'seccompProfile',
      detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(contextValues(pod, bad))}`,
    };
  },
};

const seccompAnnotations = [
  'seccomp.security.alpha.kubernetes.io/pod',
  'container.seccomp.security.alpha.kubernetes.io/',
] as const;
/**
 * Returns true for an annotation that names a seccomp profile which confines the container: a default profile or the
 * path of a profile below the profile directory. Upstream: validSeccompAnnotationValue, ValidateSeccompProfile (v1.20).
 */
const isConfiningAnnotation = (value: string): boolean =>
  value === '' ||
  value === 'runtime/default' ||
  value === 'docker/default' ||
  (/^localhost\/[^/]/.test(value) && !value.split('/').includes('..'));

/**
 * Checks the seccomp annotations of releases before 1.27. Some annotations take precedence over fields. Upstream:
 * seccompProfileBaselineV1Dot0.
 */
const seccompAnnotation: PodSecurityCheck = {
  id: 'seccompProfile_baseline_annotations',
  allowedBy: 'allowPrivileged',
  find: ({ metadata }) => {
    const bad = Object.entries(metadata.annotations ?? {})
      .filter(
        ([key, value]) =>
          (key === seccompAnnotations[0] || key.startsWith(seccompAnnotations[1])) && !isConfiningAnnotation(value),
      )
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .toSorted();
    return bad.length > 0
      ? { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', bad.length)} ${bad.join(', ')}` }
      : undefined;
  },
};

/** Upstream: check_sysctls.go. */
const sysctls: PodSecurityCheck = {
  id: 'sysctls',
  allowedBy: 'allowPrivileged',
  find: ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !safeSysctls.has(name));
    return names.length > 0 ? { reason: 'forbidden sysctls', detail: names.join(', ') } : undefined;
  },
};

/** Upstream: check_windowsHostProcess.go. */
const windowsHostProcess: PodSecurityCheck = {
  id: 'windowsHostProcess',
  allowedBy: 'allowPrivileged',
  find: (pod) => {
    const setters = settersOf(pod, ({ windowsOptions }) => windowsOptions?.['hostProcess'] === true);
    return setters === undefined
      ? undefined
      : { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
  },
};

/** The checks in the order in which the error message lists them. */
export const baselineChecks: readonly PodSecurityCheck[] = [
  appArmorProfile,
  capabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seLinuxOptions,
  seccompProfile,
  seccompAnnotation,
  sysctls,
  windowsHostProcess,
];
