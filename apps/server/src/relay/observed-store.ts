/**
 * Stores the run of an observed node and continues it after a restart. A debugger that crashed or was stopped shows the
 * earlier calls again.
 */
import { readFileSync } from 'node:fs';
import { errorMessage } from '@podscope/base';
import type { ArchivedRun, EventArchive } from '@podscope/node';
import { systemClock } from '@podscope/node';
import { isPod, readSavedState, type SavedState } from '@podscope/observer';
import { instant, type TraceEvent, type UnstampedEvent } from '@podscope/trace';
import type { RunInfo } from '@podscope/trace/file';
import type { ContinuedRun, Keeping } from '../observe/index.ts';
import { writePrivately } from '../state/state-directory.ts';
import { EventStore } from '../store/event-store.ts';
import { retainedWithStore as keptInMemory } from '../store/retained.ts';
import { RunRecorder } from '../store/run-recorder.ts';
import { defaultRunsAge } from '../store/store-limits.ts';

/** The time for which other runs than the observed one are kept, in milliseconds: as for Podscope's own kubelet. */
const maxAge = defaultRunsAge * 24 * 3_600_000;

interface ObservedStoreOptions {
  /** The file of the database. */
  readonly file: string;
  /** The file of what the observer remembers. */
  readonly memory: string;
  /** The maximum size of all events, in bytes. Above it, the oldest events of the observed run are deleted. */
  readonly maxBytes: number;
  /** Prints a message on the console. */
  readonly notify: (message: string) => void;
}

export class ObservedStore {
  readonly store: EventStore;
  readonly #notify: (message: string) => void;
  readonly #memory: string;
  #hasReported = false;

  /** @throws StoreError if the store's file can't be used */
  constructor({ file, memory, maxBytes, notify }: ObservedStoreOptions) {
    this.#notify = notify;
    this.#memory = memory;
    this.store = EventStore.open({ file, limits: { maxBytes, maxAge, continues: true }, notify });
  }

  /** Returns the newest run that was observed and stored here; undefined if the store has no such run. */
  last(): ContinuedRun | undefined {
    const run = this.store.list().find(({ observed, imported }) => observed !== undefined && !imported);
    if (!run) return undefined;
    const events: TraceEvent[] = [];
    for (let after = Math.max(run.firstSeq - 1, run.lastSeq - keptInMemory); after < run.lastSeq; ) {
      const { texts } = this.store.textPage(run.id, { after, limit: keptInMemory });
      if (texts.length === 0) break;
      for (const text of texts) events.push(JSON.parse(text) as TraceEvent);
      after = events.at(-1)?.seq ?? run.lastSeq;
    }
    return {
      id: run.id,
      startedAt: run.startedAt,
      events,
      pods: this.#podsOf(run.id, run.lastSeq),
      state: this.#state(),
    };
  }

  #podsOf(id: string, lastSeq: number): ContinuedRun['pods'] {
    const pods: readonly unknown[] = lastSeq === 0 ? [] : this.store.continueRun(id).pods.toJSON();
    return pods.filter(isPod);
  }

  /** Reads what the observer remembered. Without it, the observation continues with the runtime's own lists. */
  #state(): SavedState | undefined {
    try {
      return readSavedState(JSON.parse(readFileSync(this.#memory, 'utf8')));
    } catch {
      // The file doesn't exist yet, or its write was interrupted.
      return undefined;
    }
  }

  /** Saves what the observer remembers. Reports the first failure. */
  async remember(state: SavedState): Promise<void> {
    await writePrivately(this.#memory, JSON.stringify(state)).catch((error: unknown) => {
      if (!this.#hasReported) this.#notify(`${this.#memory} cannot be written: ${errorMessage(error)}`);
      this.#hasReported = true;
    });
  }

  /** Opens the archive of a run. */
  openArchive(run: ArchivedRun, continues: boolean): EventArchive {
    return new RunRecorder({ store: this.store, run, continues, clock: systemClock(), report: this.#notify });
  }

  /** Updates the stored description of a run, for example with the kubelet's release. */
  describe(id: string, info: Partial<RunInfo>): void {
    this.store.describeRun(id, info);
  }

  close(): void {
    this.store.close();
  }
}

/** Connects the host of an observed node to a store. The newest run in the store continues. */
export function keepingOf(stored: ObservedStore): Keeping {
  const continued = stored.last();
  return {
    library: stored.store,
    continued,
    open: (run) => stored.openArchive(run, continued !== undefined),
    describe: (id, info) => stored.describe(id, info),
    remember: (state) => stored.remember(state),
  };
}

/** Returns events that end everything that an earlier process left open: spans without an end, and stops. */
export function endingsOf(events: readonly TraceEvent[], now: number): readonly UnstampedEvent[] {
  const open = new Map<number, TraceEvent>();
  const stops = new Map<string, TraceEvent>();
  for (const event of events) {
    if (event.type === 'spanStarted') open.set(event.span, event);
    else if (event.type === 'spanEnded') open.delete(event.span);
    else if (event.type === 'stopped') stops.set(event.thread, event);
    else if (event.type === 'continued') stops.delete(event.thread);
  }
  const last = events.at(-1)?.time ?? now;
  const since = new Date(instant(last)).toISOString();
  const until = new Date(now).toISOString();
  const place = ({ thread, pod }: TraceEvent) => ({ thread, ...(pod === undefined ? {} : { pod }) });
  return [
    ...[...stops.values()].map((event) => ({ ...place(event), type: 'continued', reason: 'shutdown' })),
    ...[...open]
      .toReversed()
      .map(([span, event]) => ({ ...place(event), type: 'spanEnded', span, outcome: 'canceled' })),
    {
      type: 'output',
      thread: 'debugger',
      level: 'warning',
      message: `The debugger did not run from ${since} to ${until}: calls of that time are missing.`,
    },
  ] as unknown as readonly UnstampedEvent[];
}
