/**
 * Reads the events of a run for clients, as JSON text in the order of their numbers, from memory or from the archive.
 */
import type { SplitEvent } from '@podscope/protocol';
import type { EventLog, TraceEvent } from '@podscope/trace';
import type { RunInfo } from '@podscope/trace/file';
import type { EventEncoder } from './event-json.ts';

/** Stores the events of the current run for longer than memory does. */
export interface EventArchive {
  /** The number of the oldest stored event; `durableSeq + 1` if none is stored. */
  readonly firstSeq: number;
  /** The number up to which events are stored, even if the process crashes. */
  readonly durableSeq: number;
  /** Makes all events durable. A failed write is retried later. Never throws. */
  commit(): void;
  /** Returns up to `limit` events after the number `seq`, as texts. */
  read(seq: number, limit: number): readonly string[];
  /** Closes the archive at the end of the run. */
  close(): void;
}

/** A run that is recorded. */
export interface ArchivedRun {
  readonly info: RunInfo;
  readonly log: EventLog;
  /** Formats an event as text after masking its secrets. */
  readonly encode: (event: TraceEvent) => string;
}

/** The events that a session reads. */
export interface EventFeed {
  /** The number of the oldest available event. */
  readonly firstSeq: number;
  /** The number of the oldest event in the stream. Clients request older events in pages. */
  readonly startSeq: number;
  readonly lastSeq: number;
  /** Returns up to `limit` events after the number `seq`, the oldest first, as texts. */
  after(seq: number, limit: number): readonly string[];
  /**
   * Like {@link after}, but splits each event in two parts while it is read. Undefined or absent if the events are
   * available only as whole texts.
   */
  splitAfter?(seq: number, limit: number): Iterable<SplitEvent> | undefined;
  /**
   * Calls `listener` when there are new events.
   * @returns a function that unsubscribes
   */
  subscribe(listener: () => void): () => void;
}

/**
 * The events of the current run. The newest are read from memory, older ones from the archive. Only durable events are
 * sent, so a client never receives an event that a crash could lose.
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
    // If writes have failed, events may be missing between the archive and memory. The stream begins after this gap.
    return archive && archive.durableSeq >= this.#log.firstSeq - 1
      ? Math.min(archive.firstSeq, this.#log.firstSeq)
      : this.#log.firstSeq;
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
    return this.#durable(seq, limit).map((event) => this.#encoder.encode(event));
  }

  splitAfter(seq: number, limit: number): Iterable<SplitEvent> | undefined {
    if (seq + 1 < this.#log.firstSeq) return undefined;
    return this.#encoder.split(this.#durable(seq, limit));
  }

  /** Returns events in memory after making them durable. */
  #durable(seq: number, limit: number): readonly TraceEvent[] {
    const archive = this.#archive();
    const events = this.#log.after(seq, limit);
    const last = events.at(-1);
    if (archive && last && last.seq > archive.durableSeq) archive.commit();
    return events;
  }

  subscribe(listener: () => void): () => void {
    return this.#log.subscribe(listener);
  }
}
