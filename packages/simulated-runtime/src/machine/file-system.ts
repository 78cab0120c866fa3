/**
 * Simulates the file system of a container: the image and the writable layer in memory, bind mounts of the node's
 * files, and files of the kernel.
 */
import type { HostFiles } from './host-files.ts';

/** A bind mount of a path on the node. */
export interface FileMount {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readonly: boolean;
  /** Whether `readonly` also applies to the node's mounts below `hostPath`. */
  readonly isRecursive?: boolean;
}

/** The error of a file operation, with the message of the C library. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

interface File {
  content: string;
  mode: number;
  /** Whether the file comes from the image or the engine. Otherwise it belongs to the writable layer. */
  isGiven: boolean;
}

/** Provides files below a directory that the kernel generates. Paths are absolute. */
export interface KernelFiles {
  /** Returns the content of a file; undefined when it doesn't exist. */
  read(path: string): string | undefined;
  /** Returns the sorted names in a directory; undefined when the path isn't a directory. */
  list(path: string): readonly string[] | undefined;
  /** Returns the target of a link; undefined when the path isn't a link. */
  readLink(path: string): string | undefined;
  /** Writes a file. Returns false when it can't be written. */
  write?(path: string, content: string): boolean;
}

const standardDirectories = [
  '/',
  '/bin',
  '/dev',
  '/etc',
  '/home',
  '/root',
  '/run',
  '/sbin',
  '/tmp',
  '/usr',
  '/usr/bin',
  '/usr/local',
  '/var',
  '/var/log',
  '/var/run',
];

const decoder = new TextDecoder();

/** Returns `path`, relative to `cwd`, as an absolute path without `.` and `..`. */
export function resolvePath(cwd: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** Devices of every container. */
const standardDevices = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx', 'stdin', 'stdout', 'stderr'].map(
  (name) => `/dev/${name}`,
);

