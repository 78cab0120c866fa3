/** Log files on this machine's disk, for kubelets that read them there. */
import { LogFile as DiskFile } from '@podscope/cri/log-files';
import { type LogFile, type LogFiles, logFileLine } from '../log-files.ts';
import type { ContainerLog } from '../logs.ts';

/** Writes what containers say as they say it. Nothing is forgotten: whoever reads the files rotates them. */
export class AppendedLogFiles implements LogFiles {
  readonly #onFailure: (path: string, error: unknown) => void;

  /** @param onFailure hears of lines that could not be written; their container goes on, and so do the lines after them */
  constructor(onFailure: (path: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** @throws Error when the file can't be made */
  async open(path: string, log: ContainerLog): Promise<LogFile> {
    const file = await DiskFile.open(path, (error) => this.#onFailure(path, error));
    log.onLine((line) => void file.append(Buffer.from(logFileLine(line))).catch(() => undefined));
    return { reopen: () => file.reopen(), end: () => file.close().catch((error: unknown) => this.#onFailure(path, error)) };
  }
}
