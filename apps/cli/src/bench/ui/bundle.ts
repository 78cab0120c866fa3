/** How much script the page loads: before anything optional, and the largest parts that come later. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Figure } from './figure.ts';

/** Parts told beside the first load. */
const mostParts = 4;

export async function bundleFigures(directory: string): Promise<readonly Figure[]> {
  const html = await readFile(join(directory, 'index.html'), 'utf8');
  const sizes = new Map<string, number>();
  for (const name of await readdir(join(directory, 'assets'))) {
    if (name.endsWith('.js')) sizes.set(name, gzipSync(await readFile(join(directory, 'assets', name))).byteLength / 1024);
  }
  const first = [...html.matchAll(/(?:src|href)="\.?\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
  const later = [...sizes].filter(([name]) => !first.includes(name)).toSorted((a, b) => b[1] - a[1]);
  return [
    { what: 'page: script before anything optional, gzipped', value: first.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0), unit: 'KiB', limit: 250 },
    ...later.slice(0, mostParts).map(([name, value]) => ({ what: `  later, when it is needed: ${name.replace(/-[\w-]{8}\.js$/, '')}`, value, unit: 'KiB' })),
  ];
}
