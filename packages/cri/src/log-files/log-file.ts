/** A log file that a runtime writes. */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const directoryMode = 0o755;
const fileMode = 0o640;
/** So many bytes may wait for the disk before the reader of the log is held up. */
const maxPendingBytes = 1024 * 1024;

async function openFile(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: directoryMode });
  return open(path, 'a', fileMode);
}

/** Appends lines, many at a time; can go on in a new file of the same name. */
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
   * Opens the file to append, with its directories.
   * @param onFailure hears of lines that could not be written, after which it goes on; without it nothing is written any more
   */
  static async open(path: string, onFailure?: (error: unknown) => void): Promise<LogFile> {
    return new LogFile(path, await openFile(path), onFailure);
  }

  /** Adds a line. Resolves at once, or when the disk has caught up. @throws what an earlier write failed with. */
  async append(line: Buffer): Promise<void> {
    this.#pending.push(line);
    this.#pendingBytes += line.length;
    if (this.#pending.length === 1) void this.#enqueue(() => this.#flush());
    if (this.#pendingBytes > maxPendingBytes) await this.#work;
  }

  /** Closes what is open, which has been moved away, and goes on in a new file. What was appended before is in the old one. */
  async reopen(): Promise<void> {
    const next = await openFile(this.#path);
    await this.#enqueue(async () => {
      await this.#flush();
      const old = this.#file;
      this.#file = next;
      await old.close();
    });
  }

  /** Writes what waits, and closes. */
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
    // Told to whoever waits next; unheard it must not end the process.
    done.catch(() => undefined);
    return done;
  }
}
