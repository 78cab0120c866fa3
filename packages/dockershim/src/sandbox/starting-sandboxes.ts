/**
 * Tracks the sandboxes whose RunPodSandbox call hasn't finished. They are also recorded in a directory: if the process
 * is killed during the call, the sandbox has no DNS or network configuration. After a restart it must not be reported
 * as ready, although its container runs.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const idPattern = /^[0-9a-f]{64}$/;

/** Stores the ids of unfinished sandboxes. */
export class StartingSandboxes {
  readonly #directory: string | undefined;
  readonly #ids: Set<string>;
  /** The RunPodSandbox calls in progress in this process. */
  readonly #calls = new Map<string, PromiseWithResolvers<void>>();

  private constructor(directory: string | undefined, ids: readonly string[]) {
    this.#directory = directory;
    this.#ids = new Set(ids);
  }

  /** Opens the set with the sandboxes that earlier processes recorded. Creates the directory if it is missing. */
  static async open(directory: string): Promise<StartingSandboxes> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new StartingSandboxes(
      directory,
      (await readdir(directory)).filter((name) => idPattern.test(name)),
    );
  }

  /** Returns an empty set that isn't stored on disk. */
  static inMemory(): StartingSandboxes {
    return new StartingSandboxes(undefined, []);
  }

  /** The ids in the set. Right after {@link open}, it contains only ids from earlier processes. */
  get all(): readonly string[] {
    return [...this.#ids];
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /**
   * Returns a promise that resolves when the sandbox's RunPodSandbox call has ended; undefined if this process has no
   * such call in progress.
   */
  callEnded(id: string): Promise<void> | undefined {
    return this.#calls.get(id)?.promise;
  }

  /** Adds a sandbox. Call it before the container of the sandbox is started. */
  async begin(id: string): Promise<void> {
    this.#ids.add(id);
    this.#calls.set(id, Promise.withResolvers());
    if (this.#directory !== undefined && idPattern.test(id)) await writeFile(join(this.#directory, id), '');
  }

  /**
   * Records that the sandbox's RunPodSandbox call has ended. If the call failed halfway, the sandbox stays in the set.
   */
  endCall(id: string): void {
    this.#calls.get(id)?.resolve();
    this.#calls.delete(id);
  }

  /** Removes a sandbox from the set, because it is ready or deleted. */
  async end(id: string): Promise<void> {
    if (this.#ids.delete(id) && this.#directory !== undefined && idPattern.test(id))
      await rm(join(this.#directory, id), { force: true });
    this.endCall(id);
  }
}
