/** Writes container logs to files on this machine, so that a kubelet can read them. */
import { LogFile as DiskFile } from '@podscope/cri/log-files';
import type { ContainerLog } from '../containers/container-log.ts';
import { type LogFile, type LogFiles, logFileLine } from '../containers/log-files.ts';

/** Appends every line immediately. The size of a file isn't limited, because the kubelet rotates logs. */
export class AppendedLogFiles implements LogFiles {
  readonly #onFailure: (path: string, error: unknown) => void;

  /**
   * @param onFailure called when a line can't be written; the container continues, and later lines are still written
   */
  constructor(onFailure: (path: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /**
   * Creates a log file.
   * @throws Error when the file can't be created
   */
  async open(path: string, log: ContainerLog): Promise<LogFile> {
    const file = await DiskFile.open(path, (error) => this.#onFailure(path, error));
    log.onLine((line) => void file.append(Buffer.from(logFileLine(line))).catch(() => undefined));
    return {
      reopen: () => file.reopen(),
      end: () => file.close().catch((error: unknown) => this.#onFailure(path, error)),
    };
  }
}
