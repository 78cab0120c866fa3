/**
 * A directory of static pod manifests, watched. Upstream: kubelet config/file.go and file_linux.go (v1.36): every change is read at once, the
 * whole directory again every 20 seconds.
 */
import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pod } from '@podscope/k8s';
import { parseStaticPod, type StaticPodReader } from './static-pod.ts';

/** Upstream: fileCheckFrequency, in milliseconds. */
const rescanInterval = 20_000;
/** A directory that is missing is looked for this often, in milliseconds. */
const retryInterval = 1_000;
/** Changes that come together are read together; an editor writes a file in several steps, in milliseconds. */
const settleTime = 100;
/** Upstream: maxConfigLength. */
const maxFileBytes = 10 * 1024 * 1024;

export interface ManifestDirectoryOptions extends StaticPodReader {
  readonly directory: string;
  /** Called with all pods of the directory, first once and then at every change. */
  readonly onPods: (pods: readonly Pod[]) => void;
  /** Called with each new thing that is wrong: a file, or the directory itself. */
  readonly onProblem: (path: string, message: string) => void;
}

/** Watches until {@link ManifestDirectory.close}. */
export class ManifestDirectory {
  readonly #options: ManifestDirectoryOptions;
  /** The pods that good files last gave, by file name. */
  #pods = new Map<string, Pod>();
  /** What was last said of each path, so that it is said once. */
  #problems = new Map<string, string>();
  #delivered: string | undefined;
  #watcher: FSWatcher | undefined;
  /** One for the next listing, one for a change that has been seen: a scan that ends must not forget the change that came while it ran. */
  readonly #timers: Partial<Record<'listing' | 'event', NodeJS.Timeout>> = {};
  #scanning: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ManifestDirectoryOptions) {
    this.#options = options;
  }

  /** Reads the directory and goes on watching it; resolves after the first delivery. */
  async start(): Promise<void> {
    await this.#scan('listing');
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watcher?.close();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    await this.#scanning;
  }

  /** One scan after the other. */
  #scan(kind: 'listing' | 'event'): Promise<void> {
    this.#scanning = this.#scanAfter(this.#scanning, kind);
    return this.#scanning;
  }

  async #scanAfter(previous: Promise<void>, kind: 'listing' | 'event'): Promise<void> {
    await previous;
    if (this.#closed) return;
    // Watched before it is read, so that no change falls in between.
    this.#watch();
    const found = await this.#read(kind);
    if (!found) this.#unwatch();
    if (this.#closed) return;
    this.#schedule(found ? rescanInterval : retryInterval, 'listing');
    this.#deliver();
  }

  #schedule(delay: number, kind: 'listing' | 'event'): void {
    clearTimeout(this.#timers[kind]);
    if (!this.#closed) this.#timers[kind] = setTimeout(() => void this.#scan(kind), delay);
  }

  #watch(): void {
    if (this.#watcher) return;
    const { directory, onProblem } = this.#options;
    try {
      this.#watcher = watch(directory, () => this.#schedule(settleTime, 'event'));
      this.#watcher.on('error', () => this.#unwatch());
    } catch (error) {
      // That it is missing is told when it is read.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      onProblem(directory, `cannot be watched (${(error as Error).message}); it is read every ${rescanInterval / 1000} seconds`);
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /** Reads all files; false when there is no directory. */
  async #read(kind: 'listing' | 'event'): Promise<boolean> {
    const { directory } = this.#options;
    let names: readonly string[];
    try {
      names = (await readdir(directory)).filter((name) => !name.startsWith('.')).toSorted();
    } catch (error) {
      this.#report(directory, `cannot be read: ${(error as Error).message}`);
      this.#pods = new Map();
      return false;
    }
    this.#problems.delete(directory);
    const pods = new Map<string, Pod>();
    for (const name of names) {
      const pod = await this.#readFile(name);
      if (pod === 'skipped') continue;
      if (pod !== 'broken') pods.set(name, pod);
      // In the middle of an edit the pod goes on as it was; the next listing takes it away if the file is still broken.
      else if (kind === 'event' && this.#pods.has(name)) pods.set(name, this.#pods.get(name) as Pod);
    }
    this.#pods = pods;
    for (const path of this.#problems.keys()) if (!names.includes(path.slice(directory.length + 1)) && path !== directory) this.#problems.delete(path);
    return true;
  }

  async #readFile(name: string): Promise<Pod | 'broken' | 'skipped'> {
    const { directory, nodeName, profile } = this.#options;
    const path = join(directory, name);
    try {
      const facts = await stat(path);
      if (!facts.isFile()) return 'skipped';
      if (facts.size > maxFileBytes) throw new Error(`is larger than ${maxFileBytes} bytes`);
      const pod = parseStaticPod(await readFile(path, 'utf8'), { path, nodeName, profile });
      this.#problems.delete(path);
      return pod;
    } catch (error) {
      // Gone between the listing and now.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'skipped';
      this.#report(path, (error as Error).message);
      return 'broken';
    }
  }

  #report(path: string, message: string): void {
    if (this.#problems.get(path) === message) return;
    this.#problems.set(path, message);
    this.#options.onProblem(path, message);
  }

  /** Delivers all pods when they changed; of two with one name the later file's. */
  #deliver(): void {
    const pods = [...new Map([...this.#pods.values()].map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod])).values()];
    const text = JSON.stringify(pods);
    if (text === this.#delivered) return;
    this.#delivered = text;
    this.#options.onPods(pods);
  }
}
