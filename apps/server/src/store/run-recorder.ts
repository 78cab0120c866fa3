/**
 * Writes the current run to the store in batches. An event is written at most 8 ms after it was appended. Events are
 * written before they are sent to a client, so an event that a client has received is never lost. The recorder has no
 * queue, because the event log contains the unwritten events.
 */
import type { ArchivedRun, EventArchive } from '@podscope/node';
import type { Clock, Milliseconds, Timer } from '@podscope/trace';
import { isDamage } from './database.ts';
import type { EventStore, RunInWriting } from './event-store.ts';

/** The maximum delay of an event, in milliseconds. A delay lets several events be written in one transaction. */
const batchDelay: Milliseconds = 8;
/** The maximum number of events in one transaction. */
const maxBatch = 4_096;
/** The delay after which a failed write is retried. */
const retryDelay: Milliseconds = 5_000;

export interface RunRecorderOptions {
  readonly store: EventStore;
  readonly run: ArchivedRun;
  /** True if an earlier process wrote the beginning of the run. The log then continues after the last stored event. */
  readonly continues?: boolean;
  /** The clock for delays, which must show real time. */
  readonly clock: Clock;
  /** Prints a message when the store fails, and when it works again. */
  readonly report: (message: string) => void;
}

/** Writes the current run to the store. */
export class RunRecorder implements EventArchive {
  readonly #options: RunRecorderOptions;
  #run: RunInWriting;
  #unsubscribe: () => void;
  #timer: Timer | undefined;
  #firstSeq: number;
  #durableSeq: number;
  #failing = false;
  #closed = false;

  constructor(options: RunRecorderOptions) {
    this.#options = options;
    const { store, run, continues } = options;
    const before = continues ? store.continueRun(run.info.id, () => this.commit()) : undefined;
    this.#firstSeq = before?.firstSeq ?? run.log.firstSeq;
    this.#durableSeq = before?.lastSeq ?? this.#firstSeq - 1;
    this.#run = before ?? store.beginRun(run.info, () => this.commit());
    this.#unsubscribe = run.log.subscribe(() => {
      this.#timer ??= this.#schedule(batchDelay);
    });
    this.commit();
  }

  get firstSeq(): number {
    return this.#closed || this.#failing
      ? this.#firstSeq
      : Math.max(this.#firstSeq, this.#options.store.firstSeqOf(this.#run));
  }

  get durableSeq(): number {
    return this.#durableSeq;
  }

  commit(): void {
    if (this.#closed || this.#failing) return;
    this.#write();
  }

  read(seq: number, limit: number): readonly string[] {
    return this.#closed ? [] : this.#options.store.readEvents(this.#run.key, seq, limit);
  }

  close(): void {
    if (this.#closed) return;
    this.#write();
    this.#closed = true;
    this.#unsubscribe();
    this.#timer?.cancel();
    const { log } = this.#options.run;
    try {
      const [last] = log.after(log.lastSeq - 1);
      this.#options.store.endRun(this.#run, 'ended', last?.time);
    } catch {
      // The failure was already reported, and the run stays marked as interrupted.
    }
  }

  #schedule(delay: Milliseconds): Timer {
    return this.#options.clock.schedule(delay, () => {
      this.#timer = undefined;
      this.#write();
    });
  }

  #write(): void {
    const { store, run, report } = this.#options;
    try {
      while (this.#durableSeq < run.log.lastSeq) {
        const events = run.log.after(this.#durableSeq, maxBatch);
        const [first] = events;
        if (!first) return;
        if (first.seq > this.#durableSeq + 1) {
          this.#giveUp(first.seq);
          return;
        }
        store.append(this.#run, first.seq, events.map(run.encode));
        this.#durableSeq = first.seq + events.length - 1;
      }
      if (!this.#failing) return;
      this.#failing = false;
      report('The event store can be written again: events are kept.');
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #onFailure(error: unknown): void {
    const { store, run, report } = this.#options;
    if (isDamage(error)) {
      try {
        store.reopen();
        // Write all events that are still in memory to the new file.
        this.#firstSeq = run.log.firstSeq;
        this.#durableSeq = this.#firstSeq - 1;
        this.#run = store.beginRun(run.info, () => this.commit());
      } catch {
        // After a failure, the code below schedules another attempt.
      }
    }
    this.#timer ??= this.#schedule(retryDelay);
    if (this.#failing) return;
    this.#failing = true;
    report(
      `The event store cannot be written (${(error as Error).message}): events stay in memory, and it is tried again.`,
    );
  }

  /** Stops recording if the log has dropped events that weren't written yet, because a run must not have gaps. */
  #giveUp(seq: number): void {
    this.#options.report(
      `The event store could not be written for too long: events ${this.#durableSeq + 1} to ${seq - 1} are ` +
        'lost, and what follows is not kept.',
    );
    this.#unsubscribe();
    this.#closed = true;
    this.#options.store.endRun(this.#run, 'interrupted', undefined);
  }
}
