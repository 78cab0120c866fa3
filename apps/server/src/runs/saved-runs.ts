/**
 * Manages the event store of the server. The store is opened together with the state directory and closed last. If it
 * can't be opened, the server runs without a store.
 */
import type { ArchivedRun, EventArchive, NodeHost } from '@podscope/node';
import type { Clock } from '@podscope/trace';
import type { Logger } from 'pino';
import { EventStore } from '../store/event-store.ts';
import { RunRecorder } from '../store/run-recorder.ts';
import { StoreError } from '../store/store-error.ts';
import type { StoreLimits } from '../store/store-limits.ts';

export interface SavedRunsOptions {
  readonly file: string;
  readonly limits: StoreLimits;
  /** The clock of the store, which must show real time. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Prints a message on the console. */
  readonly notify: (message: string) => void;
}

export class SavedRuns {
  readonly store: EventStore | undefined;
  /** Messages about the store for the page. */
  readonly notices: readonly string[];
  readonly #options: SavedRunsOptions;
  #nodeHost: NodeHost | undefined;

  constructor(options: SavedRunsOptions) {
    this.#options = options;
    const notices: string[] = [];
    const notify = (message: string): void => {
      notices.push(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
      options.notify(message);
    };
    try {
      this.store = EventStore.open({ file: options.file, limits: options.limits, notify: notify });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      notify(`runs are not kept: ${error.message}`);
    }
    this.notices = notices;
  }

  /** Opens the archive of a run; returns undefined if the server has no store. The node calls this for its run. */
  readonly openArchive = (run: ArchivedRun): EventArchive | undefined =>
    this.store &&
    new RunRecorder({ store: this.store, run, clock: this.#options.clock, report: (message) => this.#report(message) });

  /** Makes the commands about runs available to the node's clients. */
  attach(nodeHost: NodeHost): void {
    this.#nodeHost = nodeHost;
    if (this.store) nodeHost.offerRuns(this.store);
  }

  close(): void {
    this.store?.close();
  }

  #report(message: string): void {
    this.#options.notify(message);
    this.#options.logger.warn(message);
    const ctx = this.#nodeHost?.context('store');
    ctx?.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  }
}
