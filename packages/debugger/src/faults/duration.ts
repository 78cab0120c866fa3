/** Lengths of time as people write them. */
import type { Milliseconds } from '@podscope/trace';

const units: Readonly<Record<string, Milliseconds>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `250ms`, `1.5s`, `2m`, or milliseconds. The protocol's schema has let only such values in. */
export function toMilliseconds(duration: number | string): Milliseconds {
  if (typeof duration === 'number') return duration;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration);
  return Number(match?.[1] ?? 0) * (units[match?.[2] ?? 'ms'] ?? 1);
}
