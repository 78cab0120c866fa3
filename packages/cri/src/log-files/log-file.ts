/** Appends to log files in CRI's format. */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const directoryMode = 0o755;
const fileMode = 0o640;
/** How many bytes may be pending before `append` waits for the disk. */
const maxPendingBytes = 1024 * 1024;

async function openFile(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: directoryMode });
  return open(path, 'a', fileMode);
}

/** A log file that is written in batches and can be reopened after a rotation. */
export class LogFile {
  readonly #path: string;
  #file: FileHandle;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #work: Promise<void> = Promise.resolve();
  readonly #onFailure: ((error: unknown) => void) | undefined;

  private constructor(path: string, file: FileHandle, onFailure: ((error: unknown) => void) | undefined) {
    this.#path = path;
    this.#file = file;
    this.#onFailure = onFailure;
  }

  /**
   * Opens the file for appending; creates its directories.
   * @param onFailure receives write errors, and writing continues; if absent, the first write error ends all writing
   */
  static async open(path: string, onFailure?: (error: unknown) => void): Promise<LogFile> {
    return new LogFile(path, await openFile(path), onFailure);
  }

  /**
   * Adds a line. Resolves at once unless too many bytes are pending.
   * @throws the error of an earlier write
   */
  async append(line: Buffer): Promise<void> {
    this.#pending.push(line);
    this.#pendingBytes += line.length;
    if (this.#pending.length === 1) void this.#enqueue(() => this.#flush());
    if (this.#pendingBytes > maxPendingBytes) await this.#work;
  }

  /** Closes the renamed file and continues in a new one. Lines that were added before are written to the old file. */
  async reopen(): Promise<void> {
    const next = await openFile(this.#path);
    await this.#enqueue(async () => {
      await this.#flush();
      const old = this.#file;
      this.#file = next;
      await old.close();
    });
  }

  /** Writes pending lines and closes the file. */
  async close(): Promise<void> {
    await this.#enqueue(async () => {
      await this.#flush();
      await this.#file.close();
    });
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    await this.#file.appendFile(bytes).catch((error: unknown) => {
      if (!this.#onFailure) throw error;
      this.#onFailure(error);
    });
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const done = this.#work.then(task);
    this.#work = done;
    // The next caller receives the error. Without a next caller, the rejection must not end the process.
    done.catch(() => undefined);
    return done;
  }
}
