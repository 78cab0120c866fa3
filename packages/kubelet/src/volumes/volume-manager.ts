/** Sets up the volumes that containers of a pod mount, and takes them down again. Upstream: pkg/kubelet/volumemanager (v1.36), as far as files go. */
import { goQuote, type Pod, type Volume, visitContainers } from '@podscope/k8s';
import type { EventRecorder, OSInterface } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, type Milliseconds, sleep } from '@podscope/trace';
import type { PodDirectories } from '../container/pod-directories.ts';
import { AtomicWriter } from './atomic-writer.ts';
import { setUpHostPath } from './host-path.ts';
import { type PayloadSources, volumePayload } from './payloads.ts';
import { type VolumeProfile, volumesV136 } from './volume-profile.ts';

const podAttachAndMountTimeout: Milliseconds = 123_000;
const podAttachAndMountRetryInterval: Milliseconds = 300;
const initialRetryDelay: Milliseconds = 500;
const maxRetryDelay: Milliseconds = 122_000;

const plugins = {
  emptyDir: 'kubernetes.io/empty-dir',
  configMap: 'kubernetes.io/configmap',
  secret: 'kubernetes.io/secret',
  downwardAPI: 'kubernetes.io/downward-api',
  projected: 'kubernetes.io/projected',
} as const;

/** Kinds whose files should never reach a disk. */
const liesInMemory: ReadonlySet<string> = new Set<keyof typeof plugins>(['secret', 'downwardAPI', 'projected']);

/** The kinds this node can set up, for messages. */
const supportedKinds = [...Object.keys(plugins), 'hostPath', 'image'].join(', ');

/** A volume that containers can mount. */
export interface MountedVolume {
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed: boolean;
}

export interface VolumeManagerDependencies {
  readonly os: OSInterface;
  readonly directories: PodDirectories;
  readonly recorder: EventRecorder;
  readonly sources: PayloadSources;
  readonly random: () => number;
  /** Default: v1.36. */
  readonly profile?: VolumeProfile;
  /** Memory that pods may have of the node, in bytes. */
  readonly allocatableBytes?: number;
}

interface Attempt {
  readonly volume: Volume;
  delay: Milliseconds;
  due: Instant;
}

/** Volumes by pod and name. */
export class VolumeManager {
  readonly #deps: VolumeManagerDependencies;
  readonly #writer: AtomicWriter;
  readonly #mounted = new Map<string, Map<string, MountedVolume>>();

  constructor(deps: VolumeManagerDependencies) {
    this.#deps = deps;
    this.#writer = new AtomicWriter(deps.os, deps.random);
  }

  /** The volumes of a pod that are set up, by name. */
  mountedVolumes(uid: string): ReadonlyMap<string, MountedVolume> {
    return this.#mounted.get(uid) ?? new Map();
  }

