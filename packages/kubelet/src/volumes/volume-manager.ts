/**
 * Mounts the volumes that a pod's containers use, and unmounts them when no container of the pod runs any more.
 * Upstream: volumeManager (pkg/kubelet/volumemanager/volume_manager.go, v1.36).
 */
import type { Pod } from '@podscope/k8s';
import type { EventRecorder, OSInterface } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, type Milliseconds } from '@podscope/trace';
import type { PodDirectories } from '../container/pod-directories.ts';
import type { TaskGroup } from '../util/task-group.ts';
import { waitUntil } from '../util/wait.ts';
import { ActualStateOfWorld, type MountedVolume } from './actual-state-of-world.ts';
import { DesiredStateOfWorld } from './desired-state-of-world.ts';
import { DesiredStatePopulator } from './desired-state-populator.ts';
import type { PayloadSources } from './plugins/payloads.ts';
import { Reconciler } from './reconciler.ts';
import { kindOfPluginDirectory } from './volume-kinds.ts';
import { VolumeOperations } from './volume-operations.ts';
import { goList, type VolumeProfile, volumesV136 } from './volume-profile.ts';

/** How long a sync waits for the pod's volumes. Upstream: podAttachAndMountTimeout. */
const podAttachAndMountTimeout: Milliseconds = 123_000;

/** The interval of upstream's checks of a pod's volumes. Upstream: podAttachAndMountRetryInterval. */
const podAttachAndMountRetryInterval: Milliseconds = 300;

export interface VolumeManagerDependencies {
  readonly os: OSInterface;
  readonly directories: PodDirectories;
  readonly recorder: EventRecorder;
  readonly sources: PayloadSources;
  readonly random: () => number;
  readonly tasks: TaskGroup;
  /** The release's rules for volumes. Default: v1.36. */
  readonly profile?: VolumeProfile;
  /** The memory that pods may use on the node, in bytes. */
  readonly allocatableBytes?: number;
  /** Returns the memory limit of a pod's cgroup in bytes; 0 without one. Default: 0. */
  readonly memoryLimit?: (pod: Pod) => number;
}

export class VolumeManager {
  readonly #directories: PodDirectories;
  readonly #os: OSInterface;
  readonly #profile: VolumeProfile;
  readonly #desired = new DesiredStateOfWorld();
  readonly #actual = new ActualStateOfWorld();
  readonly #populator = new DesiredStatePopulator(this.#desired, this.#actual);
  readonly #operations: VolumeOperations;
  readonly #reconciler: Reconciler;

