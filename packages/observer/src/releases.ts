/** Selects the profile for a kubelet release. The shadow engine computes the syncs with it. */

/** A difference between a release and the profile that the shadow engine uses for it. */
export interface KnownDifference {
  /** The first minor version of Kubernetes that has the difference; `to` is the last one. */
  readonly from: number;
  readonly to: number;
  readonly profile: 'v1.36' | 'v1.20';
  readonly text: string;
}

/**
 * The differences that affect the CRI calls of a sync. Upstream: CHANGELOG of each release and the histories of
 * kuberuntime_manager.go, kuberuntime_container.go and kubelet.go.
 */
export const knownDifferences: readonly KnownDifference[] = [
  {
    from: 21,
    to: 21,
    profile: 'v1.20',
    text: 'A failed liveness or startup probe has a grace period of its own with the gate ProbeTerminationGracePeriod.',
  },
  {
    from: 22,
    to: 27,
    profile: 'v1.36',
    text: 'Sidecars (init containers with restartPolicy Always) do not exist: init containers run one after the other.',
  },
  {
    from: 22,
    to: 32,
    profile: 'v1.36',
    text: 'Without InPlacePodVerticalScaling a changed resource restarts the container instead of resizing it.',
  },
  {
    from: 22,
    to: 33,
    profile: 'v1.36',
    text: 'Containers have no restart rules (ContainerRestartRules): only the restart policy of the pod applies.',
  },
  {
    from: 22,
    to: 34,
    profile: 'v1.36',
    text: 'RestartAllContainers is not an action of a restart rule.',
  },
  {
    from: 22,
    to: 30,
    profile: 'v1.36',
    text: 'The hash of a container covers its whole spec: fields that a newer API adds restart it after an upgrade.',
  },
  {
    from: 22,
    to: 35,
    profile: 'v1.36',
    text: 'The next sync after a back-off comes with the next periodic resync, not when the back-off ends.',
  },
];

/** The profile for a release. */
export interface ProfileChoice {
  readonly profile: 'v1.36' | 'v1.20';
  /** True if the profile was made for another release. */
  readonly approximate: boolean;
  readonly differences: readonly KnownDifference[];
}

/** Returns 36 for `v1.36.2`; undefined for texts that aren't a version. */
const minorOf = (version: string | undefined): number | undefined => {
  const minor = /^v?1\.(\d+)/.exec(version ?? '')?.[1];
  return minor === undefined ? undefined : Number(minor);
};

/**
 * Returns the profile nearest to a kubelet's version. Releases from v1.22 on use v1.36, because v1.22 rewrote the pod
 * workers; earlier ones use v1.20. For an unknown version, returns v1.36.
 */
export function chooseProfile(version: string | undefined): ProfileChoice {
  const minor = minorOf(version);
  if (minor === undefined) return { profile: 'v1.36', approximate: true, differences: [] };
  const profile = minor <= 21 ? 'v1.20' : 'v1.36';
  const differences = knownDifferences.filter(
    (each) => each.profile === profile && minor >= each.from && minor <= each.to,
  );
  return { profile, approximate: minor !== 20 && minor !== 36, differences };
}

/** Returns true for a kubelet that lists a pod's objects right after each sync. Upstream: PLEGOnDemandRelist. */
export const listsAfterSync = (version: string | undefined): boolean => (minorOf(version) ?? 36) >= 34;

const gateIntroduced: Readonly<Record<string, number>> = {
  EphemeralContainers: 23,
  InPlacePodVerticalScaling: 33,
  InPlacePodVerticalScalingInitContainers: 36,
  InPlacePodLevelResourcesVerticalScaling: 36,
  PodLevelResources: 34,
  ContainerRestartRules: 35,
  RestartAllContainersOnContainerExits: 36,
  KubeletEnsureSecretPulledImages: 35,
  ImageVolume: 35,
};

/**
 * Returns the feature gates that are off by default in the release but on in the profile, changed by the gates in
 * `/configz`.
 */
export function gatesOf(
  version: string | undefined,
  configured: Readonly<Record<string, boolean>>,
): Readonly<Record<string, boolean>> {
  const minor = minorOf(version) ?? 36;
  const off = Object.entries(gateIntroduced)
    .filter(([, since]) => minor < since)
    .map(([gate]) => [gate, false]);
  return { ...Object.fromEntries(off), ...configured };
}
