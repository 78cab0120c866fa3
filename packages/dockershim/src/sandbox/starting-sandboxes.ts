/**
 * Tracks sandboxes that RunPodSandbox hasn't finished. They are also recorded in a directory: a sandbox that a killed
 * process left there has no DNS or network configuration, so it must not be reported as ready although its container
 * runs.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const idPattern = /^[0-9a-f]{64}$/;

/** The set of unfinished sandboxes. */
export class StartingSandboxes {
  readonly #directory: string | undefined;
  readonly #ids: Set<string>;
  /** RunPodSandbox calls in progress in this process. */
  readonly #calls = new Map<string, PromiseWithResolvers<void>>();

  private constructor(directory: string | undefined, ids: readonly string[]) {
    this.#directory = directory;
    this.#ids = new Set(ids);
  }

  /** Returns the set with the sandboxes recorded by earlier processes. Creates the directory if it is missing. */
  static async open(directory: string): Promise<StartingSandboxes> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new StartingSandboxes(
      directory,
      (await readdir(directory)).filter((name) => idPattern.test(name)),
    );
  }

  /** Returns an empty set that isn't recorded on disk. */
  static inMemory(): StartingSandboxes {
    return new StartingSandboxes(undefined, []);
  }

  /** The ids in the set; right after {@link open}, those of earlier processes. */
  get all(): readonly string[] {
    return [...this.#ids];
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /**
   * Returns a promise for the end of the sandbox's RunPodSandbox call; undefined if none is in progress in this
   * process.
   */
  callEnded(id: string): Promise<void> | undefined {
    return this.#calls.get(id)?.promise;
  }

  /** Adds a sandbox. Must be called before its container is started. */
  async begin(id: string): Promise<void> {
    this.#ids.add(id);
    this.#calls.set(id, Promise.withResolvers());
    if (this.#directory !== undefined && idPattern.test(id)) await writeFile(join(this.#directory, id), '');
  }

  /** Marks the sandbox's RunPodSandbox call as ended. A sandbox that failed half-way stays in the set. */
  endCall(id: string): void {
    this.#calls.get(id)?.resolve();
    this.#calls.delete(id);
  }

  /** Removes a sandbox that is ready or deleted. */
  async end(id: string): Promise<void> {
    if (this.#ids.delete(id) && this.#directory !== undefined && idPattern.test(id))
      await rm(join(this.#directory, id), { force: true });
    this.endCall(id);
  }
}
