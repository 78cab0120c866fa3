/**
 * Verifies a store after its process was killed: every event that a client has received must be stored once and
 * unchanged.
 */
import { EventStore } from '../event-store.ts';

/** The messages that one client of a killed process received. */
export interface Deliveries {
  /** Id of the run; undefined if the client didn't receive the welcome message. */
  readonly run: string | undefined;
  /** Each event as JSON, by its number. */
  readonly events: ReadonlyMap<number, string>;
}

/** Parses the messages that a client received. @throws Error for a duplicate event */
export function readDeliveries(messages: readonly string[]): Deliveries {
  const events = new Map<number, string>();
  let run: string | undefined;
  for (const text of messages) {
    const message = JSON.parse(text) as { node?: { run: string }; events?: { seq: number }[] };
    run ??= message.node?.run;
    for (const event of message.events ?? []) {
      if (events.has(event.seq)) throw new Error(`event ${event.seq} was delivered twice`);
      events.set(event.seq, JSON.stringify(event));
    }
  }
  return { run, events };
}

/**
 * Opens the store as the next process would, and compares it with the messages that the client received. Returns the
 * number of events in the run of the killed process.
 * @param kept the last event of each earlier run; updated by this function
 * @throws Error that describes the first difference
 */
export function verifyStore(file: string, { run, events }: Deliveries, kept: Map<string, number>): number {
  const complain = (message: string): never => {
    throw new Error(message);
  };
  const store = EventStore.open({ file, limits: { maxBytes: 1e12, maxAge: 1e15 }, notify: complain });
  try {
    const runs = new Map(store.list().map((summary) => [summary.id, summary]));
    for (const [id, lastSeq] of kept) {
      if (runs.get(id)?.lastSeq !== lastSeq)
        complain(`run ${id} ended at ${lastSeq} and now ends at ${runs.get(id)?.lastSeq}`);
    }
    for (const { id, lastSeq, state } of runs.values()) {
      if (state !== 'interrupted') complain(`run ${id} is ${state}`);
      kept.set(id, lastSeq);
    }
    const summary = run === undefined ? undefined : runs.get(run);
    const seen = Math.max(0, ...events.keys());
    if (seen > (summary?.lastSeq ?? 0))
      complain(`events up to ${seen} were delivered, and ${summary?.lastSeq} are there`);
    if (!summary) return 0;
    let seq = 0;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = store.textPage(summary.id, { after, limit: 2_000 });
      for (const text of page.texts) {
        const event = JSON.parse(text) as { seq: number };
        if (event.seq !== ++seq) complain(`event ${event.seq} stands where ${seq} should`);
        const delivered = events.get(seq);
        if (delivered !== undefined && delivered !== JSON.stringify(event))
          complain(`event ${seq} is not what was delivered`);
      }
      after = page.next;
    }
    if (seq !== summary.lastSeq) complain(`${seq} events are there, not ${summary.lastSeq}`);
    return seq;
  } finally {
    store.close();
  }
}
