/**
 * Mounts and unmounts single volumes on the node. Upstream: SetUp and TearDown of the volume plugins (pkg/volume,
 * v1.36), for the kinds that this node supports.
 */
import { goQuote, type Pod, type Volume } from '@podscope/k8s';
import type { OSInterface } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { PodDirectories } from '../container/pod-directories.ts';
import type { ActualVolume, MountedVolume } from './actual-state-of-world.ts';
import type { VolumeToMount } from './desired-state-of-world.ts';
import { AtomicWriter } from './plugins/atomic-writer.ts';
import { setUpHostPath } from './plugins/host-path.ts';
import { type PayloadSources, volumePayload } from './plugins/payloads.ts';
import { type DirectoryKind, isDirectoryKind, memoryBackedKinds, plugins } from './volume-kinds.ts';
import type { VolumeProfile } from './volume-profile.ts';

export interface VolumeOperationsDependencies {
  readonly os: OSInterface;
  readonly directories: PodDirectories;
  readonly sources: PayloadSources;
  /** Returns a number in [0, 1) for the names of data directories. */
  readonly random: () => number;
  readonly profile: VolumeProfile;
  /** The memory that pods may use on the node, in bytes. */
  readonly allocatableBytes: number;
  /** Returns the memory limit of a pod's cgroup in bytes; 0 without one. */
  readonly memoryLimit: (pod: Pod) => number;
}

/**
 * Returns the name of a volume's marker in `plugins/kubernetes.io~empty-dir`. A volume of files is stored in an
 * emptyDir, so it has a marker, too.
 */
const markerName = (kind: DirectoryKind, name: string): string => (kind === 'emptyDir' ? name : `wrapped_${name}`);

export class VolumeOperations {
  readonly #dependencies: VolumeOperationsDependencies;
  readonly #writer: AtomicWriter;

  constructor(dependencies: VolumeOperationsDependencies) {
    this.#dependencies = dependencies;
    this.#writer = new AtomicWriter(dependencies.os, dependencies.random);
  }

  /**
   * Mounts a volume, or updates the files of a mounted one. Upstream: SetUp.
   * @throws Error when a source is missing or the node can't create the directory; a mounted volume is then unchanged
   */
  async setUp(ctx: Context, { pod, volume, kind }: VolumeToMount): Promise<MountedVolume> {
    const { os, sources } = this.#dependencies;
    if (volume.hostPath) {
      await setUpHostPath(os, volume.hostPath);
      return { hostPath: volume.hostPath.path, readOnly: false, managed: false };
    }
    if (!isDirectoryKind(kind)) return { hostPath: '', readOnly: true, managed: true };
    if (volume.emptyDir?.medium?.startsWith('HugePages'))
      throw new Error(`medium ${volume.emptyDir.medium}: this node does not support huge pages: use Memory`);
    const path = this.path(pod.metadata.uid, kind, volume.name);
    const payload = await volumePayload(ctx, sources, pod, volume);
    const emptyDir = volume.emptyDir ?? { medium: memoryBackedKinds.has(kind) ? 'Memory' : '' };
    const created = await this.#setUpDirectory(ctx, pod, markerName(kind, volume.name), emptyDir, path);
    const written = payload ? await this.#writer.write(path, payload, ctx.clock.now()) : created;
    const group = pod.spec.securityContext?.fsGroup;
    if (group !== undefined && written) await os.setVolumeOwnership?.(path, group, payload !== undefined);
    return { hostPath: path, readOnly: payload !== undefined, managed: true };
  }

  /**
   * Unmounts a volume and removes its content, its marker and its subpaths. The directories above the volume are kept.
   * Upstream: TearDown, CleanSubPaths.
   * @throws Error when the node can't unmount the volume or remove its directory
   */
  async tearDown({ uid, name, kind }: Pick<ActualVolume, 'uid' | 'name' | 'kind'>): Promise<void> {
    const { os, directories } = this.#dependencies;
    const subpaths = directories.podVolumeSubpathsDir(uid);
    // A subpath is a mount of the volume's own content. It has to be unmounted before any content is removed.
    await this.#unmountAndRemove(`${subpaths}/${name}`);
    if ((await os.readDir(subpaths)).length === 0) await os.remove(subpaths);
    if (!isDirectoryKind(kind)) return;
    const path = this.path(uid, kind, name);
    await os.removeAll(directories.podPluginDir(uid, plugins.emptyDir, markerName(kind, name)));
    await this.#unmountAndRemove(path);
    this.#writer.forget(path);
  }

  /** Returns the directory of a volume. */
  path(uid: string, kind: DirectoryKind, name: string): string {
    return this.#dependencies.directories.podVolumeDir(uid, plugins[kind], name);
  }

  /** Drops the service account tokens of a pod. */
  forgetTokens(uid: string): void {
    this.#dependencies.sources.tokens.forget(uid);
  }

  async #unmountAndRemove(path: string): Promise<void> {
    const { os } = this.#dependencies;
    await os.unmountAll?.(path);
    await os.removeAll(path);
  }

  /** Mounts a tmpfs for an emptyDir. Upstream: setupTmpfs. */
  async #mountMemory(ctx: Context, pod: Pod, emptyDir: NonNullable<Volume['emptyDir']>, path: string): Promise<void> {
    const { os, profile, allocatableBytes, memoryLimit } = this.#dependencies;
    if (await os.isMountPoint?.(path)) return;
    const sizeBytes = profile.emptyDirMemorySize(emptyDir, { allocatable: allocatableBytes, pod: memoryLimit(pod) });
    ctx.tracer.decide(
      ctx,
      'volumes.emptyDirMedium',
      { path, medium: 'Memory', sizeBytes },
      os.mountTmpfs ? 'tmpfs' : 'disk: this node cannot mount',
      !os.mountTmpfs,
    );
    await os.mountTmpfs?.(path, sizeBytes);
  }

  /**
   * Creates the directory of an emptyDir, or of the emptyDir that wraps a volume of files. An existing directory keeps
   * its mode, because containers may have changed it. Upstream: emptyDir.SetUpAt.
   * @param name the name of the volume's marker
   * @returns whether the directory was created
   */
  async #setUpDirectory(
    ctx: Context,
    pod: Pod,
    name: string,
    emptyDir: NonNullable<Volume['emptyDir']>,
    path: string,
  ): Promise<boolean> {
    const { os, directories } = this.#dependencies;
    const inMemory = emptyDir.medium === 'Memory';
    const marker = directories.podPluginDir(pod.metadata.uid, plugins.emptyDir, name);
    const isPresent = async (): Promise<boolean> =>
      inMemory && os.mountTmpfs && os.isMountPoint ? os.isMountPoint(path) : os.exists(path);
    if ((await os.exists(`${marker}/ready`)) && (await isPresent())) return false;
    await os.mkdirAll(path.slice(0, path.lastIndexOf('/')), 0o755);
    await os.mkdirAll(path, 0o777);
    // The umask removes bits from the mode of mkdir, so the mode is set again.
    await os.chmod(path, 0o777);
    if (inMemory) await this.#mountMemory(ctx, pod, emptyDir, path);
    await os.mkdirAll(marker, 0o750);
    await os.writeFile(`${marker}/ready`, '', 0o644);
    return true;
  }
}

/** Returns the text of the event for a failed mount. */
export const mountFailure = (name: string, error: string): string =>
  `MountVolume.SetUp failed for volume ${goQuote(name)} : ${error}`;
