/**
 * Defines the checks of the restricted level. Upstream: the checks of LevelRestricted (pod-security-admission/policy,
 * v1.36). Upstream relaxes some checks for Windows pods and pods with a user namespace, neither of which runs here.
 */
import type { Pod } from '@podscope/k8s';
import {
  allContainers,
  containersNamed,
  contextValues,
  type Finding,
  offendersAmong,
  type PodSecurityCheck,
  plural,
  quoted,
  settersOf,
  sortedUnique,
} from './check.ts';

const names = (
  pod: Pod,
  offends: (container: ReturnType<typeof allContainers>[number]) => boolean,
): readonly string[] =>
  allContainers(pod)
    .filter(offends)
    .map(({ name }) => name);

/** Upstream: check_allowPrivilegeEscalation.go. */
const allowPrivilegeEscalation: PodSecurityCheck = {
  id: 'allowPrivilegeEscalation',
  find: (pod) => {
    const bad = names(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
    if (bad.length === 0) return undefined;
    return {
      reason: 'allowPrivilegeEscalation != false',
      detail: `${containersNamed(bad)} must set securityContext.allowPrivilegeEscalation=false`,
    };
  },
};

/** Upstream: check_capabilities_restricted.go. */
const capabilities: PodSecurityCheck = {
  id: 'capabilities_restricted',
  overrides: ['capabilities_baseline'],
  find: (pod) => {
    const undropped = names(pod, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'));
    const added = offendersAmong(allContainers(pod), ({ securityContext }) =>
      (securityContext?.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE'),
    );
    const faults = [
      ...(undropped.length > 0
        ? [`${containersNamed(undropped)} must set securityContext.capabilities.drop=["ALL"]`]
        : []),
      ...(added.names.length > 0
        ? [
            `${containersNamed(added.names)} must not include ${quoted(added.values)} in ` +
              'securityContext.capabilities.add',
          ]
        : []),
    ];
    return faults.length > 0 ? { reason: 'unrestricted capabilities', detail: faults.join('; ') } : undefined;
  },
};

const ordinaryVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** Upstream: check_restrictedVolumes.go. A volume without a source is an emptyDir. */
const restrictedVolumes: PodSecurityCheck = {
  id: 'restrictedVolumes',
  overrides: ['hostPathVolumes'],
  find: ({ spec }) => {
    const bad = (spec.volumes ?? []).flatMap((volume) => {
      const sources = Object.keys(volume).filter((key) => key !== 'name' && volume[key] !== undefined);
      const [other] = sources.some((source) => ordinaryVolumes.includes(source)) ? [] : sources;
      return other === undefined ? [] : [{ name: volume.name, type: other === 'image' ? 'unknown' : other }];
    });
    if (bad.length === 0) return undefined;
    const types = sortedUnique(bad.map(({ type }) => type));
    const volumes = `${plural('volume', bad.length)} ${quoted(bad.map(({ name }) => name))}`;
    return {
      reason: 'restricted volume types',
      detail:
        `${volumes} ${bad.length === 1 ? 'uses' : 'use'} ${plural('restricted volume type', types.length)} ` +
        quoted(types),
    };
  },
};

/** Upstream: check_runAsNonRoot.go. */
const runAsNonRoot: PodSecurityCheck = {
  id: 'runAsNonRoot',
  find: (pod): Finding | undefined => {
    const reason = 'runAsNonRoot != true';
    const setters = settersOf(pod, (context) => context.runAsNonRoot === false);
    if (setters !== undefined) return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
    const silent = pod.spec.securityContext?.runAsNonRoot
      ? []
      : names(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
    return silent.length > 0
      ? { reason, detail: `pod or ${containersNamed(silent)} must set securityContext.runAsNonRoot=true` }
      : undefined;
  },
};

/** Upstream: check_runAsUser.go. */
const runAsUser: PodSecurityCheck = {
  id: 'runAsUser',
  find: (pod) => {
    const setters = settersOf(pod, (context) => context.runAsUser === 0);
    return setters === undefined ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
  },
};

/** Upstream: check_seccompProfile_restricted.go. */
const seccompProfile: PodSecurityCheck = {
  id: 'seccompProfile_restricted',
  overrides: ['seccompProfile_baseline'],
  find: (pod): Finding | undefined => {
    const reason = 'seccompProfile';
    const isGood = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';
    const setters = settersOf(
      pod,
      (context) => context.seccompProfile !== undefined && !isGood(context.seccompProfile.type),
    );
    if (setters !== undefined) {
      const values = contextValues(pod, (context) => context.seccompProfile?.type).filter((type) => !isGood(type));
      return { reason, detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(values)}` };
    }
    const silent = pod.spec.securityContext?.seccompProfile
      ? []
      : names(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
    if (silent.length === 0) return undefined;
    return {
      reason,
      detail:
        `pod or ${containersNamed(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or ` +
        '"Localhost"',
    };
  },
};

/** The checks in the order in which the error message lists them. */
export const restrictedChecks: readonly PodSecurityCheck[] = [
  allowPrivilegeEscalation,
  capabilities,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfile,
];
