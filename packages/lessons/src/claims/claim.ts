/** Evaluates claims on the events of a run. */
import { isRecord } from '@podscope/base';
import type { Instant, TraceEvent } from '@podscope/trace';
import type { Claim, EventPattern, Scene } from '../model.ts';

/** The run on which claims are evaluated. */
export interface Run {
  /** The start of the scenario. */
  readonly begin: Instant;
  readonly events: readonly TraceEvent[];
}

/**
 * Returns true if `value` contains everything in `pattern`. If the pattern is a list, each of its entries must match an
 * entry of `value`.
 */
export function looksLike(value: unknown, pattern: unknown): boolean {
  if (typeof pattern === 'string' && pattern.startsWith('~'))
    return typeof value === 'string' && value.includes(pattern.slice(1));
  if (Array.isArray(pattern))
    return Array.isArray(value) && pattern.every((entry) => value.some((each) => looksLike(each, entry)));
  if (isRecord(pattern))
    return isRecord(value) && Object.entries(pattern).every(([key, wanted]) => looksLike(value[key], wanted));
  return value === pattern;
}

function count(pattern: EventPattern, { begin, events }: Run, [from, to]: readonly [number, number]): number {
  return events.filter((event) => {
    const seconds = (event.time - begin) / 1_000;
    return seconds >= from && seconds <= to && looksLike(event, pattern);
  }).length;
}

/** Returns true if the claim is true for the events of the run so far. */
export function claimHolds(
  { happens, never, times, within = [0, Number.POSITIVE_INFINITY] }: Claim,
  run: Run,
): boolean {
  if (never) return count(never, run, within) === 0;
  if (!happens) return false;
  const found = count(happens, run, within);
  if (typeof times === 'number') return found === times;
  return found >= (times?.min ?? 1) && found <= (times?.max ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns the index of the option whose claim is true. Returns undefined if no claim is true yet, or if several are,
 * because the user changed the run.
 */
export function rightOption({ options = [] }: Pick<Scene, 'options'>, run: Run): number | undefined {
  const holding = options.flatMap((claim, index) => (claimHolds(claim, run) ? [index] : []));
  return holding.length === 1 ? holding[0] : undefined;
}
