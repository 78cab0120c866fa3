/** Defines the limits for dockershim's overhead and formats the measured ratios. */
import { type Figure, meets } from '../ui/figure.ts';

/** Limits for start and removal of a pod together, as a multiple of the same Docker calls made directly. */
export const aims = { inProcess: 1.1, overGrpc: 1.15 } as const;

/**
 * Returns two figures with their limits, in process and over gRPC. Each is the time of start and removal together, as a
 * multiple of the time of the direct calls.
 */
export const ratioFigures = ({
  inProcess,
  overGrpc,
}: Readonly<Record<keyof typeof aims, number>>): readonly Figure[] => [
  { what: '(a) dockershim in process, start and removal together', value: inProcess, unit: '×', limit: aims.inProcess },
  { what: '(b) dockershim over gRPC, start and removal together', value: overGrpc, unit: '×', limit: aims.overGrpc },
];

/** Formats a figure as a line that starts with `MISS` if it is above its limit. Ratios have three decimals. */
export function judged(figure: Figure): string {
  const { what, value, unit, limit } = figure;
  return `${meets(figure) ? 'ok  ' : 'MISS'} ${what.padEnd(54)} ${unit}${value.toFixed(3)} (≤ ${limit?.toFixed(2)})`;
}
