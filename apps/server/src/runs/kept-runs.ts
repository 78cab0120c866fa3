/** The event store as the server uses it: opened with the state directory, written by the cluster, closed last. Without it the server runs on. */
import type { ArchivedRun, Cluster, EventArchive } from '@podscope/cluster';
import type { Clock } from '@podscope/trace';
import type { Logger } from 'pino';
import { EventStore } from '../store/event-store.ts';
import type { StoreLimits } from '../store/retention.ts';
import { RunRecorder } from '../store/run-recorder.ts';
import { StoreError } from '../store/store-error.ts';

export interface KeptRunsOptions {
  readonly file: string;
  readonly limits: StoreLimits;
  /** Real time. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Something the person at the console should read. */
  readonly notify: (message: string) => void;
}

/** Events in memory when older ones can be had from the store. */
export const retainedWithStore = 50_000;

export class KeptRuns {
  readonly store: EventStore | undefined;
  /** What the page should say of it. */
  readonly notices: readonly string[];
  readonly #options: KeptRunsOptions;
  #cluster: Cluster | undefined;

  constructor(options: KeptRunsOptions) {
    this.#options = options;
    const notices: string[] = [];
    const say = (message: string): void => {
      notices.push(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
      options.notify(message);
    };
    try {
      this.store = EventStore.open({ file: options.file, limits: options.limits, notify: say });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      say(`runs are not kept: ${error.message}`);
    }
    this.notices = notices;
  }

  /** For the cluster's options. */
  readonly openArchive = (run: ArchivedRun): EventArchive | undefined =>
    this.store && new RunRecorder({ store: this.store, run, clock: this.#options.clock, report: (message) => this.#report(message) });

  /** Gives the cluster's clients the commands about runs. */
  attach(cluster: Cluster): void {
    this.#cluster = cluster;
    if (this.store) cluster.offerRuns(this.store);
  }

  close(): void {
    this.store?.close();
  }

  #report(message: string): void {
    this.#options.notify(message);
    this.#options.logger.warn(message);
    const ctx = this.#cluster?.context('store');
    ctx?.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  }
}
