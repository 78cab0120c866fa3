/**
 * Writes keyframes to the store. A keyframe contains the pods as of an event, so that a long run can be opened in its
 * middle. Keyframes are derived from the written events, in which secrets are already masked.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { eventKey } from './database.ts';

/** The number of events between keyframes. */
export const keyframeEvery = 10_000;

const object = z.record(z.string(), z.unknown());
const podEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('podChanged'), pod: z.string(), operation: z.string(), object }),
  z.object({ type: z.literal('podStatus'), pod: z.string(), status: object }),
]);

const identified = z.object({ metadata: z.object({ uid: z.string() }) });

/** Tracks the pods of one run. */
export class PodObjects {
  readonly #pods = new Map<string, Record<string, unknown>>();

  /** @param pods the pods of a keyframe */
  constructor(pods: readonly Record<string, unknown>[] = []) {
    for (const pod of pods) {
      const { data } = identified.safeParse(pod);
      if (data) this.#pods.set(data.metadata.uid, pod);
    }
  }

  /**
   * Applies an event.
   * @param text the event as JSON; it is parsed only if it concerns a pod object
   */
  take(text: string): void {
    if (!text.includes('"type":"pod')) return;
    const { data: event } = podEventSchema.safeParse(JSON.parse(text));
    if (event?.type === 'podStatus') {
      const pod = this.#pods.get(event.pod);
      if (pod) this.#pods.set(event.pod, { ...pod, status: event.status });
    } else if (event?.operation === 'DELETED') this.#pods.delete(event.pod);
    else if (event) this.#pods.set(event.pod, event.object);
  }

  toJSON(): readonly Record<string, unknown>[] {
    return [...this.#pods.values()];
  }
}

export interface Keyframe {
  /** Number of the event after which the keyframe was taken. */
  readonly seq: number;
  /** v1.Pod objects. */
  readonly pods: readonly Record<string, unknown>[];
}

export class Keyframes {
  readonly #insert: StatementSync;
  readonly #find: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT OR REPLACE INTO keyframes (key, text) VALUES (?, ?)');
    this.#find = database.prepare(
      'SELECT key, text FROM keyframes WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1',
    );
  }

  add(run: number, seq: number, pods: PodObjects): void {
    this.#insert.run(eventKey(run, seq), JSON.stringify(pods));
  }

  /** Returns the last keyframe before event `seq`. */
  before(run: number, seq: number): Keyframe | undefined {
    const row = z
      .object({ key: z.number(), text: z.string() })
      .safeParse(this.#find.get(eventKey(run, 0), eventKey(run, seq))).data;
    return row && { seq: row.key - eventKey(run, 0), pods: z.array(object).parse(JSON.parse(row.text)) };
  }
}
