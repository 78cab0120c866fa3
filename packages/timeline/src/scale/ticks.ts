/** Computes the ticks of the time axis at round times. */
import type { Viewport } from './viewport.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[0.001, 0.01, 0.1, 1, 10, 100].flatMap((unit) => [unit, 2 * unit, 5 * unit]),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * day),
];

/** Returns the smallest round step that is at least `ms` long. */
export const roundStep = (ms: number): number => steps.find((step) => step >= ms) ?? 365 * day;

export interface Ticks {
  readonly step: number;
  readonly times: readonly number[];
}

/**
 * Returns ticks at least `leastMs` apart, at whole multiples of a round step from `origin`. The origin is the zone's
 * midnight for clock times (minus the zone's offset), and the zero for relative times.
 */
export function ticks({ start, end }: Viewport, leastMs: number, origin: number): Ticks {
  const step = roundStep(leastMs);
  const times: number[] = [];
  const first = Math.ceil((start - origin) / step);
  const last = Math.floor((end - origin) / step);
  for (let n = first; n <= last; n++) times.push(origin + n * step);
  return { step, times };
}
