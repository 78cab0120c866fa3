/** The files of one container: its image's and its own layer in memory, mounts that lead to the node's files, and what the kernel shows as files. */
import type { HostFiles } from '../host-files.ts';

/** Where a path of the container leads to a path of the node. */
export interface FileMount {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readonly: boolean;
}

/** A file operation that failed, in the words of the C library. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

interface File {
  content: string;
  mode: number;
  /** Not the container's own: the image brought it, or the engine put it there. */
  isGiven: boolean;
}

/** What the kernel shows as files below a directory. Paths are absolute. */
export interface KernelFiles {
  /** Content of a file, undefined when there is none. */
  read(path: string): string | undefined;
  /** Names in a directory, sorted; undefined when it is none. */
  list(path: string): readonly string[] | undefined;
  /** Where a link points to, undefined when it is none. */
  readLink(path: string): string | undefined;
  /** Changes what is behind a file; false when it may not be written. */
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

/** `path` as seen from `cwd`, absolute and without `.` and `..`. */
export function resolvePath(cwd: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** In every container. */
const standardDevices = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx', 'stdin', 'stdout', 'stderr'].map((name) => `/dev/${name}`);

const isBelow = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`);

/** The entry that `path` is at or below; the longest one wins, as the last mount below another does. */
function mountAt<Entry extends { readonly containerPath: string }>(entries: readonly Entry[], path: string): Entry | undefined {
  let found: Entry | undefined;
  for (const entry of entries) {
    if (isBelow(path, entry.containerPath) && entry.containerPath.length >= (found?.containerPath.length ?? 0)) found = entry;
  }
  return found;
}

export interface FileSystemOptions {
  readonly readonlyRoot?: boolean;
  /** Paths whose content nobody sees. */
  readonly maskedPaths?: readonly string[];
  /** Paths that nobody writes to. */
  readonly readonlyPaths?: readonly string[];
  /** Devices beside those that every container has. */
  readonly devices?: readonly string[];
  /** Whether its processes are root. Who is not may write where everybody may: the image's files are root's. */
  readonly isRoot?: boolean;
}

/** Where everybody may write. */
const sharedDirectories = ['/tmp', '/var/tmp', '/dev'];

/** Where what is mounted in memory keeps its files. */
const memoryMounts = '/run/.mounts';

/** One that a program has mounted: a part of the file system seen at another place. */
interface BindMount {
  readonly containerPath: string;
  /** Undefined for a file system of its own, in memory. */
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

  /** Bytes in the container's own layer. */
  get usedBytes(): number {
    let sum = 0;
    for (const file of this.#files.values()) if (!file.isGiven) sum += file.content.length;
    return sum;
  }

  /** Puts a file into the image's part of the container, whatever is read-only. */
  seed(path: string, content: string, mode = 0o644): void {
    this.#addDirectory(parentOf(path));
    this.#files.set(path, { content, mode, isGiven: true });
  }

  /** Shows what the kernel knows below `directory`. */
  show(directory: string, files: KernelFiles): void {
    this.#kernel.set(directory, files);
  }

  /** Shows what is at `source` at `target` too; without a source an empty file system in memory. @throws FileError when either is not there. */
  async mount(source: string | undefined, target: string): Promise<void> {
    for (const path of source === undefined ? [target] : [source, target]) {
      if (!(await this.exists(path))) throw new FileError('No such file or directory');
    }
    // One before it at this number may have left files.
    if (source === undefined) this.#forget(`${memoryMounts}/${this.#binds.length}`);
    this.#binds.push({ containerPath: target, source: source === undefined ? undefined : this.#resolve(source) });
  }

  /** Takes the last mount at `target` away. @throws FileError when there is none. */
  unmount(target: string): void {
    const at = this.#binds.findLastIndex(({ containerPath }) => containerPath === target);
    if (at < 0) throw new FileError('Invalid argument');
    this.#binds.splice(at, 1);
  }

  /** Where mounts of the node's files are, and those that programs have made. */
  get mountPoints(): readonly { readonly path: string; readonly readonly: boolean }[] {
    return [
      ...this.#mounts.map(({ containerPath, readonly }) => ({ path: containerPath, readonly })),
      ...this.#binds.map(({ containerPath }) => ({ path: containerPath, readonly: false })),
    ];
  }

  /** Where a link points to; undefined for what is no link. */
  readLink(path: string): string | undefined {
    return this.#kernelFiles(path)?.readLink(path);
  }

  /** @throws FileError when there is no such file. */
  async read(path: string): Promise<string> {
    const text = await this.tryRead(path);
    if (text !== undefined) return text;
    throw new FileError((await this.isDirectory(path)) ? 'Is a directory' : 'No such file or directory');
  }

  /** Content of a file, undefined when there is none. */
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

  /** @throws FileError when the file can't be written. */
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
      // As with an overlay: a file of the image that is written to becomes the container's own.
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
    return this.#devices.has(path) || this.readLink(path) !== undefined || (await this.#tryRead(path)) !== undefined || (await this.#isDirectory(path));
  }

  /** True when the engine keeps its content from being seen. */
  isMasked(path: string): boolean {
    return this.#options.maskedPaths?.some((masked) => isBelow(path, masked)) ?? false;
  }

  /** True when the file may be run; on a node whose files carry no mode all may. */
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

  /** @throws FileError when the directory can't be made. */
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

  /** Names in a directory, sorted. */
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

  /** Removes a path and everything below. @throws FileError when it may not. */
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

  /** @throws FileError */
  #mayWrite(path: string, mount: { readonly readonly: boolean } | undefined): void {
    const { readonlyRoot = false, readonlyPaths = [], isRoot = true } = this.#options;
    if (isBelow(path, memoryMounts)) return;
    const isReadonly = mount ? mount.readonly : readonlyRoot || this.#kernelFiles(path) !== undefined;
    if (isReadonly || readonlyPaths.some((directory) => isBelow(path, directory))) throw new FileError('Read-only file system');
    if (!mount && !isRoot && !sharedDirectories.some((directory) => path.startsWith(`${directory}/`))) throw new FileError('Permission denied');
  }

  #addDirectory(path: string): void {
    for (let at = path; at !== '/'; at = parentOf(at)) this.#directories.add(at);
  }

  /** The place that a path leads to through mounts that programs have made. */
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
    return mount && { hostPath: mount.hostPath + path.slice(mount.containerPath.length), readonly: mount.readonly };
  }
}
