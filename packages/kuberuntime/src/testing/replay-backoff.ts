/** Gives recorded operations to the back-off. */
import { type Clock, type Instant, instant } from '@podscope/trace';
import { Backoff } from '../flowcontrol/backoff.ts';
import { type Disagreement, sameJSON } from './compare-rounds.ts';
import type { BackoffVector } from './vectors.ts';

type Operation = BackoffVector['ops'][number];

/** Cut to the nanosecond, as the recorder's Go did. */
const instantOf = (seconds: number): Instant => instant(Math.trunc(seconds * 1e9) / 1e6);

/** A clock that is set, and never runs a timer. */
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
  throw new Error(`the recording has an operation that is not known here: ${String(op)}`);
};

/** Every operation whose result differs. */
export function backoffDisagreements({ initial, max, expireAfter, ops }: BackoffVector): Disagreement[] {
  const clock = new SetClock();
  const backoff = new Backoff(clock, { initial: initial * 1000, max: max * 1000, expireAfter: expireAfter === undefined ? undefined : expireAfter * 1000 });
  return ops.flatMap((operation, index) => {
    clock.set(operation.at);
    const got = perform(backoff, operation);
    return sameJSON(operation.result, got) ? [] : [{ what: `ops[${index}] ${operation.op}`, expected: operation.result, got }];
  });
}
