/**
 * Builds the security context of a container. Upstream: kuberuntime/security_context.go (v1.36 and v1.20),
 * pkg/securitycontext.
 */
import type { Capability, LinuxContainerSecurityContext, NamespaceOption, SecurityProfile } from '@podscope/cri';
import { type Container, goQuote, type Pod, type SecurityContext } from '@podscope/k8s';
import { formatPod } from '../runtime.ts';
import type { RuntimeNode } from '../runtime-node.ts';
import { supplementalGroupsPolicy } from '../sandbox/sandbox-security.ts';

/** The user that an image runs as. At most one member is set. */
export interface ImageUser {
  readonly uid?: number;
  readonly username?: string;
}

export interface SecurityRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly user: ImageUser;
  readonly namespaces: NamespaceOption;
  readonly extraGroups: readonly number[];
  readonly node: Pick<RuntimeNode, 'seccompDefault' | 'seccompProfileRoot'>;
}

const maskedV136 = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/interrupts',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
];
const readonlyV136 = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

/**
 * Returns the pod's settings. The container's own settings override them. Upstream: DetermineEffectiveSecurityContext.
 */
function effectiveSecurityContext(pod: Pod, { securityContext: own = {} }: Container): SecurityContext {
  const { seLinuxOptions, windowsOptions, runAsUser, runAsGroup, runAsNonRoot } = pod.spec.securityContext ?? {};
  return {
    ...own,
    seLinuxOptions: own.seLinuxOptions ?? seLinuxOptions,
    windowsOptions: own.windowsOptions ?? windowsOptions,
    runAsUser: own.runAsUser ?? runAsUser,
    runAsGroup: own.runAsGroup ?? runAsGroup,
    runAsNonRoot: own.runAsNonRoot ?? runAsNonRoot,
  };
}

/** The largest user id. */
const maxUID = 2 ** 31 - 1;

/**
 * Checks `runAsNonRoot`. Upstream: verifyRunAsNonRoot (v1.36 and v1.20).
 * @throws Error when the container must not run as root, but would run or might run as root
 */
export function verifyRunAsNonRoot(
  pod: Pod,
  container: Container,
  { uid, username }: ImageUser,
  release: 'v1.36' | 'v1.20',
): void {
  const { runAsNonRoot, runAsUser } = effectiveSecurityContext(pod, container);
  if (!runAsNonRoot) return;
  const who = `(pod: ${goQuote(formatPod(pod))}, container: ${container.name})`;
  if (runAsUser !== undefined) {
    if (runAsUser === 0) throw new Error(`container's runAsUser breaks non-root policy ${who}`);
    return;
  }
  if (uid === 0) throw new Error(`container has runAsNonRoot and image will run as root ${who}`);
  if (release !== 'v1.20' && uid !== undefined && (uid < 0 || uid > maxUID)) {
    const range = `(Must be 1-(${maxUID})): must be between 0 and ${maxUID}, inclusive`;
    throw new Error(`container has runAsNonRoot and image has an invalid user id (${uid}). ${range} ${who}`);
  }
  if (uid === undefined && username) {
    throw new Error(
      `container has runAsNonRoot and image has non-numeric user (${username}), cannot verify user is non-root ${who}`,
    );
  }
}

const capabilitiesOf = ({ capabilities }: SecurityContext): Capability | undefined =>
  capabilities && { addCapabilities: capabilities.add ?? [], dropCapabilities: capabilities.drop ?? [] };

/** Returns the fields that both releases fill in the same way. */
export function common({
  pod,
  container,
  user,
  namespaces,
  extraGroups,
}: SecurityRequest): LinuxContainerSecurityContext {
  const sc = effectiveSecurityContext(pod, container);
  const { user: seUser = '', role = '', type = '', level = '' } = sc.seLinuxOptions ?? {};
  const { fsGroup, supplementalGroups = [] } = pod.spec.securityContext ?? {};
  const uid = sc.runAsUser ?? user.uid;
  return {
    ...(sc.capabilities ? { capabilities: capabilitiesOf(sc) } : {}),
    privileged: sc.privileged ?? false,
    namespaceOptions: namespaces,
    ...(sc.seLinuxOptions ? { selinuxOptions: { user: seUser, role, type, level } } : {}),
    ...(uid === undefined ? {} : { runAsUser: { value: uid } }),
    ...(sc.runAsGroup === undefined ? {} : { runAsGroup: { value: sc.runAsGroup } }),
    runAsUsername: sc.runAsUser === undefined ? (user.username ?? '') : '',
    readonlyRootfs: sc.readOnlyRootFilesystem ?? false,
    supplementalGroups: [...(fsGroup === undefined ? [] : [fsGroup]), ...supplementalGroups, ...extraGroups],
    noNewPrivs: sc.allowPrivilegeEscalation === false,
  };
}

export const isUnmasked = ({ securityContext }: Container): boolean => securityContext?.procMount === 'Unmasked';

/**
 * Returns the seccomp profile of a container. Upstream: fieldSeccompProfile (v1.36).
 * @throws Error for a local profile without a name
 */
function seccompV136({ pod, container, node }: SecurityRequest): SecurityProfile {
  const profile = container.securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
  if (!profile) return { profileType: node.seccompDefault ? 'RuntimeDefault' : 'Unconfined' };
  if (profile.type !== 'Localhost') return { profileType: profile.type };
  if (!profile.localhostProfile) throw new Error('localhostProfile must be set if seccompProfile type is Localhost.');
  return { profileType: 'Localhost', localhostRef: `${node.seccompProfileRoot}/${profile.localhostProfile}` };
}

export const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';

/**
 * Returns the AppArmor profile in two forms: the typed field, and the text that a v1alpha2 runtime reads. Upstream:
 * getAppArmorProfile (v1.36).
 */
function appArmorV136(
  { metadata, spec }: Pod,
  { name, securityContext }: Container,
): Pick<LinuxContainerSecurityContext, 'apparmor' | 'apparmorProfile'> {
  const field = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
  if (field) return describeAppArmor(field.type, field.localhostProfile ?? '');
  const annotation = metadata.annotations?.[appArmorAnnotation + name];
  if (annotation === undefined || annotation === '') return {};
  if (annotation.startsWith('localhost/')) return describeAppArmor('Localhost', annotation.slice('localhost/'.length));
  return describeAppArmor(annotation === 'unconfined' ? 'Unconfined' : 'RuntimeDefault', '');
}

function describeAppArmor(
  type: SecurityProfile['profileType'],
  profile: string,
): Pick<LinuxContainerSecurityContext, 'apparmor' | 'apparmorProfile'> {
  if (type === 'Localhost')
    return { apparmor: { profileType: type, localhostRef: profile }, apparmorProfile: `localhost/${profile}` };
  return { apparmor: { profileType: type }, apparmorProfile: type === 'Unconfined' ? 'unconfined' : 'runtime/default' };
}

/** Returns the security context of a container for CRI. Upstream: determineEffectiveSecurityContext (v1.36). */
export function containerSecurityContextV136(request: SecurityRequest): LinuxContainerSecurityContext {
  const { pod, container } = request;
  const policy = pod.spec.securityContext?.supplementalGroupsPolicy;
  return {
    ...common(request),
    ...(policy === undefined ? {} : { supplementalGroupsPolicy: supplementalGroupsPolicy(policy) }),
    maskedPaths: isUnmasked(container) ? [] : maskedV136,
    readonlyPaths: isUnmasked(container) ? [] : readonlyV136,
    seccomp: seccompV136(request),
    ...appArmorV136(pod, container),
  };
}