  constructor({
    profile = volumesV136,
    allocatableBytes = 0,
    memoryLimit = () => 0,
    ...dependencies
  }: VolumeManagerDependencies) {
    const { os, directories, recorder, tasks } = dependencies;
    this.#os = os;
    this.#directories = directories;
    this.#profile = profile;
    this.#operations = new VolumeOperations({ ...dependencies, profile, allocatableBytes, memoryLimit });
    const [desired, actual, operations] = [this.#desired, this.#actual, this.#operations];
    this.#reconciler = new Reconciler({ desired, actual, operations, recorder, tasks });
  }

  /** Mounts and unmounts volumes until the context is aborted. */
  run(ctx: Context): Promise<void> {
    return this.#reconciler.run(ctx);
  }

  /** Returns the mounted volumes of a pod by name. */
  mountedVolumes(uid: string): ReadonlyMap<string, MountedVolume> {
    return new Map(
      this.#actual
        .ofPod(uid)
        .flatMap(({ name, mounted }): [string, MountedVolume][] => (mounted ? [[name, mounted]] : [])),
    );
  }

  /** Returns the UIDs of the pods that have volumes on this node, including volumes that may be mounted. */
  podsWithVolumes(): readonly string[] {
    return this.#actual.uids();
  }

  /** True once this volume is mounted. */
  hasVolume(uid: string, name: string): boolean {
    return this.#actual.get(uid, name)?.mounted !== undefined;
  }

  /**
   * True while a volume of the pod is mounted or may be mounted. Upstream: HasPossiblyMountedVolumesForPod, the test of
   * podVolumesExist in v1.36.
   */
  hasPossiblyMountedVolumes(uid: string): boolean {
    return this.#actual.ofPod(uid).length > 0;
  }

  /** True while a volume of the pod is mounted. Upstream: podVolumesExist (v1.20). */
  hasVolumes(uid: string): boolean {
    return this.#actual.ofPod(uid).some(({ mounted }) => mounted !== undefined);
  }

  /**
   * Waits until every volume that a container mounts is mounted, and until files from API objects have been updated
   * once. A failed update ends the wait, too, and leaves the mounted files unchanged. Upstream: WaitForAttachAndMount.
   * @throws Error for a volume that this node can't mount, once the pod's other volumes have been tried or 300 ms have
   * passed; VolumeTimeoutError after 2 min 3 s; the signal's reason when aborted
   */
  async waitForAttachAndMount(ctx: Context, pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    const { expected, unprocessed, error } = this.#populator.processPod(pod);
    if (expected.length === 0) return;
    const unmounted = (): readonly string[] =>
      expected.filter((name) => {
        const state = this.#actual.get(uid, name);
        return !state?.mounted || state.remount === 'requested';
      });
    const failure = (open: readonly string[], cause: string): string =>
      this.#profile.waitFailed({ unmounted: open, expected, unprocessed }, cause);
    this.#desired.setWaiter(uid, ctx);
    this.#reconciler.request();
    try {
      if (error !== undefined) {
        // Upstream finds the error at the check after the populator's run. By then, the other volumes are mounted.
        const untried = (): readonly string[] =>
          unmounted().filter((name) => {
            const state = this.#actual.get(uid, name);
            return !unprocessed.includes(name) && (state === undefined || state.remount === 'requested');
          });
        await this.#waitUntilEmpty(ctx, untried, podAttachAndMountRetryInterval);
        throw new Error(
          failure(
            expected.filter((name) => !this.hasVolume(uid, name)),
            error,
          ),
        );
      }
      const open = await this.#waitUntilEmpty(ctx, unmounted);
      if (open.length > 0) throw new VolumeTimeoutError(failure(open, this.#profile.timeoutCause));
    } finally {
      this.#desired.setWaiter(uid, undefined);
    }
  }

  /**
   * Waits until every volume of a finished pod is unmounted. Upstream: WaitForUnmount.
   * @throws Error after 2 min 3 s; the signal's reason when aborted
   */
  async waitForUnmount(ctx: Context, pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    this.removeDeletedPods((candidate) => candidate === uid);
    const open = await this.#waitUntilEmpty(ctx, () => this.#actual.ofPod(uid).map(({ name }) => name));
    if (open.length > 0) throw new Error(`mounted volumes=${goList(open)}: timed out waiting for the condition`);
  }

  /** Allows the volumes of those pods to be unmounted for which `containersAreGone` returns true. */
  removeDeletedPods(containersAreGone: (uid: string) => boolean): void {
    this.#populator.removeDeletedPods(containersAreGone);
    this.#reconciler.request();
  }

  /** Unmounts the volumes of a pod at once, at the end of a run. The reconciler must have stopped before. */
  async tearDown(uid: string): Promise<void> {
    this.#desired.deletePod(uid);
    for (const volume of this.#actual.ofPod(uid)) {
      await this.#operations.tearDown(volume);
      this.#actual.delete(uid, volume.name);
    }
    this.#operations.forgetTokens(uid);
  }

  /**
   * Waits until `names` returns an empty list, at most for the timeout, in ms.
   * @returns the last list, sorted
   */
  async #waitUntilEmpty(
    ctx: Context,
    names: () => readonly string[],
    timeout = podAttachAndMountTimeout,
  ): Promise<readonly string[]> {
    const deadline = addMilliseconds(ctx.clock.now(), timeout);
    for (;;) {
      const open = names();
      if (open.length === 0 || ctx.clock.now() >= deadline) return open.toSorted();
      await this.#change(ctx, deadline);
      ctx.signal.throwIfAborted();
    }
  }

  async #change(ctx: Context, deadline: Instant): Promise<void> {
    let stopListening = (): void => undefined;
    await waitUntil(ctx, deadline, (wake) => {
      if (wake) stopListening = this.#reconciler.onChange(wake);
    });
    stopListening();
  }

  /**
   * Finds the volumes that an earlier kubelet left on disk. They are kept until their pod turns out to be deleted.
   * Upstream: reconstructVolumes.
   */
  async reconstructVolumes(): Promise<void> {
    for (const uid of await this.#directories.listPodsFromDisk()) {
      const names: string[] = [];
      for (const plugin of await this.#os.readDir(this.#directories.podVolumesDir(uid))) {
        const kind = kindOfPluginDirectory(plugin);
        if (kind === undefined) continue;
        for (const name of await this.#os.readDir(`${this.#directories.podVolumesDir(uid)}/${plugin}`)) {
          if (this.#actual.get(uid, name)) continue;
          this.#actual.set({ uid, name, kind, mounted: undefined, remount: undefined });
          names.push(name);
        }
      }
      if (names.length > 0) this.#desired.addReconstructed(uid, names);
    }
  }
}

/** The error when the wait for volumes takes longer than 2 min 3 s. */
export class VolumeTimeoutError extends Error {
  override readonly name = 'VolumeTimeoutError';
}
