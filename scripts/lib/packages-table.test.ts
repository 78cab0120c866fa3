import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');
const manifest = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

/**
 * Returns the packages of the workspace on which each package depends, except `base`. If there are many, returns a note
 * instead of their names.
 */
async function dependencies(): Promise<Readonly<Record<string, string>>> {
  const folders = await Promise.all(
    ['packages', 'apps'].map(async (parent) => (await readdir(join(root, parent))).map((name) => `${parent}/${name}`)),
  );
  const rows = [...folders.flat(), 'e2e'].map(async (folder) => {
    const text = await readFile(join(root, folder, 'package.json'), 'utf8');
    const names = Object.keys(manifest.parse(JSON.parse(text)).dependencies).flatMap((name) =>
      name.startsWith('@podscope/') && name !== '@podscope/base' ? [name.slice('@podscope/'.length)] : [],
    );
    return [folder, names.length > 10 ? 'most packages' : names.toSorted().join(', ') || '–'];
  });
  return Object.fromEntries(await Promise.all(rows));
}

it('lists in docs/develop/architecture.md every package and app with the packages that it depends on', async () => {
  const page = await readFile(join(root, 'docs/develop/architecture.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `((?:packages|apps)\/[^`/]+|e2e)` +\|[^|]*\|([^|]*)\|/gm)];
  const listed = rows.map(([, folder = '', imports = '']) => [folder, imports.trim()] as const);
  expect(new Map(listed).size).toBe(listed.length);
  expect(Object.fromEntries(listed)).toEqual(await dependencies());
});
