/** Judges claims by the events of a run. */
import type { Instant, TraceEvent } from '@podscope/trace';
import type { Claim, EventPattern, Scene } from './model.ts';

/** The run that is judged. */
interface Run {
  /** When the scenario began. */
  readonly begin: Instant;
  readonly events: readonly TraceEvent[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** True when `value` has all that `pattern` names. A list must contain something like each of the pattern's entries. */
function looksLike(value: unknown, pattern: unknown): boolean {
  if (typeof pattern === 'string' && pattern.startsWith('~')) return typeof value === 'string' && value.includes(pattern.slice(1));
  if (Array.isArray(pattern)) return Array.isArray(value) && pattern.every((entry) => value.some((each) => looksLike(each, entry)));
  if (isRecord(pattern)) return isRecord(value) && Object.entries(pattern).every(([key, wanted]) => looksLike(value[key], wanted));
  return value === pattern;
}

function count(pattern: EventPattern, { begin, events }: Run, [from, to]: readonly [number, number]): number {
  return events.filter((event) => {
    const seconds = (event.time - begin) / 1_000;
    return seconds >= from && seconds <= to && looksLike(event, pattern);
  }).length;
}

/** True when the claim holds of the run as far as it has come. */
export function claimHolds({ happens, never, times, within = [0, Number.POSITIVE_INFINITY] }: Claim, run: Run): boolean {
  if (never) return count(never, run, within) === 0;
  if (!happens) return false;
  const found = count(happens, run, within);
  if (typeof times === 'number') return found === times;
  return found >= (times?.min ?? 1) && found <= (times?.max ?? Number.POSITIVE_INFINITY);
}

/** Index of the option that came true; undefined while none has, or when the run was changed so that several have. */
export function rightOption({ options = [] }: Pick<Scene, 'options'>, run: Run): number | undefined {
  const holding = options.flatMap((claim, index) => (claimHolds(claim, run) ? [index] : []));
  return holding.length === 1 ? holding[0] : undefined;
}
