/** Declares the node's files as containers see them through mounts, and implements them in memory. */

/** The file operations of the node. All paths are absolute. The kubelet's OS interface implements them, too. */
export interface HostFiles {
  /** Returns the content of a file; undefined when it doesn't exist. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** Writes a file and replaces its content. */
  writeFile(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Appends to a file and creates it if it is missing. Concurrent calls lose no text. */
  appendFile(path: string, content: string, mode: number): Promise<void>;
  isDirectory(path: string): Promise<boolean>;
  /** Returns the sorted names in a directory; empty when it doesn't exist. */
  readDir(path: string): Promise<readonly string[]>;
  exists(path: string): Promise<boolean>;
  /** Creates a directory and its parents; does nothing when it exists. */
  mkdirAll(path: string, mode: number): Promise<void>;
  /** Removes a path and everything below it; does nothing when it doesn't exist. */
  removeAll(path: string): Promise<void>;
  /**
   * Creates a file whose content is computed by `content` at each read. Like any other file, it can be moved and
   * removed.
   */
  showFile(path: string, content: () => Uint8Array, mode: number): Promise<void>;
  /** Returns the mount points of the node. Absent: they are unknown. */
  mountPoints?(): readonly string[];
  /** Returns the permission bits of a path. Absent: files have no modes. */
  mode?(path: string): number | undefined;
  /** Sets the permission bits of a path. */
  chmod?(path: string, mode: number): Promise<void>;
}

const encoder = new TextEncoder();

/** Stores the files of a node in memory. */
export class MemoryHostFiles implements HostFiles {
  readonly #files = new Map<string, () => Uint8Array>();
  readonly #directories = new Set<string>(['/']);

  readFile(path: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#files.get(path)?.());
  }

  async writeFile(path: string, content: string | Uint8Array): Promise<void> {
    await this.mkdirAll(path.slice(0, path.lastIndexOf('/')) || '/');
    const bytes = typeof content === 'string' ? encoder.encode(content) : content.slice();
    this.#files.set(path, () => bytes);
  }

  async appendFile(path: string, content: string): Promise<void> {
    const before = this.#files.get(path)?.() ?? new Uint8Array();
    const added = encoder.encode(content);
    const bytes = new Uint8Array(before.length + added.length);
    bytes.set(before);
    bytes.set(added, before.length);
    this.#files.set(path, () => bytes);
    await this.mkdirAll(path.slice(0, path.lastIndexOf('/')) || '/');
  }

  isDirectory(path: string): Promise<boolean> {
    return Promise.resolve(this.#directories.has(path));
  }

  async showFile(path: string, content: () => Uint8Array): Promise<void> {
    await this.mkdirAll(path.slice(0, path.lastIndexOf('/')) || '/');
    this.#files.set(path, content);
  }

  /**
   * Moves a file.
   * @throws Error when it doesn't exist
   */
  rename(from: string, to: string): Promise<void> {
    const content = this.#files.get(from);
    if (!content) return Promise.reject(new Error(`rename ${from} ${to}: no such file or directory`));
    this.#files.delete(from);
    this.#files.set(to, content);
    return Promise.resolve();
  }

  readDir(path: string): Promise<readonly string[]> {
    const prefix = path === '/' ? '/' : `${path}/`;
    const names = [...this.#files.keys(), ...this.#directories].filter(
      (entry) => entry.startsWith(prefix) && entry !== path,
    );
    return Promise.resolve(
      [...new Set(names.map((entry) => entry.slice(prefix.length).split('/')[0] ?? ''))].toSorted(),
    );
  }

  exists(path: string): Promise<boolean> {
    return Promise.resolve(this.#files.has(path) || this.#directories.has(path));
  }

  mkdirAll(path: string): Promise<void> {
    for (let at = path; at && at !== '/'; at = at.slice(0, at.lastIndexOf('/'))) this.#directories.add(at);
    return Promise.resolve();
  }

  removeAll(path: string): Promise<void> {
    for (const entries of [this.#files, this.#directories]) {
      for (const entry of entries.keys()) if (entry === path || entry.startsWith(`${path}/`)) entries.delete(entry);
    }
    return Promise.resolve();
  }
}
