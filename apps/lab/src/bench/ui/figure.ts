/** Defines a measured figure and how it is printed. */

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Largest acceptable value; undefined if the figure is informational. */
  readonly limit?: number;
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
  const { what, value, unit, limit } = figure;
  const mark = limit === undefined ? '    ' : meets(figure) ? 'ok  ' : 'MISS';
  console.log(
    `${mark} ${what.padEnd(66)} ${shown(value).padStart(9)} ${unit.padEnd(6)} ` +
      (limit === undefined ? '' : `(≤ ${limit.toLocaleString('en')})`),
  );
}

/** Returns the value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
