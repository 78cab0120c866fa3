/** What dockershim may cost at most, and how the measured is told beside it. */
import { type Figure, meets } from '../ui/figure.ts';

/** Start and removal of a pod together, as a multiple of the same Docker calls made by hand. */
export const aims = { inProcess: 1.1, overGrpc: 1.15 } as const;

/** Both ratios with what they have to be at most. @param ratios start and removal together, to the calls by hand */
export const ratioFigures = ({ inProcess, overGrpc }: Readonly<Record<keyof typeof aims, number>>): readonly Figure[] => [
  { what: '(a) dockershim in process, start and removal together', value: inProcess, unit: '×', limit: aims.inProcess },
  { what: '(b) dockershim over gRPC, start and removal together', value: overGrpc, unit: '×', limit: aims.overGrpc },
];

/** A line for one of them; `MISS` where it is above its aim. A ratio is told to a thousandth. */
export function judged(figure: Figure): string {
  const { what, value, unit, limit } = figure;
  return `${meets(figure) ? 'ok  ' : 'MISS'} ${what.padEnd(54)} ${unit}${value.toFixed(3)} (≤ ${limit?.toFixed(2)})`;
}
