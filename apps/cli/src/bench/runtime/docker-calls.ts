/** The Docker calls that a pod became, taken from its spans, so that they can be made again by hand. */
import type { TraceEvent } from '@podscope/trace';
import { z } from 'zod';

/** One call of the engine, as it went over the wire. */
export interface DockerCall {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What the engine answered. */
  readonly response: unknown;
}

const requestSchema = z.object({ method: z.string(), path: z.string(), body: z.unknown().optional() });

/** In the order in which they began. Calls without an end, streams, are left out. */
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

/** Milliseconds in which at least one of the calls was under way. */
export function busyTime(calls: readonly Pick<DockerCall, 'startedAt' | 'endedAt'>[]): number {
  let busy = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of calls) {
    busy += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return busy;
}
