/** How much script the page loads: before anything optional, and the largest parts that come later. */
import { pageBudget, pageSizes } from '../../commands/page-sizes.ts';
import type { Figure } from './figure.ts';

/** Parts told beside the first load. */
const mostParts = 4;

export async function bundleFigures(directory: string): Promise<readonly Figure[]> {
  const { files, first, sum } = await pageSizes(directory);
  const later = [...files].filter(([name]) => name.endsWith('.js') && !first.includes(name)).toSorted((a, b) => b[1] - a[1]);
  return [
    { what: 'page: script before anything optional, gzipped', value: sum(first), unit: 'KiB', limit: pageBudget },
    ...later.slice(0, mostParts).map(([name, value]) => ({ what: `  later, when it is needed: ${name.replace(/-[\w-]{8}\.js$/, '')}`, value, unit: 'KiB' })),
  ];
}
