/**
 * Watches a directory of static pod manifests. Reads a file that is renamed into the directory at once. Reads a file
 * that is written in place when its writer pauses. Also lists the whole directory every 20 seconds. Upstream: kubelet
 * config/file.go and file_linux.go (v1.36), which read a file after every write.
 */
import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Pod } from '@podscope/k8s';
import { parseStaticPod, type StaticPodReader } from './static-pod.ts';

/** Interval at which the directory is listed again, in milliseconds. Upstream: fileCheckFrequency. */
const rescanInterval = 20_000;
/** Interval at which a missing directory is tried again, in milliseconds. */
const retryInterval = 1_000;
/**
 * How long a writer must have paused until its file counts as complete, in milliseconds. The end of one write proves
 * nothing, because scripts append to a file with several commands. Two files are complete without a pause: a file that
 * was renamed into place, and valid JSON, because no part of a JSON object is valid.
 */
const defaultSettleTime = 100;
/** The time added to the settle time before the file is read, in milliseconds, because timers may fire early. */
const timerTolerance = 5;
/** The maximum size of a file, in bytes. Upstream: maxConfigLength. */
const maxFileBytes = 10 * 1024 * 1024;

/** The content of a file. */
interface ReadFile {
  /** The pod, or why the file is invalid. */
  readonly content: Pod | Error;
  /** True for JSON. An incomplete JSON file is never valid, so a valid file is complete. */
  readonly isWhole: boolean;
}

export interface ManifestDirectoryOptions extends StaticPodReader {
  readonly directory: string;
  /** How long a writer pauses once its file is complete, in milliseconds. Default 100. */
  readonly settleTime?: number;
  /** Called with all pods of the directory at the start, and after every change. */
  readonly onPods: (pods: readonly Pod[]) => void;
  /** Called once for each new error of a file or of the directory. */
  readonly onProblem: (path: string, message: string) => void;
}

/** Watches until {@link ManifestDirectory.close}. */
export class ManifestDirectory {
  readonly #options: ManifestDirectoryOptions;
  /** The pod that each file contained when it was last valid, by file name. */
  #pods = new Map<string, Pod>();
  /** The last error of each path, so that it is reported once. */
  #problems = new Map<string, string>();
  #delivered: string | undefined;
  #watcher: FSWatcher | undefined;
  /** By file name, when each file was last written, and when it was last created or renamed: `performance.now()`. */
  readonly #written = new Map<string, number>();
  readonly #appeared = new Map<string, number>();
  /**
   * Two timers: one for the next listing, and one for a changed file. They are separate, because the end of a scan must
   * not cancel the scan for a change that occurred during the scan.
   */
  readonly #timers: Partial<Record<'listing' | 'event', NodeJS.Timeout>> = {};
  #scanning: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ManifestDirectoryOptions) {
    this.#options = options;
  }

  get #settleTime(): number {
    return this.#options.settleTime ?? defaultSettleTime;
  }

  /** Reads the directory and starts watching it. Resolves after the first call of `onPods`. */
  async start(): Promise<void> {
    await this.#scan('listing');
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watcher?.close();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    await this.#scanning;
  }

  /** Runs a scan after the scans that were requested before. */
  #scan(kind: 'listing' | 'event'): Promise<void> {
    this.#scanning = this.#scanAfter(this.#scanning, kind);
    return this.#scanning;
  }

  async #scanAfter(previous: Promise<void>, kind: 'listing' | 'event'): Promise<void> {
    await previous;
    if (this.#closed) return;
    // Start watching before reading, so that no change in between is missed.
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
      this.#watcher = watch(directory, (event, name) => this.#onEvent(event, name));
      this.#watcher.on('error', () => this.#unwatch());
    } catch (error) {
      // Ignores a missing directory here, because the next read of the directory reports the error.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      onProblem(
        directory,
        `cannot be watched (${(error as Error).message}); it is read every ${rescanInterval / 1000} seconds`,
      );
    }
  }

  /**
   * Handles a file event. `rename` is also reported when a file was created or removed. Writing to a created file then
   * causes a `change`.
   */
  #onEvent(event: 'rename' | 'change', name: string | null): void {
    if (name?.startsWith('.')) return;
    if (name !== null && event === 'change') this.#written.set(name, performance.now());
    if (name !== null && event === 'rename') {
      this.#appeared.set(name, performance.now());
      this.#written.delete(name);
    }
    if (event === 'rename') void this.#scan('event');
    // Read a JSON file at once, because parsing shows whether it is complete.
    else if (name?.endsWith('.json')) this.#schedule(0, 'event');
    else this.#settle();
  }

  /** Schedules a read for the time when the last writer has paused. */
  #settle(): void {
    this.#schedule(this.#settleTime + timerTolerance, 'event');
  }

  #isRecent(at: number | undefined): boolean {
    return at !== undefined && performance.now() - at < this.#settleTime;
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /** Reads all files. Returns false if the directory doesn't exist. */
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
    const read = new Map<string, ReadFile>();
    for (const name of names) {
      const file = await this.#readFile(name);
      if (file) read.set(name, file);
    }
    // Wait one turn, so that file events for writes during the read arrive.
    await turn();
    await turn();
    const pods = new Map<string, Pod>();
    for (const [name, { content, isWhole }] of read) {
      const path = join(directory, name);
      const previous = this.#pods.get(name);
      const isWritten = !isWhole && this.#isRecent(this.#written.get(name));
      if (!isWritten && !(content instanceof Error)) {
        pods.set(name, content);
        this.#problems.delete(path);
        continue;
      }
      // While a file is being written, keep its previous pod. If the file is still invalid at the next listing, the pod
      // is removed.
      if (previous && (isWritten || kind === 'event')) pods.set(name, previous);
      if (isWritten || this.#isRecent(this.#appeared.get(name))) this.#settle();
      else if (content instanceof Error) this.#report(path, content.message);
    }
    this.#pods = pods;
    for (const name of [...this.#written.keys(), ...this.#appeared.keys()])
      if (!names.includes(name)) {
        this.#written.delete(name);
        this.#appeared.delete(name);
      }
    for (const path of this.#problems.keys())
      if (!names.includes(path.slice(directory.length + 1)) && path !== directory) this.#problems.delete(path);
    return true;
  }

  /** Returns undefined for a directory entry that isn't a file or no longer exists. */
  async #readFile(name: string): Promise<ReadFile | undefined> {
    const { directory, nodeName, profile } = this.#options;
    const path = join(directory, name);
    try {
      const facts = await stat(path);
      if (!facts.isFile()) return undefined;
      if (facts.size > maxFileBytes) throw new Error(`is larger than ${maxFileBytes} bytes`);
      const text = await readFile(path, 'utf8');
      return { content: parseStaticPod(text, { path, nodeName, profile }), isWhole: /^\s*\{/.test(text) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      return { content: error as Error, isWhole: false };
    }
  }

  #report(path: string, message: string): void {
    if (this.#problems.get(path) === message) return;
    this.#problems.set(path, message);
    this.#options.onProblem(path, message);
  }

  /** Calls `onPods` with all pods if they changed. If two pods have the same name, the pod in the later file wins. */
  #deliver(): void {
    const pods = [
      ...new Map(
        [...this.#pods.values()].map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod]),
      ).values(),
    ];
    const text = JSON.stringify(pods);
    if (text === this.#delivered) return;
    this.#delivered = text;
    this.#options.onPods(pods);
  }
}
