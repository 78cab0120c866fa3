/** The files that containers' output is kept in, in CRI's format: `<time> <stream> <tag> <text>`, tag F for a whole line, P when more of it follows. */
import type { ContainerLogLine } from '@podscope/cri';
import { formatMicroTime } from '@podscope/trace';
import type { HostFiles } from './host-files.ts';
import type { ContainerLog } from './logs.ts';

/** The file that one container writes. */
export interface LogFile {
  /** What comes from now on goes to a new file of the same name: the old one has been moved away. */
  reopen(): Promise<void>;
  /** The container has ended. A promise is there where something has still to be written. */
  end(): Promise<void> | undefined;
}

/** Where log files are kept. */
export interface LogFiles {
  /** Begins a file, with its directories; what the container has written and will write is in there. */
  open(path: string, log: ContainerLog): Promise<LogFile>;
}

/** One line of a log file, with its line feed. */
export const logFileLine = ({ time, stream, partial, text }: ContainerLogLine): string => `${formatMicroTime(time)} ${stream} ${partial ? 'P' : 'F'} ${text}\n`;

const encoder = new TextEncoder();
const mode = 0o640;

/** A part of a log as a file: made when it is read, and again only when there is more of it. */
class LogView {
  readonly #log: ContainerLog;
  readonly #from: number;
  #end: number | undefined;
  #bytes: Uint8Array = new Uint8Array();
  #madeAt = -1;

  constructor(log: ContainerLog) {
    this.#log = log;
    this.#from = log.next;
  }

  readonly content = (): Uint8Array => {
    const end = this.#end ?? this.#log.next;
    if (end !== this.#madeAt) {
      this.#bytes = encoder.encode(this.#log.between(this.#from, end).map(logFileLine).join(''));
      this.#madeAt = end;
    }
    return this.#bytes;
  };

  /** Nothing more comes; what is there stays, also when the log forgets it. */
  close(): void {
    this.content();
    this.#end = this.#madeAt;
  }
}

/** Files that stand among the node's own and show what the log keeps: a container that talks for days does not fill the memory. */
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
