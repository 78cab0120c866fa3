/** Measures the script that the page loads first, and the largest parts that load later. */
import { pageBudget, pageSizes } from '@podscope/cli/page-sizes';
import type { Figure } from './figure.ts';

/** Number of later parts to report. */
const mostParts = 4;

export async function bundleFigures(directory: string): Promise<readonly Figure[]> {
  const { files, first, sum } = await pageSizes(directory);
  const later = [...files]
    .filter(([name]) => name.endsWith('.js') && !first.includes(name))
    .toSorted((a, b) => b[1] - a[1]);
  return [
    { what: 'page: script before anything optional, gzipped', value: sum(first), unit: 'KiB', limit: pageBudget },
    ...later.slice(0, mostParts).map(([name, value]) => ({
      what: `  later, when it is needed: ${name.replace(/-[\w-]{8}\.js$/, '')}`,
      value,
      unit: 'KiB',
    })),
  ];
}