const isBelow = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`);

/** Returns the entry whose mount point contains `path`. If several do, the longest mount point counts. */
function mountAt<Entry extends { readonly containerPath: string }>(
  entries: readonly Entry[],
  path: string,
): Entry | undefined {
  let found: Entry | undefined;
  for (const entry of entries) {
    if (isBelow(path, entry.containerPath) && entry.containerPath.length >= (found?.containerPath.length ?? 0))
      found = entry;
  }
  return found;
}

export interface FileSystemOptions {
  readonly readonlyRoot?: boolean;
  /** Paths whose content is hidden. */
  readonly maskedPaths?: readonly string[];
  /** Paths that are never writable. */
  readonly readonlyPaths?: readonly string[];
  /** Devices in addition to the standard ones. */
  readonly devices?: readonly string[];
  /**
   * Whether the processes are root. Root owns the image's files, so other users may write only to shared directories.
   */
  readonly isRoot?: boolean;
}

/** Directories that every user may write to. */
const sharedDirectories = ['/tmp', '/var/tmp', '/dev'];

/** The internal directory with the content of mounts in memory. */
const memoryMounts = '/run/.mounts';

/** A mount that a program in the container has made. */
interface BindMount {
  readonly containerPath: string;
  /** The mounted path; undefined for a file system in memory. */
  readonly source: string | undefined;
}

export class FileSystem {
  readonly #host: HostFiles;
  readonly #mounts: readonly FileMount[];
  readonly #options: FileSystemOptions;
  readonly #files = new Map<string, File>();
  readonly #directories = new Set(standardDirectories);
  readonly #devices: ReadonlySet<string>;
  readonly #binds: BindMount[] = [];
  readonly #kernel = new Map<string, KernelFiles>();

  constructor(host: HostFiles, mounts: readonly FileMount[], options: FileSystemOptions = {}) {
    this.#host = host;
    this.#mounts = mounts;
    this.#options = options;
    this.#devices = new Set([...standardDevices, ...(options.devices ?? [])]);
    for (const mount of mounts) this.#addDirectory(parentOf(mount.containerPath));
  }

  /** Size of the writable layer in bytes. */
  get usedBytes(): number {
    let sum = 0;
    for (const file of this.#files.values()) if (!file.isGiven) sum += file.content.length;
    return sum;
  }

  /** Adds a file to the image, even if the root is read-only. */
  seed(path: string, content: string, mode = 0o644): void {
    this.#addDirectory(parentOf(path));
    this.#files.set(path, { content, mode, isGiven: true });
  }

  /** Makes {@link KernelFiles} available below `directory`. */
  show(directory: string, files: KernelFiles): void {
    this.#kernel.set(directory, files);
  }

  /**
   * Bind-mounts `source` at `target`; without a source, mounts an empty file system in memory.
   * @throws FileError when source or target is missing
   */
  async mount(source: string | undefined, target: string): Promise<void> {
    for (const path of source === undefined ? [target] : [source, target]) {
      if (!(await this.exists(path))) throw new FileError('No such file or directory');
    }
    // Removes files that an earlier mount with the same number may have left.
    if (source === undefined) this.#forget(`${memoryMounts}/${this.#binds.length}`);
    this.#binds.push({ containerPath: target, source: source === undefined ? undefined : this.#resolve(source) });
  }

  /**
   * Removes the last mount at `target`.
   * @throws FileError when no mount is there
   */
  unmount(target: string): void {
    const at = this.#binds.findLastIndex(({ containerPath }) => containerPath === target);
    if (at < 0) throw new FileError('Invalid argument');
    this.#binds.splice(at, 1);
  }

  /** The mount points of bind mounts and of mounts that programs have made. */
  get mountPoints(): readonly { readonly path: string; readonly readonly: boolean }[] {
    return [
      ...this.#mounts.map(({ containerPath, readonly }) => ({ path: containerPath, readonly })),
      ...this.#binds.map(({ containerPath }) => ({ path: containerPath, readonly: false })),
    ];
  }

  /** Returns the target of a link; undefined when the path isn't a link. */
  readLink(path: string): string | undefined {
    return this.#kernelFiles(path)?.readLink(path);
  }

  /**
   * Returns the content of a file.
   * @throws FileError when it doesn't exist
   */
  async read(path: string): Promise<string> {
    const text = await this.tryRead(path);
    if (text !== undefined) return text;
    throw new FileError((await this.isDirectory(path)) ? 'Is a directory' : 'No such file or directory');
  }

  /** Returns the content of a file; undefined when it doesn't exist. */
  async tryRead(given: string): Promise<string | undefined> {
    const path = this.#resolve(given);
    if (path === '/dev/null') return '';
    if (this.isMasked(path)) return (await this.#isDirectory(path)) || !(await this.#exists(path)) ? undefined : '';
    return this.#tryRead(path);
  }

  async #tryRead(path: string): Promise<string | undefined> {
    const kernel = this.#kernelFiles(path);
    if (kernel) return kernel.read(path);
    const mount = this.#mountOf(path);
    if (!mount) return this.#files.get(path)?.content;
    const content = await this.#host.readFile(mount.hostPath).catch(() => undefined);
    return content && decoder.decode(content);
  }

  /**
   * Writes or appends to a file.
   * @throws FileError when it can't be written
   */
  async write(given: string, content: string, append = false): Promise<void> {
    const path = this.#resolve(given);
    if (this.#devices.has(path) || this.#kernelFiles(path)?.write?.(path, content)) return;
    const mount = this.#mountOf(path);
    this.#mayWrite(path, mount);
    if (await this.isDirectory(path)) throw new FileError('Is a directory');
    if (mount) {
      if (append) await this.#host.appendFile(mount.hostPath, content, 0o644);
      else await this.#host.writeFile(mount.hostPath, content, 0o644);
      return;
    }
    if (!(await this.isDirectory(parentOf(path)))) throw new FileError('nonexistent directory');
    const file = this.#files.get(path);
    if (file) {
      file.content = append ? file.content + content : content;
      // As in an overlay file system, a file of the image is copied to the writable layer when it is written.
      file.isGiven &&= content === '' && append;
    } else this.#files.set(path, { content, mode: 0o644, isGiven: false });
  }

  async isFile(path: string): Promise<boolean> {
    return (await this.tryRead(path)) !== undefined;
  }

  async isDirectory(path: string): Promise<boolean> {
    return this.#isDirectory(this.#resolve(path));
  }

  async #isDirectory(path: string): Promise<boolean> {
    const kernel = this.#kernelFiles(path);
    if (kernel) return kernel.list(path) !== undefined;
    const mount = this.#mountOf(path);
    if (!mount) return this.#directories.has(path);
    return this.#host.isDirectory(mount.hostPath);
  }

  async exists(path: string): Promise<boolean> {
    return this.#exists(this.#resolve(path));
  }

  async #exists(path: string): Promise<boolean> {
    return (
      this.#devices.has(path) ||
      this.readLink(path) !== undefined ||
      (await this.#tryRead(path)) !== undefined ||
      (await this.#isDirectory(path))
    );
  }

  /** Returns whether the path is masked. The content of a masked path is hidden. */
  isMasked(path: string): boolean {
    return this.#options.maskedPaths?.some((masked) => isBelow(path, masked)) ?? false;
  }

  /** Returns whether the file is executable. On a node without file modes, every file is. */
  isExecutable(given: string): boolean {
    const path = this.#resolve(given);
    if (this.isMasked(path)) return false;
    const mount = this.#mountOf(path);
    if (mount) return ((this.#host.mode?.(mount.hostPath) ?? 0o111) & 0o111) !== 0;
    return ((this.#files.get(path)?.mode ?? 0) & 0o111) !== 0;
  }

  async setMode(given: string, mode: (before: number) => number): Promise<void> {
    const path = this.#resolve(given);
    const mount = this.#mountOf(path);
    this.#mayWrite(path, mount);
    if (mount) {
      await this.#host.chmod?.(mount.hostPath, mode(this.#host.mode?.(mount.hostPath) ?? 0o644));
      return;
    }
    const file = this.#files.get(path);
    if (file) file.mode = mode(file.mode);
  }

  /**
   * Creates a directory.
   * @throws FileError when it can't be created
   */
  async makeDirectory(given: string, parents: boolean): Promise<void> {
    const path = this.#resolve(given);
    if (await this.exists(path)) {
      if (parents && (await this.isDirectory(path))) return;
      throw new FileError('File exists');
    }
    if (!parents && !(await this.isDirectory(parentOf(path)))) throw new FileError('No such file or directory');
    const mount = this.#mountOf(path);
    this.#mayWrite(path, mount);
    if (mount) await this.#host.mkdirAll(mount.hostPath, 0o755);
    else this.#addDirectory(path);
  }

  /** Returns the sorted names in a directory. */
  async list(given: string): Promise<readonly string[]> {
    const path = this.#resolve(given);
    if (this.isMasked(path)) return [];
    const kernel = this.#kernelFiles(path);
    if (kernel) return kernel.list(path) ?? [];
    const mount = this.#mountOf(path);
    const prefix = path === '/' ? '/' : `${path}/`;
    const entries = [
      ...this.#files.keys(),
      ...this.#directories,
      ...this.#devices,
      ...this.#kernel.keys(),
      ...this.#mounts.map((entry) => entry.containerPath),
    ];
    const names = (mount ? this.#mounts.map((entry) => entry.containerPath) : entries)
      .filter((entry) => entry.startsWith(prefix) && entry !== path)
      .map((entry) => entry.slice(prefix.length).split('/')[0] ?? '');
    const ofNode = mount ? await this.#host.readDir(mount.hostPath) : [];
    return [...new Set([...ofNode, ...names])].toSorted();
  }

  /**
   * Removes a path and everything below it.
   * @throws FileError when it can't be written
   */
  async remove(given: string): Promise<void> {
    const path = this.#resolve(given);
    const mount = this.#mountOf(path);
    this.#mayWrite(path, mount);
    if (mount) {
      await this.#host.removeAll(mount.hostPath);
      return;
    }
    this.#forget(path);
  }

  #forget(path: string): void {
    for (const entries of [this.#files, this.#directories]) {
      for (const entry of entries.keys()) if (isBelow(entry, path)) entries.delete(entry);
    }
  }

  /**
   * Checks that the path can be written.
   * @throws FileError when it can't
   */
  #mayWrite(path: string, mount: { readonly readonly: boolean } | undefined): void {
    const { readonlyRoot = false, readonlyPaths = [], isRoot = true } = this.#options;
    if (isBelow(path, memoryMounts)) return;
    const isReadonly = mount ? mount.readonly : readonlyRoot || this.#kernelFiles(path) !== undefined;
    if (isReadonly || readonlyPaths.some((directory) => isBelow(path, directory)))
      throw new FileError('Read-only file system');
    if (!mount && !isRoot && !sharedDirectories.some((directory) => path.startsWith(`${directory}/`)))
      throw new FileError('Permission denied');
  }

  #addDirectory(path: string): void {
    for (let at = path; at !== '/'; at = parentOf(at)) this.#directories.add(at);
  }

  /** Returns the path after resolving the mounts that programs have made. */
  #resolve(path: string): string {
    const bind = mountAt(this.#binds, path);
    if (!bind) return path;
    const rest = path.slice(bind.containerPath.length);
    if (bind.source !== undefined) return bind.source + rest;
    const place = `${memoryMounts}/${this.#binds.indexOf(bind)}`;
    this.#addDirectory(place);
    return place + rest;
  }

  #kernelFiles(path: string): KernelFiles | undefined {
    if (mountAt(this.#mounts, path)) return undefined;
    for (const [directory, files] of this.#kernel) if (isBelow(path, directory)) return files;
    return undefined;
  }

  #mountOf(path: string): { readonly hostPath: string; readonly readonly: boolean } | undefined {
    const mount = mountAt(this.#mounts, path);
    if (!mount) return undefined;
    const hostPath = mount.hostPath + path.slice(mount.containerPath.length);
    return {
      hostPath,
      readonly: mount.readonly && (mount.isRecursive === true || !this.#isBelowSubmount(mount, hostPath)),
    };
  }

  /**
   * Returns whether another mount of the node lies between the mount's source and `hostPath`. A mount with `ro` doesn't
   * make such a path read-only.
   */
  #isBelowSubmount(mount: FileMount, hostPath: string): boolean {
    const submounts = this.#host.mountPoints?.() ?? [];
    return submounts.some(
      (submount) => submount !== mount.hostPath && isBelow(submount, mount.hostPath) && isBelow(hostPath, submount),
    );
  }
}
