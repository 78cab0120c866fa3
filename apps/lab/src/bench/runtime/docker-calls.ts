/** Extracts a pod's Docker calls from its spans, so that they can be replayed. */
import type { TraceEvent } from '@podscope/trace';
import { z } from 'zod';

/** One call to the engine, as sent over HTTP. */
export interface DockerCall {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The engine's response. */
  readonly response: unknown;
}

const requestSchema = z.object({ method: z.string(), path: z.string(), body: z.unknown().optional() });

/** Returns the calls in the order in which they began. Calls without an end, such as streams, are omitted. */
export function dockerCalls(events: readonly TraceEvent[]): readonly DockerCall[] {
  const open = new Map<number, Omit<DockerCall, 'endedAt' | 'response'>>();
  const calls: DockerCall[] = [];
  for (const event of events) {
    if (event.type === 'spanStarted' && event.kind === 'docker') {
      const { method, path, body } = requestSchema.parse(event.attributes);
      open.set(event.span, { title: event.title, method, path, body, startedAt: event.time });
    } else if (event.type === 'spanEnded') {
      const call = open.get(event.span);
      if (call) calls.push({ ...call, endedAt: event.time, response: event.attributes?.['response'] });
    }
  }
  return calls.toSorted((a, b) => a.startedAt - b.startedAt);
}

/** Returns the milliseconds during which at least one call was in progress. */
export function busyTime(calls: readonly Pick<DockerCall, 'startedAt' | 'endedAt'>[]): number {
  let busy = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of calls) {
    busy += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return busy;
}
