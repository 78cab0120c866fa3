/** Implements a file system in memory for the simulator's node and for tests. Upstream: containertest.FakeOS. */
import type { OSInterface } from './runtime.ts';

type Entry =
  | { readonly kind: 'directory'; mode: number }
  | { readonly kind: 'file'; mode: number; readonly content: () => Uint8Array }
  | { readonly kind: 'link'; readonly target: string };

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const maxLinks = 40;

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Stores directories, files and symbolic links by absolute path. Errors have the operating system's texts. */
export class MemoryOS implements OSInterface {
  readonly #entries = new Map<string, Entry>([['/', { kind: 'directory', mode: 0o755 }]]);
  /**
   * The names in each directory, so that listing a directory doesn't visit all paths. A node that has run for a day has
   * thousands of files.
   */
  readonly #names = new Map<string, Set<string>>();

  async mkdirAll(path: string, mode: number): Promise<void> {
    this.#mkdirAll(this.#resolve(path), mode);
  }

  async writeFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content.slice();
    await this.showFile(path, () => bytes, mode);
  }

  /** Creates a file. Each read of the file calls `content` and returns its result. */
  async showFile(path: string, content: () => Uint8Array, mode: number): Promise<void> {
    const resolved = this.#resolve(path);
    if (this.#entries.get(parentOf(resolved))?.kind !== 'directory')
      throw new Error(`open ${path}: no such file or directory`);
    if (this.#entries.get(resolved)?.kind === 'directory') throw new Error(`open ${path}: is a directory`);
    this.#put(resolved, { kind: 'file', mode, content });
  }

  /** Appends to a file; creates it if it doesn't exist. */
  async appendFile(path: string, content: string, mode: number): Promise<void> {
    const before = this.#file(path) ?? new Uint8Array();
    const added = encoder.encode(content);
    const bytes = new Uint8Array(before.length + added.length);
    bytes.set(before);
    bytes.set(added, before.length);
    await this.showFile(path, () => bytes, this.mode(path) ?? mode);
  }

  async isDirectory(path: string): Promise<boolean> {
    return (await this.fileType(path)) === 'directory';
  }

  async readFile(path: string): Promise<Uint8Array | undefined> {
    return this.#file(path);
  }

  async readTail(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const content = this.#file(path);
    return content?.subarray(Math.max(0, content.length - maxBytes));
  }

  async readDir(path: string): Promise<readonly string[]> {
    return [...(this.#names.get(this.#resolve(path)) ?? [])].toSorted();
  }

  async exists(path: string): Promise<boolean> {
    return this.#entries.has(this.#resolve(path));
  }

  async fileType(path: string): Promise<'file' | 'directory' | undefined> {
    const kind = this.#entries.get(this.#resolve(path))?.kind;
    return kind === 'link' ? undefined : kind;
  }

  async symlink(target: string, link: string): Promise<void> {
    const resolved = this.#resolve(link, false);
    if (this.#entries.has(resolved)) throw new Error(`symlink ${target} ${link}: file exists`);
    if (this.#entries.get(parentOf(resolved))?.kind !== 'directory')
      throw new Error(`symlink ${target} ${link}: no such file or directory`);
    this.#put(resolved, { kind: 'link', target });
  }

  async readLink(path: string): Promise<string | undefined> {
    const entry = this.#entries.get(this.#resolve(path, false));
    return entry?.kind === 'link' ? entry.target : undefined;
  }

  async rename(from: string, to: string): Promise<void> {
    const source = this.#resolve(from, false);
    const target = this.#resolve(to, false);
    if (!this.#entries.has(source)) throw new Error(`rename ${from} ${to}: no such file or directory`);
    const moved = this.#tree(source);
    for (const [path] of moved) this.#drop(path);
    for (const [path, entry] of moved) this.#put(target + path.slice(source.length), entry);
  }

  async remove(path: string): Promise<void> {
    const resolved = this.#resolve(path, false);
    if ((this.#names.get(resolved)?.size ?? 0) > 0) throw new Error(`remove ${path}: directory not empty`);
    this.#drop(resolved);
  }

  async removeDirectory(path: string): Promise<void> {
    const resolved = this.#resolve(path, false);
    const entry = this.#entries.get(resolved);
    if (!entry) throw new Error(`rmdir ${path}: no such file or directory`);
    if (entry.kind !== 'directory') throw new Error(`rmdir ${path}: not a directory`);
    if ((this.#names.get(resolved)?.size ?? 0) > 0) throw new Error(`rmdir ${path}: directory not empty`);
    this.#drop(resolved);
  }

  async removeDirectories(path: string): Promise<void> {
    const resolved = this.#resolve(path, false);
    if (!this.#entries.has(resolved)) return;
    for (const name of await this.readDir(resolved))
      if (this.#entries.get(`${resolved}/${name}`)?.kind === 'directory')
        await this.removeDirectories(`${resolved}/${name}`);
    await this.removeDirectory(resolved);
  }

  async removeAll(path: string): Promise<void> {
    for (const [entry] of this.#tree(this.#resolve(path, false))) this.#drop(entry);
  }

  async chmod(path: string, mode: number): Promise<void> {
    const entry = this.#entries.get(this.#resolve(path));
    if (!entry) throw new Error(`chmod ${path}: no such file or directory`);
    if (entry.kind !== 'link') entry.mode = mode;
  }

  async diskUsage(path: string): Promise<number> {
    const [, ...below] = this.#tree(this.#resolve(path));
    return below.reduce((sum, [, entry]) => sum + (entry.kind === 'file' ? entry.content().length : 0), 0);
  }

  async prepareSubpath(volume: string, path: string): Promise<string> {
    const [base, target] = [this.#resolve(volume), this.#resolve(path)];
    if (target !== base && !target.startsWith(`${base}/`))
      throw new Error(`subpath "${target}" not within volume path "${base}"`);
    return path;
  }

  /** Returns the text of a file; undefined if it doesn't exist. Links are followed. */
  text(path: string): string | undefined {
    const content = this.#file(path);
    return content && decoder.decode(content);
  }

  /** Returns the permission bits of a path. Links are followed. */
  mode(path: string): number | undefined {
    const entry = this.#entries.get(this.#resolve(path));
    return entry?.kind === 'link' ? undefined : entry?.mode;
  }

  /** Returns all existing paths, sorted. */
  paths(): readonly string[] {
    return [...this.#entries.keys()].toSorted();
  }

  #file(path: string): Uint8Array | undefined {
    const entry = this.#entries.get(this.#resolve(path));
    return entry?.kind === 'file' ? entry.content() : undefined;
  }

  #put(path: string, entry: Entry): void {
    this.#entries.set(path, entry);
    const directory = parentOf(path);
    const names = this.#names.get(directory) ?? new Set();
    this.#names.set(directory, names.add(nameOf(path)));
  }

  #drop(path: string): void {
    this.#entries.delete(path);
    this.#names.delete(path);
    this.#names.get(parentOf(path))?.delete(nameOf(path));
  }

  /** Returns the entry of a path, followed by the entries below the path; empty if the path doesn't exist. */
  #tree(path: string): [string, Entry][] {
    const entry = this.#entries.get(path);
    if (!entry) return [];
    const below = [...(this.#names.get(path) ?? [])].flatMap((name) =>
      this.#tree(`${path === '/' ? '' : path}/${name}`),
    );
    return [[path, entry], ...below];
  }

  #mkdirAll(resolved: string, mode: number): void {
    const entry = this.#entries.get(resolved);
    if (entry?.kind === 'directory') return;
    if (entry) throw new Error(`mkdir ${resolved}: not a directory`);
    this.#mkdirAll(parentOf(resolved), mode);
    this.#put(resolved, { kind: 'directory', mode });
  }

  /**
   * Returns the path after resolving its links. If `followLast` is false, a link at the end of the path isn't resolved.
   */
  #resolve(path: string, followLast = true, depth = 0): string {
    if (depth > maxLinks) throw new Error(`${path}: too many levels of symbolic links`);
    const parts: string[] = [];
    const given = path.split('/');
    for (const [index, part] of given.entries()) {
      if (part === '' || part === '.') continue;
      if (part === '..') {
        parts.pop();
        continue;
      }
      parts.push(part);
      const at = `/${parts.join('/')}`;
      const entry = this.#entries.get(at);
      if (entry?.kind !== 'link' || (index === given.length - 1 && !followLast)) continue;
      const target = entry.target.startsWith('/') ? entry.target : `${parentOf(at)}/${entry.target}`;
      parts.splice(
        0,
        parts.length,
        ...this.#resolve(target, true, depth + 1)
          .split('/')
          .filter(Boolean),
      );
    }
    return `/${parts.join('/')}`;
  }
}
