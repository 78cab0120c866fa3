/**
 * Sandboxes that RunPodSandbox is at work on. They are noted in a directory too: what a process leaves there that is killed in the middle was
 * never finished (its DNS, its network), and must not pass for ready because its container runs.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const idPattern = /^[0-9a-f]{64}$/;

/** Knows them. */
export class StartingSandboxes {
  readonly #directory: string | undefined;
  readonly #ids: Set<string>;

  private constructor(directory: string | undefined, ids: readonly string[]) {
    this.#directory = directory;
    this.#ids = new Set(ids);
  }

  /** With what an earlier process left in the directory, which is made if missing. */
  static async open(directory: string): Promise<StartingSandboxes> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new StartingSandboxes(
      directory,
      (await readdir(directory)).filter((name) => idPattern.test(name)),
    );
  }

  /** Remembered by this process only. */
  static inMemory(): StartingSandboxes {
    return new StartingSandboxes(undefined, []);
  }

  /** Those of an earlier process, right after {@link open}. */
  get all(): readonly string[] {
    return [...this.#ids];
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** To be called before the sandbox's container is started. */
  async begin(id: string): Promise<void> {
    this.#ids.add(id);
    if (this.#directory !== undefined && idPattern.test(id)) await writeFile(join(this.#directory, id), '');
  }

  /** The sandbox is ready, or gone. */
  async end(id: string): Promise<void> {
    if (!this.#ids.delete(id)) return;
    if (this.#directory !== undefined && idPattern.test(id)) await rm(join(this.#directory, id), { force: true });
  }
}
