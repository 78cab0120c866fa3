/**
 * Writes container logs in CRI's format: `<time> <stream> <tag> <text>`. The tag is F for a full line and P for a
 * partial one.
 */
import type { ContainerLogLine } from '@podscope/cri';
import { formatMicroTime } from '@podscope/trace';
import type { HostFiles } from '../machine/host-files.ts';
import type { ContainerLog } from './container-log.ts';

/** The log file of one container. */
export interface LogFile {
  /** Continues in a new file with the same name, after log rotation has renamed the old one. */
  reopen(): Promise<void>;
  /** Ends the file. Returns a promise while lines are still being written; undefined otherwise. */
  end(): Promise<void> | undefined;
}

/** Creates log files. */
export interface LogFiles {
  /** Creates a file and its directories. All past and future lines of `log` are written to it. */
  open(path: string, log: ContainerLog): Promise<LogFile>;
}

/** Formats one line of a log file, including its line feed. */
export const logFileLine = ({ time, stream, partial, text }: ContainerLogLine): string =>
  `${formatMicroTime(time)} ${stream} ${partial ? 'P' : 'F'} ${text}\n`;

const encoder = new TextEncoder();
const mode = 0o640;

/**
 * Presents a part of a log as the content of a file. The content is computed when it is read, and cached until the log
 * grows.
 */
class LogView {
  readonly #log: ContainerLog;
  readonly #from: number;
  #end: number | undefined;
  #bytes: Uint8Array = new Uint8Array();
  #cachedAt = -1;

  constructor(log: ContainerLog) {
    this.#log = log;
    this.#from = log.next;
  }

  readonly content = (): Uint8Array => {
    const end = this.#end ?? this.#log.next;
    if (end !== this.#cachedAt) {
      this.#bytes = encoder.encode(this.#log.between(this.#from, end).map(logFileLine).join(''));
      this.#cachedAt = end;
    }
    return this.#bytes;
  };

  /** Ends the part and keeps its content, even if the log drops its lines later. */
  close(): void {
    this.content();
    this.#end = this.#cachedAt;
  }
}

/** Shows the logs in memory as files. The size of a file is limited, because a log keeps a limited number of lines. */
export class ShownLogFiles implements LogFiles {
  readonly #files: HostFiles;

  constructor(files: HostFiles) {
    this.#files = files;
  }

  async open(path: string, log: ContainerLog): Promise<LogFile> {
    let view = await this.#show(path, log);
    return {
      reopen: async () => {
        view.close();
        view = await this.#show(path, log);
      },
      end: () => undefined,
    };
  }

  async #show(path: string, log: ContainerLog): Promise<LogView> {
    const view = new LogView(log);
    await this.#files.mkdirAll(path.slice(0, path.lastIndexOf('/')) || '/', 0o755);
    await this.#files.showFile(path, view.content, mode);
    return view;
  }
}
