/** The events of a run as clients are sent them: JSON text in the order of their numbers, from wherever they are kept. */
import type { EventLog, TraceEvent } from '@podscope/trace';
import type { RunInfo } from '@podscope/trace/file';
import type { EventEncoder } from './event-json.ts';

/** Keeps the events of the run that goes on, longer than memory does. */
export interface EventArchive {
  /** Number of the oldest event it holds; `durableSeq + 1` when it holds none. */
  readonly firstSeq: number;
  /** Events up to this number outlive the process, however it ends. */
  readonly durableSeq: number;
  /** Makes everything that has happened durable. What can't be written is tried again later: this does not throw. */
  commit(): void;
  /** Up to `limit` events after number `seq`, as text. */
  read(seq: number, limit: number): readonly string[];
  /** The run has ended. */
  close(): void;
}

/** A run that is about to be kept. */
export interface ArchivedRun {
  readonly info: RunInfo;
  readonly log: EventLog;
  /** An event as it is sent and kept: secrets are out of it. */
  readonly encode: (event: TraceEvent) => string;
}

/** What a session reads from. */
export interface EventFeed {
  /** The oldest event there is. */
  readonly firstSeq: number;
  /** The oldest event that a client is sent unasked: what is older it gets by page. */
  readonly startSeq: number;
  readonly lastSeq: number;
  /** Up to `limit` events after number `seq`, oldest first, as text. */
  after(seq: number, limit: number): readonly string[];
  /** Calls `listener` when there are new events; the returned function ends that. */
  subscribe(listener: () => void): () => void;
}

/**
 * The run that goes on: the newest events from memory, older ones from the archive. An event is acknowledged by being sent, and nothing is
 * sent that is not durable first.
 */
export class LiveFeed implements EventFeed {
  readonly #log: EventLog;
  readonly #encoder: EventEncoder;
  readonly #archive: () => EventArchive | undefined;

  constructor(log: EventLog, encoder: EventEncoder, archive: () => EventArchive | undefined = () => undefined) {
    this.#log = log;
    this.#encoder = encoder;
    this.#archive = archive;
  }

  get firstSeq(): number {
    const archive = this.#archive();
    // An archive that lags behind memory (it could not be written for long) has a hole: what is before it can't be gone on from.
    return archive && archive.durableSeq >= this.#log.firstSeq - 1 ? Math.min(archive.firstSeq, this.#log.firstSeq) : this.#log.firstSeq;
  }

  get startSeq(): number {
    return this.#log.firstSeq;
  }

  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  after(seq: number, limit: number): readonly string[] {
    const archive = this.#archive();
    if (seq + 1 < this.#log.firstSeq) return archive?.read(seq, Math.min(limit, this.#log.firstSeq - 1 - seq)) ?? [];
    const events = this.#log.after(seq, limit);
    const last = events.at(-1);
    if (archive && last && last.seq > archive.durableSeq) archive.commit();
    return events.map((event) => this.#encoder.encode(event));
  }

  subscribe(listener: () => void): () => void {
    return this.#log.subscribe(listener);
  }
}
