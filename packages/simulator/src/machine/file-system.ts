/** The files of one container: its own layer in memory, and mounts that lead to the node's files. */
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
}

const standardDirectories = [
  '/',
  '/bin',
  '/dev',
  '/etc',
  '/home',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/sys',
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

export interface FileSystemOptions {
  readonly readonlyRoot?: boolean;
  /** Whether its processes are root. Who is not may write where everybody may: the image's files are root's. */
  readonly isRoot?: boolean;
}

/** Where everybody may write. */
const sharedDirectories = ['/tmp', '/var/tmp', '/dev'];

export class FileSystem {
  readonly #host: HostFiles;
  readonly #mounts: readonly FileMount[];
  readonly #readonlyRoot: boolean;
  readonly #isRoot: boolean;
  readonly #files = new Map<string, File>();
  readonly #directories = new Set(standardDirectories);

  constructor(host: HostFiles, mounts: readonly FileMount[], { readonlyRoot = false, isRoot = true }: FileSystemOptions = {}) {
    this.#host = host;
    // The longest mount point wins, as the last mount below another does.
    this.#mounts = mounts.toSorted((a, b) => b.containerPath.length - a.containerPath.length);
    this.#readonlyRoot = readonlyRoot;
    this.#isRoot = isRoot;
    for (const mount of mounts) this.#addDirectory(parentOf(mount.containerPath));
  }

  /** Bytes in the container's own layer. */
  get usedBytes(): number {
    let sum = 0;
    for (const file of this.#files.values()) sum += file.content.length;
    return sum;
  }

  /** Puts a file into the image's part of the container, whatever is read-only. */
  seed(path: string, content: string, mode = 0o644): void {
    this.#addDirectory(parentOf(path));
    this.#files.set(path, { content, mode });
  }

  /** @throws FileError when there is no such file. */
  async read(path: string): Promise<string> {
    const text = await this.tryRead(path);
    if (text !== undefined) return text;
    throw new FileError((await this.isDirectory(path)) ? 'Is a directory' : 'No such file or directory');
  }

  /** Content of a file, undefined when there is none. */
  async tryRead(path: string): Promise<string | undefined> {
    if (path === '/dev/null') return '';
    const mount = this.#mountOf(path);
    if (!mount) return this.#files.get(path)?.content;
    const content = await this.#host.readFile(mount.hostPath).catch(() => undefined);
    return content && decoder.decode(content);
  }

  /** @throws FileError when the file can't be written. */
  async write(path: string, content: string, append = false): Promise<void> {
    const mount = this.#mountOf(path);
    this.#mayWrite(path, mount);
    if (await this.isDirectory(path)) throw new FileError('Is a directory');
    if (mount) {
      const before = append ? ((await this.tryRead(path)) ?? '') : '';
      await this.#host.writeFile(mount.hostPath, before + content, 0o644);
      return;
    }
    if (!(await this.isDirectory(parentOf(path)))) throw new FileError('nonexistent directory');
    const file = this.#files.get(path);
    if (file) file.content = append ? file.content + content : content;
    else this.#files.set(path, { content, mode: 0o644 });
  }

  async isFile(path: string): Promise<boolean> {
    return (await this.tryRead(path)) !== undefined;
  }

  async isDirectory(path: string): Promise<boolean> {
    const mount = this.#mountOf(path);
    if (!mount) return this.#directories.has(path);
    if (!(await this.#host.exists(mount.hostPath))) return false;
    return (await this.#host.readFile(mount.hostPath).catch(() => undefined)) === undefined;
  }

  async exists(path: string): Promise<boolean> {
    return (await this.isFile(path)) || (await this.isDirectory(path));
  }

  /** True when the file may be run; on a node whose files carry no mode all may. */
  isExecutable(path: string): boolean {
    const mount = this.#mountOf(path);
    if (mount) return ((this.#host.mode?.(mount.hostPath) ?? 0o111) & 0o111) !== 0;
    return ((this.#files.get(path)?.mode ?? 0) & 0o111) !== 0;
  }

  async setMode(path: string, mode: (before: number) => number): Promise<void> {
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
  async makeDirectory(path: string, parents: boolean): Promise<void> {
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
  async list(path: string): Promise<readonly string[]> {
    const mount = this.#mountOf(path);
    if (mount) return this.#host.readDir(mount.hostPath);
    const prefix = path === '/' ? '/' : `${path}/`;
    const entries = [...this.#files.keys(), ...this.#directories, ...this.#mounts.map((entry) => entry.containerPath)];
    const names = entries.filter((entry) => entry.startsWith(prefix) && entry !== path).map((entry) => entry.slice(prefix.length).split('/')[0] ?? '');
    return [...new Set(names)].toSorted();
  }

  /** Removes a path and everything below. @throws FileError when it may not. */
  async remove(path: string): Promise<void> {
    const mount = this.#mountOf(path);
    this.#mayWrite(path, mount);
    if (mount) {
      await this.#host.removeAll(mount.hostPath);
      return;
    }
    for (const entries of [this.#files, this.#directories]) {
      for (const entry of entries.keys()) if (entry === path || entry.startsWith(`${path}/`)) entries.delete(entry);
    }
  }

  /** @throws FileError */
  #mayWrite(path: string, mount: { readonly readonly: boolean } | undefined): void {
    if (mount?.readonly || (!mount && this.#readonlyRoot)) throw new FileError('Read-only file system');
    if (!mount && !this.#isRoot && !sharedDirectories.some((directory) => path.startsWith(`${directory}/`))) throw new FileError('Permission denied');
  }

  #addDirectory(path: string): void {
    for (let at = path; at !== '/'; at = parentOf(at)) this.#directories.add(at);
  }

  #mountOf(path: string): { readonly hostPath: string; readonly readonly: boolean } | undefined {
    for (const mount of this.#mounts) {
      if (path === mount.containerPath || path.startsWith(`${mount.containerPath}/`)) {
        return { hostPath: mount.hostPath + path.slice(mount.containerPath.length), readonly: mount.readonly };
      }
    }
    return undefined;
  }
}
