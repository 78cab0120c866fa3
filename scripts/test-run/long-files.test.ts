import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { longDockerFiles, longUnitFiles, omittedFiles } from './long-files.ts';

const root = resolve(import.meta.dirname, '../..');

/** The test files of vitest below a directory that read one of the variables of the long tier. */
const readersIn = (directory: string): readonly string[] =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join(directory, file))
    .filter((file) => /process\.env\['PODSCOPE_(?:TEST_LONG|KILLS)'\]/.test(readFileSync(join(root, file), 'utf8')));

const sources = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(folder, name, 'src')),
);
const readers = [...sources, 'e2e/flow'].filter((folder) => existsSync(join(root, folder))).flatMap(readersIn);

it('runs every test file that does more in the long tier', () => {
  expect(readers.length).toBeGreaterThan(5);
  const named = [...longUnitFiles, ...longDockerFiles];
  expect(readers.filter((file) => !named.some((name) => file.startsWith(name)))).toEqual([]);
});

it('names files that exist', () => {
  const named = [...longUnitFiles, ...longDockerFiles, ...omittedFiles([])];
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

it('omits the slow files of packages without a change', () => {
  const omitted = omittedFiles(['packages/kuberuntime/src/sync/sync-pod.ts', 'apps/lab/src/main.ts']);
  expect(omitted).toContain('apps/server/src/relay/contract.test.ts');
  expect(omitted).not.toContain('apps/lab/src/chaos/chaos.test.ts');
});
