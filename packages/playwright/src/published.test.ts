/** What a published package would hold: built, it has what its exports name, and a stranger's code compiles against its types. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');
const tsc = resolve(root, '../../node_modules/.bin/tsc');

const manifestSchema = z.object({
  files: z.array(z.string()),
  publishConfig: z.object({ exports: z.object({ '.': z.object({ types: z.string(), default: z.string() }) }) }),
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-kit-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('has types and exports that a stranger can use', { timeout: 120_000 }, async () => {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const { types, default: main } = manifest.publishConfig.exports['.'];
  await run(tsc, ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(directory, 'dist')]);
  expect(manifest.files).toEqual(['dist']);
  const code = await readFile(join(directory, main), 'utf8');
  // Nothing of the repository is needed: no workspace package, no TypeScript file.
  expect(code + (await readFile(join(directory, 'dist/fixtures.js'), 'utf8'))).not.toMatch(/@podscope\/|\.ts['"]/);
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  await writeFile(
    join(directory, 'stranger.ts'),
    `import { expect, test } from './${types.replace(/^\.\//, '').replace(/\.d\.ts$/, '.js')}';
test('x', async ({ podscope }) => {
  await podscope.playScenario('crash-loop', { seed: 1 });
  await expect(podscope.pod('web')).toBeInBackOff({ seconds: 10 });
  // @ts-expect-error there is no such phase
  await expect(podscope.pod('web')).toReachPhase('Flying');
});
`,
  );
  const strict = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
    '--typeRoots',
    resolve(root, '../../node_modules/@types'),
  ];
  await run(tsc, [...strict, join(directory, 'stranger.ts')], { cwd: directory }).catch((error: unknown) => {
    throw new Error((error as { readonly stdout?: string }).stdout ?? String(error));
  });
});