  /** UIDs of pods that have volumes on this node. */
  podsWithVolumes(): readonly string[] {
    return [...this.#mounted.keys()];
  }

  /** True once this volume is set up. */
  hasVolume(uid: string, name: string): boolean {
    return this.#mounted.get(uid)?.has(name) ?? false;
  }

  /** True while a volume of the pod is set up. Upstream: podVolumesExist. */
  hasVolumes(uid: string): boolean {
    return (this.#mounted.get(uid)?.size ?? 0) > 0;
  }

  /**
   * Sets up every volume that some container mounts; files that follow their source are brought up to date, and one whose source can't be had
   * stays mounted as it is, with an event.
   * @throws Error when a volume can't be set up on this node, or not in time; the signal's reason when aborted.
   */
  async waitForAttachAndMount(ctx: Context, pod: Pod): Promise<void> {
    const blocks = [...visitContainers(pod.spec)].find(({ container }) => (container.volumeDevices?.length ?? 0) > 0);
    if (blocks)
      throw new Error(`container ${goQuote(blocks.container.name)}: volumeDevices: this node sets up no block volumes: mount a volume of files instead`);
    const used = new Set([...visitContainers(pod.spec)].flatMap(({ container }) => container.volumeMounts?.map(({ name }) => name) ?? []));
    const volumes = (pod.spec.volumes ?? []).filter(({ name }) => used.has(name));
    const unsupported = volumes.filter((volume) => kindOf(volume) === undefined);
    if (unsupported.length > 0) {
      const texts = unsupported.map((volume) => `volume ${goQuote(volume.name)} is of a kind this node can't mount (${unknownKindOf(volume)})`);
      throw new Error(`${texts.join(', ')}; supported kinds: ${supportedKinds}`);
    }
    const start = ctx.clock.now();
    let open: Attempt[] = volumes.map((volume) => ({ volume, delay: initialRetryDelay, due: start }));
    for (;;) {
      for (const attempt of open) if (attempt.due <= ctx.clock.now()) await this.#attempt(ctx, pod, attempt);
      open = open.filter(({ due }) => Number.isFinite(due));
      if (open.length === 0) return;
      if (ctx.clock.now() - start >= podAttachAndMountTimeout) {
        const names = open.map(({ volume }) => volume.name).toSorted();
        const { profile = volumesV136 } = this.#deps;
        throw new VolumeTimeoutError(profile.timedOut(`[${names.join(' ')}]`));
      }
      await sleep(ctx.clock, podAttachAndMountRetryInterval, ctx.signal);
    }
  }

  /** Removes all volumes of a pod with their content. Upstream: the reconciler's unmounts. */
  async tearDown(uid: string): Promise<void> {
    const { os, directories } = this.#deps;
    const [path, subpaths] = [directories.podVolumesDir(uid), directories.podVolumeSubpathsDir(uid)];
    this.#writer.forget(path);
    this.#deps.sources.tokens.forget(uid);
    this.#mounted.delete(uid);
    // What lies there is the volumes', not to be removed through them.
    for (const directory of [subpaths, path]) {
      await os.unmountAll?.(directory);
      await os.removeAll(directory);
    }
  }

  /** Tries once; the attempt is never due again once the volume is mounted. */
  async #attempt(ctx: Context, pod: Pod, attempt: Attempt): Promise<void> {
    const { volume } = attempt;
    const wasMounted = this.hasVolume(pod.metadata.uid, volume.name);
    try {
      const mounted = await this.#setUp(ctx, pod, volume);
      const all = this.#mounted.get(pod.metadata.uid) ?? new Map<string, MountedVolume>();
      all.set(volume.name, mounted);
      this.#mounted.set(pod.metadata.uid, all);
      attempt.due = Number.POSITIVE_INFINITY as Instant;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#deps.recorder.event(ctx, pod, 'Warning', 'FailedMount', `MountVolume.SetUp failed for volume ${goQuote(volume.name)} : ${text}`);
      // A refresh that fails takes nothing away: the next sync asks again.
      attempt.due = wasMounted ? (Number.POSITIVE_INFINITY as Instant) : addMilliseconds(ctx.clock.now(), attempt.delay);
      attempt.delay = Math.min(2 * attempt.delay, maxRetryDelay);
    }
  }

  /** Upstream: setupTmpfs. */
  async #mountMemory(ctx: Context, pod: Pod, emptyDir: NonNullable<Volume['emptyDir']>, path: string): Promise<void> {
    const { os, profile = volumesV136, allocatableBytes = 0 } = this.#deps;
    if (await os.isMountPoint?.(path)) return;
    const sizeBytes = profile.emptyDirMemorySize(pod, emptyDir, allocatableBytes);
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
   * Makes the directory of an emptyDir, or of the one that wraps a volume of files; one that is ready is left as it is, as its containers may
   * have changed its mode. Upstream: emptyDir.SetUpAt.
   * @param name the volume's in `plugins`, where the marker lies
   * @returns whether it had to be made
   */
  async #setUpDirectory(ctx: Context, pod: Pod, name: string, emptyDir: NonNullable<Volume['emptyDir']>, path: string): Promise<boolean> {
    const { os, directories } = this.#deps;
    const inMemory = emptyDir.medium === 'Memory';
    const meta = directories.podPluginDir(pod.metadata.uid, plugins.emptyDir, name);
    const isThere = async (): Promise<boolean> => (inMemory && os.mountTmpfs && os.isMountPoint ? os.isMountPoint(path) : os.exists(path));
    if ((await os.exists(`${meta}/ready`)) && (await isThere())) return false;
    await os.mkdirAll(path.slice(0, path.lastIndexOf('/')), 0o755);
    await os.mkdirAll(path, 0o777);
    // The process's umask must not narrow it.
    await os.chmod(path, 0o777);
    if (inMemory) await this.#mountMemory(ctx, pod, emptyDir, path);
    await os.mkdirAll(meta, 0o750);
    await os.writeFile(`${meta}/ready`, '', 0o644);
    return true;
  }

  async #setUp(ctx: Context, pod: Pod, volume: Volume): Promise<MountedVolume> {
    const { os, directories, sources } = this.#deps;
    if (volume.hostPath) {
      await setUpHostPath(os, volume.hostPath);
      return { hostPath: volume.hostPath.path, readOnly: false, managed: false };
    }
    if (volume.image) return { hostPath: '', readOnly: true, managed: true };
    const kind = kindOf(volume);
    if (kind === undefined || kind === 'hostPath' || kind === 'image') throw new Error(`volume ${goQuote(volume.name)} has no known kind`);
    if (volume.emptyDir?.medium?.startsWith('HugePages')) throw new Error(`medium ${volume.emptyDir.medium}: this node mounts no huge pages: use Memory`);
    const path = directories.podVolumeDir(pod.metadata.uid, plugins[kind], volume.name);
    const payload = await volumePayload(ctx, sources, pod, volume);
    const emptyDir = volume.emptyDir ?? { medium: liesInMemory.has(kind) ? 'Memory' : '' };
    const made = await this.#setUpDirectory(ctx, pod, payload ? `wrapped_${volume.name}` : volume.name, emptyDir, path);
    const written = payload ? await this.#writer.write(path, payload, ctx.clock.now()) : made;
    const group = pod.spec.securityContext?.fsGroup;
    if (group !== undefined && written) await os.setVolumeOwnership?.(path, group, payload !== undefined);
    return { hostPath: path, readOnly: payload !== undefined, managed: true };
  }
}

/** The wait for volumes took too long: no event tells of it. */
export class VolumeTimeoutError extends Error {
  override readonly name = 'VolumeTimeoutError';
}

type VolumeKind = keyof typeof plugins | 'hostPath' | 'image';

function kindOf(volume: Volume): VolumeKind | undefined {
  if (volume.hostPath) return 'hostPath';
  if (volume.image) return 'image';
  return (Object.keys(plugins) as (keyof typeof plugins)[]).find((kind) => volume[kind]);
}

const unknownKindOf = (volume: Volume): string => Object.keys(volume).find((key) => key !== 'name') ?? 'none';
