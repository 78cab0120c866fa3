/** Log files on this machine's disk, for kubelets that read them there. */
import { LogFile as DiskFile } from '@podscope/cri/log-files';
import { type LogFile, type LogFiles, logFileLine } from '../log-files.ts';
import type { ContainerLog } from '../logs.ts';

const never = new AbortController().signal;

/** Writes what containers say as they say it. Nothing is forgotten: whoever reads the files rotates them. */
export class AppendedLogFiles implements LogFiles {
  readonly #onFailure: (path: string, error: unknown) => void;

  /** @param onFailure hears of a file that can't be written any more; its container goes on */
  constructor(onFailure: (path: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** @throws Error when the file can't be made */
  async open(path: string, log: ContainerLog): Promise<LogFile> {
    const file = await DiskFile.open(path);
    const written = this.#write(file, log).catch((error: unknown) => this.#onFailure(path, error));
    return { reopen: () => file.reopen(), end: () => written };
  }

  async #write(file: DiskFile, log: ContainerLog): Promise<void> {
    try {
      for await (const line of log.read({ follow: true }, never)) await file.append(Buffer.from(logFileLine(line)));
    } finally {
      await file.close();
    }
  }
}
