/**
 * Removes the directories of pods that are gone, unless a volume of the pod is left. Upstream: cleanupOrphanedPodDirs,
 * podVolumesExist, removeOrphanedPodVolumeDirs (pkg/kubelet/kubelet_volumes.go, v1.36 and v1.20).
 */
import { errorText } from '@podscope/base';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodDirectories } from '../container/pod-directories.ts';
import type { Measures } from '../metrics/measures.ts';
import type { Cleanup } from './cleanup.ts';

/**
 * Removes one pod's directory.
 * @returns why it wasn't removed; undefined if it was
 */
export type RemoveOrphan = (directories: PodDirectories, uid: string) => Promise<string | undefined>;

/** Finds and removes the directories of pods that are gone. */
export class OrphanedDirectories {
  readonly #directories: PodDirectories;
  readonly #hasVolumes: (uid: string) => boolean;
  readonly #removeOrphan: RemoveOrphan;
  /** Why directories weren't removed, by UID. Each housekeeping tries again, and reports only changes. */
  #refusals = new Map<string, string>();
  readonly #measures: Measures | undefined;
  #sweep = { found: 0, withVolumes: 0 };

  /** @param hasVolumes whether the volume manager knows a volume of the pod, by the rule of the release */
  constructor(
    directories: PodDirectories,
    hasVolumes: (uid: string) => boolean,
    removeOrphan: RemoveOrphan,
    measures?: Measures,
  ) {
    this.#measures = measures;
    this.#directories = directories;
    this.#hasVolumes = hasVolumes;
    this.#removeOrphan = removeOrphan;
  }

  /**
   * Returns true while a volume of the pod is known or a volume's directory is a mount point. An error while reading
   * the directories counts as a volume. Upstream: podVolumesExist.
   */
  async podVolumesExist(uid: string): Promise<boolean> {
    if (this.#hasVolumes(uid)) return true;
    try {
      return (await this.#directories.mountedVolumePaths(uid)).length > 0;
    } catch {
      return true;
    }
  }

  /**
   * Returns the removals of directories without volumes. A directory whose removal was refused before is included only
   * if it was removed now, or refused for another reason.
   * @param keep the UIDs of known and running pods
   */
  async cleanups(keep: ReadonlySet<string>): Promise<readonly Cleanup[]> {
    const orphans = (await this.#directories.listPodsFromDisk()).filter((uid) => !keep.has(uid));
    this.#refusals = new Map([...this.#refusals].filter(([uid]) => orphans.includes(uid)));
    const cleanups: Cleanup[] = [];
    this.#sweep = { found: orphans.length, withVolumes: 0 };
    for (const uid of orphans) {
      if (await this.podVolumesExist(uid)) {
        this.#sweep.withVolumes += 1;
        this.#refusals.delete(uid);
        continue;
      }
      const before = this.#refusals.get(uid);
      const again = before === undefined ? undefined : { refusal: await this.#attempt(uid) };
      if (again && again.refusal === before) continue;
      if (again && again.refusal === undefined) this.#refusals.delete(uid);
      const run = async (ctx: Context): Promise<void> =>
        this.#report(ctx, uid, again ? again.refusal : await this.#attempt(uid));
      cleanups.push({ what: `directory of pod ${uid}`, run });
    }
    this.#measure();
    return cleanups;
  }

  /** Upstream: OrphanPodCleanedVolumes, OrphanPodCleanedVolumesErrors (v1.36). */
  #measure(): void {
    const { found, withVolumes } = this.#sweep;
    this.#measures?.take({ of: 'orphans', found, kept: withVolumes + this.#refusals.size });
  }

  async #attempt(uid: string): Promise<string | undefined> {
    try {
      return await this.#removeOrphan(this.#directories, uid);
    } catch (error) {
      return `error occurred when trying to remove the pod directory: ${errorText(error)}`;
    }
  }

  #report(ctx: Context, uid: string, refusal: string | undefined): void {
    const facts = { uid, path: this.#directories.podDir(uid) };
    ctx.tracer.decide(ctx, 'podDirectories.cleanup', facts, refusal ?? 'removed', refusal !== undefined);
    if (refusal === undefined) {
      this.#refusals.delete(uid);
      return;
    }
    this.#refusals.set(uid, refusal);
    this.#measure();
    const message = `orphaned pod ${goQuote(uid)} found, but ${refusal}`;
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  }
}

/**
 * Removes the empty directories of volumes and the entries of subpaths, then the rest. A volume's directory with
 * content and a file in `volumes` are kept, together with the pod's directory. Upstream: removeOrphanedPodVolumeDirs
 * (v1.36).
 */
export async function removeOrphanV136(directories: PodDirectories, uid: string): Promise<string | undefined> {
  let refusal: string | undefined;
  const attempt = async (what: string, remove: () => Promise<void>): Promise<void> => {
    try {
      await remove();
    } catch (error) {
      refusal ??= `${what}: ${errorText(error)}`;
    }
  };
  for (const path of await directories.volumePaths(uid))
    await attempt(`failed to rmdir() volume at path ${path}`, () => directories.removeDirectory(path));
  for (const path of await directories.subpaths(uid))
    await attempt(`failed to remove subpath at path ${path}`, () => directories.remove(path));
  await attempt('error occurred when trying to remove the volumes dir', () => directories.removeVolumesDir(uid));
  if (refusal === undefined) await directories.removePodDir(uid);
  return refusal;
}

/**
 * Removes the pod's directory if it has neither a volume's directory nor subpaths. Upstream: cleanupOrphanedPodDirs
 * (v1.20).
 */
export async function removeOrphanV120(directories: PodDirectories, uid: string): Promise<string | undefined> {
  if ((await directories.volumePaths(uid)).length > 0) return 'volume paths are still present on disk';
  if (await directories.hasSubpathsDir(uid)) return 'volume subpaths are still present on disk';
  await directories.removePodDir(uid);
  return undefined;
}
