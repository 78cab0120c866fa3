/**
 * Publishes a set of files atomically: a reader sees either all old files or all new ones. The files are written into a
 * time-stamped directory, and a single rename makes that directory the current one. Upstream:
 * pkg/volume/util/atomic_writer.go (v1.36).
 */
import type { OSInterface } from '@podscope/kuberuntime';
import { type Instant } from '@podscope/trace';

/** A file of a volume. */
export interface FileProjection {
  readonly data: string | Uint8Array;
  readonly mode: number;
  /** The owner of the file. Default: the kubelet's user. */
  readonly user?: number;
}

/** Files by their path relative to the volume. */
export type Payload = ReadonlyMap<string, FileProjection>;

const dataDir = '..data';
const newDataDir = '..data_tmp';
const maxPathLength = 4096;
const maxNameLength = 255;

/** Returns why a path may not be used in a volume; undefined for a valid path. Upstream: validatePath. */
export function validatePath(path: string): string | undefined {
  if (path === '') return 'invalid path: must not be empty: ""';
  if (path.startsWith('/')) return `invalid path: must be relative path: ${path}`;
  if (path.length > maxPathLength) return `invalid path: must be less than or equal to ${maxPathLength} characters`;
  const items = path.split('/');
  if (items.includes('..')) return `invalid path: must not contain '..': ${path}`;
  if (items.some((item) => item.length > maxNameLength))
    return `invalid path: filenames must be less than or equal to ${maxNameLength} characters`;
  if (items[0]?.startsWith('..')) return `invalid path: must not start with '..': ${path}`;
  return undefined;
}

const sameData = (a: FileProjection['data'], b: FileProjection['data']): boolean =>
  typeof a === 'string' || typeof b === 'string'
    ? a === b
    : a.length === b.length && a.every((byte, index) => byte === b[index]);

const topLevelNames = (payload: Payload): ReadonlySet<string> =>
  new Set([...payload.keys()].map((path) => path.split('/')[0] ?? path));

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Writes the files of volumes. Remembers their content, so that an unchanged volume isn't written again. */
export class AtomicWriter {
  readonly #os: OSInterface;
  readonly #random: () => number;
  readonly #written = new Map<string, { readonly payload: Payload; readonly directory: string }>();

  constructor(os: OSInterface, random: () => number) {
    this.#os = os;
    this.#random = random;
  }

  /**
   * Replaces the files of `target` with `payload`. Returns false when the files were already equal.
   * @throws Error for an invalid path
   */
  async write(target: string, payload: Payload, now: Instant): Promise<boolean> {
    for (const path of payload.keys()) {
      const fault = validatePath(path);
      if (fault !== undefined) throw new Error(fault);
    }
    const before = this.#written.get(target);
    if (before && isUnchanged(before.payload, payload)) return false;
    const os = this.#os;
    const directory = this.#newDirectoryName(now);
    const path = `${target}/${directory}`;
    await os.mkdirAll(path, 0o755);
    for (const [name, file] of payload) {
      if (name.includes('/')) await os.mkdirAll(parentOf(`${path}/${name}`), 0o755);
      await os.writeFile(`${path}/${name}`, file.data, file.mode);
      if (file.user !== undefined) await os.chown?.(`${path}/${name}`, file.user);
    }
    await os.remove(`${target}/${newDataDir}`);
    await os.symlink(directory, `${target}/${newDataDir}`);
    await os.rename(`${target}/${newDataDir}`, `${target}/${dataDir}`);
    await this.#link(target, topLevelNames(payload), directory);
    this.#written.set(target, { payload, directory });
    return true;
  }

  /** Forgets the content of all volumes below a removed path, so that they are written again. */
  forget(prefix: string): void {
    for (const target of this.#written.keys()) if (target.startsWith(prefix)) this.#written.delete(target);
  }

  /** Links the top-level names through `..data`, and removes the names and directories of older sets. */
  async #link(target: string, names: ReadonlySet<string>, directory: string): Promise<void> {
    const present = new Set(await this.#os.readDir(target));
    for (const name of names) if (!present.has(name)) await this.#os.symlink(`${dataDir}/${name}`, `${target}/${name}`);
    for (const name of present) {
      if (names.has(name) || name === dataDir || name === directory) continue;
      await this.#os.removeAll(`${target}/${name}`);
    }
  }

  #newDirectoryName(now: Instant): string {
    const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '_');
    return `..${stamp}.${Math.floor(this.#random() * 1e9)}`;
  }
}

/** True when all files have equal content. Modes aren't compared. */
const isUnchanged = (before: Payload, after: Payload): boolean =>
  before.size === after.size &&
  [...after].every(([path, file]) => {
    const old = before.get(path);
    return old !== undefined && sameData(old.data, file.data);
  });
