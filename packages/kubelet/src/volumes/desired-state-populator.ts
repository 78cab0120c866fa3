/**
 * Updates the desired state: adds the volumes that a pod's containers mount, and removes the pods that have no running
 * containers any more. Upstream: desiredStateOfWorldPopulator (pkg/kubelet/volumemanager/populator, v1.36).
 */
import {
  type Container,
  type EphemeralContainer,
  goQuote,
  type Pod,
  type Volume,
  visitContainers,
} from '@podscope/k8s';
import type { ActualStateOfWorld } from './actual-state-of-world.ts';
import type { DesiredStateOfWorld, VolumeToMount } from './desired-state-of-world.ts';
import { kindOf, requiresRemount, supportedKinds, unsupportedKindOf } from './volume-kinds.ts';

/** The result of adding a pod's volumes to the desired state. Names are sorted. */
export interface ProcessedPod {
  /** The names of the volumes that at least one container mounts or maps. Upstream: getExpectedVolumes. */
  readonly expected: readonly string[];
  /** The names of those that this node can't mount. Upstream: getVolumesNotInDSW. */
  readonly unprocessed: readonly string[];
  /** Why it can't mount them; undefined when it can mount all. Upstream: PopPodErrors. */
  readonly error: string | undefined;
}

/**
 * Adds and removes pods in the desired state. Upstream's populator runs every 100 ms. This one runs whenever its input
 * may have changed: at a sync of a pod, at the end of a pod, and at housekeeping. The result is the same, without the
 * wait for the next tick.
 */
export class DesiredStatePopulator {
  readonly #desired: DesiredStateOfWorld;
  readonly #actual: ActualStateOfWorld;

  constructor(desired: DesiredStateOfWorld, actual: ActualStateOfWorld) {
    this.#desired = desired;
    this.#actual = actual;
  }

  /**
   * Adds a pod's volumes, and requests an update of the files that are already mounted. A volume that this node can't
   * mount doesn't keep the others from being added. Upstream: ReprocessPod, processPodVolumes.
   */
  processPod(pod: Pod): ProcessedPod {
    const { volumes, ...processed } = volumesToMount(pod);
    const { uid } = pod.metadata;
    this.#desired.addPod(uid, volumes);
    for (const { volume, kind } of volumes) {
      const actual = this.#actual.get(uid, volume.name);
      if (actual?.mounted && requiresRemount(kind)) this.#actual.set({ ...actual, remount: 'requested' });
    }
    return processed;
  }

  /** Removes the pods for which `containersAreGone` returns true. Upstream: findAndRemoveDeletedPods. */
  removeDeletedPods(containersAreGone: (uid: string) => boolean): void {
    for (const uid of this.#desired.uids()) if (containersAreGone(uid)) this.#desired.deletePod(uid);
  }
}

function volumesToMount(pod: Pod): ProcessedPod & { readonly volumes: readonly VolumeToMount[] } {
  const containers = [...visitContainers(pod.spec)].map(({ container }) => container);
  const mapped = new Set(containers.flatMap(({ volumeDevices = [] }) => volumeDevices.map(({ name }) => name)));
  const mounted = new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
  const expected = (pod.spec.volumes ?? []).filter(({ name }) => mapped.has(name) || mounted.has(name));
  const volumes = expected.flatMap((volume): VolumeToMount[] => {
    const kind = mapped.has(volume.name) ? undefined : kindOf(volume);
    return kind === undefined ? [] : [{ pod, volume, kind }];
  });
  const added = new Set(volumes.map(({ volume }) => volume.name));
  const unprocessed = expected.filter(({ name }) => !added.has(name));
  const errors = [...blockErrors(containers), ...kindErrors(unprocessed.filter(({ name }) => !mapped.has(name)))];
  return {
    volumes,
    expected: sortedNames(expected),
    unprocessed: sortedNames(unprocessed),
    error: errors.length > 0 ? errors.join('; ') : undefined,
  };
}

const sortedNames = (volumes: readonly Volume[]): readonly string[] => volumes.map(({ name }) => name).toSorted();

const blockErrors = (containers: readonly (Container | EphemeralContainer)[]): readonly string[] =>
  containers
    .filter(({ volumeDevices }) => (volumeDevices?.length ?? 0) > 0)
    .map(
      ({ name }) =>
        `container ${goQuote(name)}: volumeDevices: ` +
        'this node does not support block volumes: mount a volume of files instead',
    );

function kindErrors(volumes: readonly Volume[]): readonly string[] {
  const texts = volumes.map(
    (volume) => `volume ${goQuote(volume.name)} is of a kind this node can't mount (${unsupportedKindOf(volume)})`,
  );
  return texts.length > 0 ? [`${texts.join(', ')}; supported kinds: ${supportedKinds}`] : [];
}
