/** Reads the log of one container: first the end of the log, then new lines, and earlier pages on request. */
import type { Connection } from '../../node/connection/connection.ts';
import { CommandFailedError } from '../../node/connection/errors.ts';
import { LogBuffer } from './lines/log-buffer.ts';

export interface LogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly previous: boolean;
}

/** Number of lines on a page. */
export const pageLines = 2_000;

export interface LogStatus {
  readonly phase: 'loading' | 'following' | 'ended';
  /** Error that ended the log. */
  readonly problem: string | undefined;
}

interface LogFeedOptions {
  readonly connection: Pick<Connection, 'command' | 'followLogs'>;
  readonly request: LogRequest;
  /** Returns the node's time for a line that the page inserts. */
  readonly now: () => number;
  readonly buffer?: LogBuffer;
}

export class LogFeed {
  readonly request: LogRequest;
  readonly buffer: LogBuffer;
  readonly #connection: LogFeedOptions['connection'];
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #status: LogStatus = { phase: 'loading', problem: undefined };
  #stop: (() => void) | undefined;
  /** Number of the line that the followed instance will send next. */
  #total = 0;
  /** Number of instances that were followed before the current one. */
  #restarts = 0;
  #isPaging = false;

  constructor({ connection, request, now, buffer = new LogBuffer() }: LogFeedOptions) {
    this.#connection = connection;
    this.request = request;
    this.#now = now;
    this.buffer = buffer;
  }

  get status(): LogStatus {
    return this.#status;
  }

  /** Number of lines that the followed instance has sent. */
  get total(): number {
    return this.#total;
  }

  /** Number of earlier lines that can be loaded. It is 0 if the node no longer has the instance of these lines. */
  get earlier(): number {
    return this.#restarts > 1 ? 0 : this.buffer.earlier;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    const stop = this.buffer.subscribe(listener);
    return () => {
      this.#listeners.delete(listener);
      stop();
    };
  }

  /**
   * Reads the last page and follows the log.
   * @param divider text of the line that separates two instances after a restart
   */
  start(divider: string): void {
    this.stop();
    const abort = new AbortController();
    let stopFollowing: (() => void) | undefined;
    this.#stop = () => {
      abort.abort();
      stopFollowing?.();
    };
    const { previous, ...names } = this.request;
    const isRestart = this.buffer.lines.length > 0;
    const read = async (): Promise<void> => {
      try {
        const { lines, total } = await this.#connection.command<'logPage'>(
          { command: 'logPage', ...this.request, limit: pageLines },
          abort.signal,
        );
        if (abort.signal.aborted) return;
        if (isRestart) {
          this.#restarts++;
          this.buffer.divide(this.#now(), divider);
        }
        this.buffer.add(lines, lines[0]?.number ?? 0);
        this.#total = total;
        if (previous) {
          this.#show({ phase: 'ended', problem: undefined });
          return;
        }
        this.#show({ phase: 'following', problem: undefined });
        stopFollowing = this.#connection.followLogs(
          { command: 'followLogs', ...names, fromLine: total },
          (added, end) => {
            this.buffer.add(added, this.#total);
            this.#total += added.length;
            this.#show({ phase: end ? 'ended' : 'following', problem: undefined });
          },
          (error) => this.#fail(error),
        );
      } catch (error) {
        if (!abort.signal.aborted) this.#fail(error);
      }
    };
    void read();
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Loads the page before the first loaded line. */
  async loadEarlier(): Promise<void> {
    const { earlier } = this;
    if (earlier === 0 || this.#isPaging) return;
    this.#isPaging = true;
    try {
      const from = Math.max(0, earlier - pageLines);
      const { lines } = await this.#connection.command<'logPage'>({
        command: 'logPage',
        ...this.request,
        // Lines from before a restart belong to the previous instance.
        previous: this.request.previous || this.#restarts === 1,
        from,
        limit: earlier - from,
      });
      this.buffer.prepend(lines, from);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isPaging = false;
    }
  }

  #fail(error: unknown): void {
    this.#show({ phase: 'ended', problem: error instanceof CommandFailedError ? error.message : undefined });
  }

  #show(status: LogStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}
