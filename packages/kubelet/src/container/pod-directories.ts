/**
 * Names, creates and removes the kubelet's directories on the node. Upstream: pkg/kubelet/kubelet_getters.go,
 * kubelet_pods.go makePodDataDirs (v1.36).
 */
import type { Pod } from '@podscope/k8s';
import { buildPodLogsDirectory, type OSInterface } from '@podscope/kuberuntime';

const directoryMode = 0o750;
/** The mode of the directory with the links to container logs. */
const legacyLogMode = 0o755;

/** Returns the paths below the kubelet's root. */
export class PodDirectories {
  readonly #os: OSInterface;
  readonly #rootDir: string;
  readonly #podLogsDir: string;
  readonly #legacyLogDir: string | undefined;

  constructor(os: OSInterface, rootDir: string, podLogsDir: string, legacyLogDir?: string) {
    this.#os = os;
    this.#rootDir = rootDir;
    this.#podLogsDir = podLogsDir;
    this.#legacyLogDir = legacyLogDir;
  }

  /** The directory of all pods: `<root>/pods`. */
  get podsDir(): string {
    return `${this.#rootDir}/pods`;
  }

  podDir(uid: string): string {
    return `${this.podsDir}/${uid}`;
  }

  /** Returns `<root>/pods/<uid>/volumes`. */
  podVolumesDir(uid: string): string {
    return `${this.podDir(uid)}/volumes`;
  }

  /** Returns `<root>/pods/<uid>/volume-subpaths`, where subpaths of volumes are bound. */
  podVolumeSubpathsDir(uid: string): string {
    return `${this.podDir(uid)}/volume-subpaths`;
  }

  /** Returns the directory of a volume. A `/` in the plugin's name becomes `~`. */
  podVolumeDir(uid: string, plugin: string, volume: string): string {
    return `${this.podVolumesDir(uid)}/${plugin.replaceAll('/', '~')}/${volume}`;
  }

  /** Returns the directory where a volume plugin stores its metadata about a volume. */
  podPluginDir(uid: string, plugin: string, volume: string): string {
    return `${this.podDir(uid)}/plugins/${plugin.replaceAll('/', '~')}/${volume}`;
  }

  /** Returns the directory of a container's logs. Upstream: BuildContainerLogsDirectory. */
  containerLogsDir(pod: Pod, container: string): string {
    return `${buildPodLogsDirectory(this.#podLogsDir, pod)}/${container}`;
  }

  /** Creates the directories that must exist before any loop starts. Upstream: setupDataDirs, initializeModules. */
  async setupDataDirs(): Promise<void> {
    for (const path of [this.#rootDir, this.podsDir, this.#podLogsDir]) await this.#os.mkdirAll(path, directoryMode);
    if (this.#legacyLogDir !== undefined) await this.#os.mkdirAll(this.#legacyLogDir, legacyLogMode);
  }

  /** Creates the directories of a pod. Upstream: makePodDataDirs. */
  async makePodDataDirs(uid: string): Promise<void> {
    for (const path of [this.podDir(uid), this.podVolumesDir(uid), `${this.podDir(uid)}/plugins`])
      await this.#os.mkdirAll(path, directoryMode);
  }

  /** Returns the UIDs of the pods that have a directory. Upstream: listPodsFromDisk. */
  listPodsFromDisk(): Promise<readonly string[]> {
    return this.#os.readDir(this.podsDir);
  }

  /** Returns the directories of a pod's volumes. Upstream: getPodVolumePathListFromDisk. */
  volumePaths(uid: string): Promise<readonly string[]> {
    return this.#below(this.podVolumesDir(uid), 2);
  }

  /** Returns the directories of volumes that are mount points. Upstream: getMountedVolumePathListFromDisk. */
  async mountedVolumePaths(uid: string): Promise<readonly string[]> {
    const paths = await this.volumePaths(uid);
    if (paths.length === 0 || !this.#os.mountPointsBelow) return [];
    const mounted = new Set(await this.#os.mountPointsBelow(this.podVolumesDir(uid)));
    return paths.filter((path) => mounted.has(path));
  }

  /**
   * Returns the paths `<volume>/<container>/<index>` of a pod's subpaths. Upstream: getPodVolumeSubpathListFromDisk.
   */
  subpaths(uid: string): Promise<readonly string[]> {
    return this.#below(this.podVolumeSubpathsDir(uid), 3);
  }

  /** True if the pod has a directory for subpaths. Upstream: podVolumeSubpathsDirExists (v1.20). */
  hasSubpathsDir(uid: string): Promise<boolean> {
    return this.#os.exists(this.podVolumeSubpathsDir(uid));
  }

  /** Removes an empty directory. */
  removeDirectory(path: string): Promise<void> {
    return this.#os.removeDirectory(path);
  }

  /** Removes a file or an empty directory. */
  remove(path: string): Promise<void> {
    return this.#os.remove(path);
  }

  /**
   * Removes the directory of a pod's volumes.
   * @throws Error when it contains a mount point or something other than directories
   */
  async removeVolumesDir(uid: string): Promise<void> {
    await this.#refuseMountPoints(this.podVolumesDir(uid));
    await this.#os.removeDirectories(this.podVolumesDir(uid));
  }

  /**
   * Removes a pod's directory.
   * @throws Error when it contains a mount point
   */
  async removePodDir(uid: string): Promise<void> {
    await this.#refuseMountPoints(this.podDir(uid));
    await this.#os.removeAll(this.podDir(uid));
  }

  /** Files of another file system must not be removed. Upstream: removeall.RemoveAllOneFilesystem. */
  async #refuseMountPoints(path: string): Promise<void> {
    const [point] = (await this.#os.mountPointsBelow?.(path)) ?? [];
    if (point !== undefined) throw new Error(`cannot delete directory ${point}: it is a mount point`);
  }

  /** Returns the paths that are `depth` levels below a directory. */
  async #below(directory: string, depth: number): Promise<readonly string[]> {
    if (depth === 0) return [directory];
    const paths: string[] = [];
    for (const name of await this.#os.readDir(directory))
      paths.push(...(await this.#below(`${directory}/${name}`, depth - 1)));
    return paths;
  }
}
