/**
 * Tracks the sandboxes whose RunPodSandbox call hasn't finished. They are also recorded in a directory: if the process
 * is killed during the call, the sandbox has no DNS or network configuration. After a restart it must not be reported
 * as ready, although its container runs.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRandomized } from '../objects/names.ts';

const idPattern = /^[0-9a-f]{64}$/;

/**
 * Returns true if `name` is the requested name, or its randomized form. A creation uses the randomized form if the
 * engine has lost a container with the original name.
 */
const hasName = (name: string, requested: string): boolean => name === requested || isRandomized(name, requested);

/** Stores the ids of unfinished sandboxes. */
export class StartingSandboxes {
  readonly #directory: string | undefined;
  readonly #ids: Set<string>;
  /** The RunPodSandbox calls in progress in this process. */
  readonly #calls = new Map<string, PromiseWithResolvers<void>>();
  /** The sandbox containers that are being created, whose ids aren't known yet. */
  readonly #creations = new Set<{ readonly name: string; readonly ended: Promise<void> }>();

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
   * @param name the Docker name of the sandbox's container. The engine reports a new container before it answers the
   * create request, so only its name is known then.
   */
  callEnded(id: string, name: string): Promise<void> | undefined {
    const call = this.#calls.get(id);
    return call ? call.promise : this.#creationOf(name)?.ended.then(() => this.#calls.get(id)?.promise);
  }

  /** Returns true for a sandbox in the set, and for one that is being created under this Docker name. */
  isStarting(id: string, name: string): boolean {
    return this.#ids.has(id) || this.#creationOf(name) !== undefined;
  }

  #creationOf(name: string): { readonly ended: Promise<void> } | undefined {
    return [...this.#creations].find((creation) => hasName(name, creation.name));
  }

  /**
   * Records that a sandbox's container is about to be created. Call the returned function after {@link begin}, or when
   * the creation has failed.
   */
  expect(name: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const creation = { name, ended: promise };
    this.#creations.add(creation);
    return () => {
      this.#creations.delete(creation);
      resolve();
    };
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
