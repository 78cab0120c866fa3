/** Replays recorded operations on a back-off. */
import { background, type Clock, type Instant, instant, Tracer } from '@podscope/trace';
import { Backoff } from '../flowcontrol/backoff.ts';
import { type Disagreement, sameJSON } from './compare-rounds.ts';
import type { BackoffVector } from './vectors.ts';

type Operation = BackoffVector['ops'][number];

/** Truncates to nanoseconds, as the recorder's Go code did. */
const instantOf = (seconds: number): Instant => instant(Math.trunc(seconds * 1e9) / 1e6);

/** A clock whose time the replay sets. It runs no timers. */
class SetClock implements Clock {
  #now = instant(0);

  set(seconds: number): void {
    this.#now = instantOf(seconds);
  }

  now(): Instant {
    return this.#now;
  }

  schedule(): never {
    throw new Error('the back-off only reads the clock');
  }
}

function perform(backoff: Backoff, { op, key = '', eventTime = 0 }: Operation): unknown {
  const event = instantOf(eventTime);
  switch (op) {
    case 'next':
      return backoff.next(key, event) / 1000;
    case 'isInBackOffSince':
      return backoff.isInBackOffSince(key, event);
    case 'isInBackOffSinceUpdate':
      return backoff.isInBackOffSinceUpdate(key, event);
    case 'get':
      return backoff.get(key) / 1000;
    case 'reset':
      backoff.reset(key);
      return null;
    case 'gc':
      backoff.gc();
      return [...backoff.entries().keys()].toSorted();
    default:
      return unknownOperation(op);
  }
}

const unknownOperation = (op: never): never => {
  throw new Error(`the recording has an operation that is unknown: ${String(op)}`);
};

/** Returns the state of the key's back-off before the operation. */
function factsOf(backoff: Backoff, { key, eventTime }: Operation, clock: Clock): Record<string, unknown> {
  const entry = key === undefined ? undefined : backoff.entries().get(key);
  return {
    ...(key === undefined ? { keys: backoff.entries().size } : { key, backoff: (entry?.backoff ?? 0) / 1000 }),
    now: clock.now() / 1000,
    ...(entry ? { lastUpdate: entry.lastUpdate / 1000 } : {}),
    ...(eventTime === undefined ? {} : { eventTime }),
  };
}

/**
 * Replays the operations and returns those whose result differs.
 * @param tracer receives each operation
 */
export function backoffDisagreements(
  { initial, max, expireAfter, ops }: BackoffVector,
  tracer: Tracer = new Tracer(),
): Disagreement[] {
  const clock = new SetClock();
  const ctx = background(clock, tracer);
  const backoff = new Backoff(clock, {
    initial: initial * 1000,
    max: max * 1000,
    expireAfter: expireAfter === undefined ? undefined : expireAfter * 1000,
  });
  return ops.flatMap((operation, index) => {
    clock.set(operation.at);
    const facts = tracer.enabled ? factsOf(backoff, operation, clock) : {};
    const got = perform(backoff, operation);
    tracer.decide(ctx, `backoff.${operation.op}`, facts, got);
    return sameJSON(operation.result, got)
      ? []
      : [{ what: `ops[${index}] ${operation.op}`, expected: operation.result, got }];
  });
}
