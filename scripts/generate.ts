/**
 * Generates the files that are derived from other sources: the source lines of the points, the reference
 * documentation, and the list of licenses. Tests and checks fail if one of these files is out of date.
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { referenceDocuments } from './docs/reference/reference-documents.ts';
import { installedPackages, licensesDocument } from './lib/licenses.ts';
import { findPointSources, pointSourcesModule } from './lib/point-sources.ts';

const root = resolve(import.meta.dirname, '..');

/** The generators of the files' content, by path. */
const files = new Map<string, () => string | Promise<string>>([
  ['packages/debugger/src/point-sources.generated.ts', async () => pointSourcesModule(await findPointSources())],
  ...referenceDocuments,
  ['docs/reference/licenses.md', async () => licensesDocument(await installedPackages())],
]);

const [wanted] = process.argv.slice(2);
for (const [path, make] of files) {
  if (wanted !== undefined && !path.includes(wanted)) continue;
  await writeFile(join(root, path), await make());
  console.log(path);
}
