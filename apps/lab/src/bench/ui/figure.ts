/** Defines a measured figure, the median of several runs, and how figures are printed. */
import { loadavg } from 'node:os';

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Largest acceptable value; undefined if the figure is informational. */
  readonly limit?: number;
  /** Load average of the machine in the minute before the end of the measurement. */
  readonly load?: number;
}

export const meets = ({ value, limit }: Figure): boolean => limit === undefined || value <= limit;

const shown = (value: number): string =>
  Number.isNaN(value)
    ? '–'
    : value >= 1_000
      ? Math.round(value).toLocaleString('en')
      : value >= 100
        ? value.toFixed(0)
        : value.toFixed(1);

export function printFigure(figure: Figure): void {
  const { what, value, unit, limit, load } = figure;
  const mark = limit === undefined ? '    ' : meets(figure) ? 'ok  ' : 'MISS';
  console.log(
    `${mark} ${what.padEnd(66)} ${shown(value).padStart(9)} ${unit.padEnd(6)} ` +
      `${(limit === undefined ? '' : `(≤ ${limit.toLocaleString('en')})`).padEnd(9)} ` +
      (load === undefined ? '' : `load ${load.toFixed(1)}`),
  );
}

/** Returns the percentile: the given share of the values is at or below it. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Measures several times. Returns each figure's median, with the mean load of the machine. */
export async function medianOf(runs: number, measure: () => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  const all: Figure[][] = [];
  for (let run = 0; run < runs; run++) {
    const figures = await measure();
    all.push(figures.map((figure) => ({ ...figure, load: loadavg()[0] ?? Number.NaN })));
  }
  return (all[0] ?? []).map((figure) => {
    const same = all.flatMap((figures) => figures.filter(({ what }) => what === figure.what));
    const load = same.reduce((sum, each) => sum + (each.load ?? 0), 0) / same.length;
    return { ...figure, value: median(same.map(({ value }) => value)), load };
  });
}
