/** What a built page weighs on the wire. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Budgets of gzipped script, in KiB: of the page before anything optional, and of the engine beside it. */
export const pageBudget = 250;
export const engineBudget = 350;

export interface PageSizes {
  /** Each file of `assets/` by its name, in KiB, gzipped. */
  readonly files: ReadonlyMap<string, number>;
  /** Scripts that index.html names: all that loads before anything optional. */
  readonly first: readonly string[];
  /** The worker with the engine, of a page that stands alone. */
  readonly engine: string | undefined;
  /** KiB of some of the files together. */
  readonly sum: (names: Iterable<string>) => number;
}

/** @param directory with index.html */
export async function pageSizes(directory: string): Promise<PageSizes> {
  const html = await readFile(join(directory, 'index.html'), 'utf8');
  const names = await readdir(join(directory, 'assets'));
  const files = new Map<string, number>();
  for (const name of names) files.set(name, (await promisify(gzip)(await readFile(join(directory, 'assets', name)))).byteLength / 1_024);
  // A page that names a file twice loads it once.
  const first = new Set([...html.matchAll(/(?:src|href)="\.?\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name));
  return {
    files,
    first: [...first],
    engine: names.find((name) => name.startsWith('engine.worker')),
    sum: (some) => [...some].reduce((sum, name) => sum + (files.get(name) ?? 0), 0),
  };
}
