/** Measures the gzipped size of the files of a built page. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Limits in KiB: the gzipped size of the scripts that the page loads first, and of the engine's worker. */
export const pageBudget = 250;
export const engineBudget = 320;

export interface PageSizes {
  /** Gzipped size in KiB of each file in `assets/`, by name. */
  readonly files: ReadonlyMap<string, number>;
  /** Names of the scripts that index.html references. They load before all optional parts. */
  readonly first: readonly string[];
  /** Name of the worker script that contains the engine. Only the static site has it. */
  readonly engine: string | undefined;
  /** Returns the total size of the named files in KiB. */
  readonly sum: (names: Iterable<string>) => number;
}

/**
 * Returns the sizes of a built page.
 * @param directory contains index.html
 */
export async function pageSizes(directory: string): Promise<PageSizes> {
  const html = await readFile(join(directory, 'index.html'), 'utf8');
  const names = await readdir(join(directory, 'assets'));
  const files = new Map<string, number>();
  for (const name of names)
    files.set(name, (await promisify(gzip)(await readFile(join(directory, 'assets', name)))).byteLength / 1_024);
  // Use a set, because a script that index.html references twice is loaded only once.
  const first = new Set([...html.matchAll(/(?:src|href)="\.?\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name));
  return {
    files,
    first: [...first],
    engine: names.find((name) => name.startsWith('engine.worker')),
    sum: (some) => [...some].reduce((sum, name) => sum + (files.get(name) ?? 0), 0),
  };
}
