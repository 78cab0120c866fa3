/**
 * Updates the desired state: adds the volumes that a pod's containers mount, and removes the pods that have no running
 * containers any more. Upstream: desiredStateOfWorldPopulator (pkg/kubelet/volumemanager/populator, v1.36).
 */
import { goQuote, type Pod, visitContainers } from '@podscope/k8s';
import type { ActualStateOfWorld } from './actual-state-of-world.ts';
import type { DesiredStateOfWorld, VolumeToMount } from './desired-state-of-world.ts';
import { kindOf, requiresRemount, supportedKinds, unsupportedKindOf } from './volume-kinds.ts';

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
   * Adds a pod's volumes, and requests an update of the files that are already mounted. Upstream: ReprocessPod,
   * processPodVolumes.
   * @returns the volumes that at least one container mounts
   * @throws Error when a container maps a block device, or when this node can't mount the kind of a volume
   */
  processPod(pod: Pod): readonly VolumeToMount[] {
    const volumes = volumesToMount(pod);
    const { uid } = pod.metadata;
    this.#desired.addPod(uid, volumes);
    for (const { volume, kind } of volumes) {
      const actual = this.#actual.get(uid, volume.name);
      if (actual?.mounted && requiresRemount(kind)) this.#actual.set({ ...actual, remount: 'requested' });
    }
    return volumes;
  }

  /** Removes the pods for which `containersAreGone` returns true. Upstream: findAndRemoveDeletedPods. */
  removeDeletedPods(containersAreGone: (uid: string) => boolean): void {
    for (const uid of this.#desired.uids()) if (containersAreGone(uid)) this.#desired.deletePod(uid);
  }
}

function volumesToMount(pod: Pod): readonly VolumeToMount[] {
  const containers = [...visitContainers(pod.spec)].map(({ container }) => container);
  const block = containers.find(({ volumeDevices }) => (volumeDevices?.length ?? 0) > 0);
  if (block) {
    throw new Error(
      `container ${goQuote(block.name)}: volumeDevices: ` +
        'this node does not support block volumes: mount a volume of files instead',
    );
  }
  const used = new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
  const volumes = (pod.spec.volumes ?? []).filter(({ name }) => used.has(name));
  const supported = volumes.flatMap((volume): VolumeToMount[] => {
    const kind = kindOf(volume);
    return kind === undefined ? [] : [{ pod, volume, kind }];
  });
  if (supported.length === volumes.length) return supported;
  const texts = volumes
    .filter((volume) => kindOf(volume) === undefined)
    .map(
      (volume) => `volume ${goQuote(volume.name)} is of a kind this node can't mount (${unsupportedKindOf(volume)})`,
    );
  throw new Error(`${texts.join(', ')}; supported kinds: ${supportedKinds}`);
}
