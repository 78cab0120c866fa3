/** Writes container logs to files on this machine, where a kubelet reads them. */
import { LogFile as DiskFile } from '@podscope/cri/log-files';
import type { ContainerLog } from '../containers/container-log.ts';
import { type LogFile, type LogFiles, logFileLine } from '../containers/log-files.ts';

/** Appends every line immediately. Files have no size limit, because the kubelet rotates them. */
export class AppendedLogFiles implements LogFiles {
  readonly #onFailure: (path: string, error: unknown) => void;

  /** @param onFailure called when a line can't be written; the container and later lines aren't affected */
  constructor(onFailure: (path: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** @throws Error when the file can't be created */
  async open(path: string, log: ContainerLog): Promise<LogFile> {
    const file = await DiskFile.open(path, (error) => this.#onFailure(path, error));
    log.onLine((line) => void file.append(Buffer.from(logFileLine(line))).catch(() => undefined));
    return {
      reopen: () => file.reopen(),
      end: () => file.close().catch((error: unknown) => this.#onFailure(path, error)),
    };
  }
}
