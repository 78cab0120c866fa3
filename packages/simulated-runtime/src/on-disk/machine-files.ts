/**
 * Gives simulated containers access to this machine's files. Files in the pod directories of the kubelet are written to
 * disk, so that volumes and termination messages work. All other files are read from disk and changed only in memory,
 * so a simulated `rm -rf /data` on a host path is harmless.
 */
import { readFileSync, statSync } from 'node:fs';
import { chmod, constants, lstat, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type HostFiles, MemoryHostFiles } from '../machine/host-files.ts';

/**
 * Matches a path in a pod directory of the kubelet: `<root>/pods/<uid>/volumes/…`. The uid of a static pod is a digest.
 */
const podOwned =
  /^(.*?\/pods\/(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})\/)(?:volumes|volume-subpaths|containers|plugins|etc-hosts)(?:\/|$)/;

/** The size of the largest readable file in bytes. A file is kept in memory as a whole. */
const largestFile = 64 * 1024 ** 2;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

export class MachineFiles implements HostFiles {
  readonly #memory = new MemoryHostFiles();
  /** The paths that containers have removed although they still exist on disk. */
  readonly #removed = new Set<string>();

  async readFile(path: string): Promise<Uint8Array | undefined> {
    const changed = await this.#memory.readFile(path);
    if (changed || this.#isRemoved(path)) return changed;
    return this.#read(path);
  }

  async writeFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
    if (podOwned.test(path)) return this.#write(path, content, mode);
    this.#removed.delete(path);
    return this.#memory.writeFile(path, content);
  }

  async appendFile(path: string, content: string, mode: number): Promise<void> {
    if (podOwned.test(path)) return this.#write(path, content, mode, constants.O_APPEND);
    if (!(await this.#memory.exists(path))) {
      // Copies the content from disk first, unless a concurrent append has already done so.
      const before = await this.readFile(path);
      if (before && !(await this.#memory.exists(path))) await this.#memory.writeFile(path, before);
    }
    this.#removed.delete(path);
    return this.#memory.appendFile(path, content);
  }

  async isDirectory(path: string): Promise<boolean> {
    if (await this.#memory.exists(path)) return this.#memory.isDirectory(path);
    return (
      !this.#isRemoved(path) &&
      (await stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      ))
    );
  }

  async readDir(path: string): Promise<readonly string[]> {
    const names = new Set(await this.#memory.readDir(path));
    if (!this.#isRemoved(path)) {
      const onDisk = await readdir(path).catch(() => []);
      for (const name of onDisk) if (!this.#removed.has(join(path, name))) names.add(name);
    }
    return [...names].toSorted();
  }

  async exists(path: string): Promise<boolean> {
    if (await this.#memory.exists(path)) return true;
    return !this.#isRemoved(path) && (await stat(path).then(Boolean, () => false));
  }

  async mkdirAll(path: string, mode: number): Promise<void> {
    if (podOwned.test(path)) {
      await mkdir(await this.#inside(path), { recursive: true, mode });
      return;
    }
    // The path stays in the set of removed paths, so that the new directory is empty.
    await this.#memory.mkdirAll(path);
  }

  async removeAll(path: string): Promise<void> {
    if (podOwned.test(path)) {
      await rm(await this.#inside(path), { recursive: true, force: true });
      return;
    }
    await this.#memory.removeAll(path);
    this.#removed.add(path);
  }

  showFile(path: string, content: () => Uint8Array): Promise<void> {
    return this.#memory.showFile(path, content);
  }

  mountPoints(): readonly string[] {
    try {
      // Each line has the fields id, parent, device, root and mount point. Blanks in paths are octal escapes.
      return readFileSync('/proc/self/mountinfo', 'utf8')
        .split('\n')
        .flatMap((line) => line.split(' ')[4] ?? [])
        .map((path) =>
          path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
        );
    } catch {
      return [];
    }
  }

  mode(path: string): number | undefined {
    return statSync(path, { throwIfNoEntry: false })?.mode;
  }

  async chmod(path: string, mode: number): Promise<void> {
    if (podOwned.test(path) && !(await lstat(path)).isSymbolicLink()) await chmod(await this.#inside(path), mode);
  }

  #isRemoved(path: string): boolean {
    for (let at = path; at !== '/' && at !== '.'; at = dirname(at)) if (this.#removed.has(at)) return true;
    return false;
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    try {
      const found = await file?.stat();
      // Other kinds of files aren't read, because a read of a pipe or a device might never end.
      if (!file || !found?.isFile()) return undefined;
      if (found.size > largestFile) throw new Error(`${path}: File too large`);
      return await file.readFile();
    } finally {
      await file?.close();
    }
  }

  async #write(
    path: string,
    content: string | Uint8Array,
    mode: number,
    how: number = constants.O_TRUNC,
  ): Promise<void> {
    const target = await this.#inside(path);
    const file = await open(target, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | how, mode);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  }

  /**
   * Returns the path after resolving symbolic links.
   * @throws Error when it leads out of the pod's directory
   */
  async #inside(given: string): Promise<string> {
    const path = resolve(given);
    const [, pod] = podOwned.exec(path) ?? [];
    if (pod === undefined) throw new Error(`${path}: Permission denied (it is outside of the pod's directory)`);
    const root = await realpath(pod);
    let existing = dirname(path);
    let rest = basename(path);
    for (;;) {
      try {
        const real = await realpath(existing);
        if (real !== root && !real.startsWith(`${root}/`))
          throw new Error(`${path}: Permission denied (a link leads out of the pod's directory)`);
        return join(real, rest);
      } catch (error) {
        if (!isMissing(error)) throw error;
        rest = join(basename(existing), rest);
        existing = dirname(existing);
      }
    }
  }
}
