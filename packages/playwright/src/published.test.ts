/**
 * Tests the package as it would be published: the build contains its exports, a user's code compiles against the types,
 * and it runs.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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
  publishConfig: z.object({
    exports: z.record(z.enum(['.', './site']), z.object({ types: z.string(), default: z.string() })),
  }),
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-kit-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('exports types and code that work outside of the repository', { timeout: 120_000 }, async () => {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const { default: main } = manifest.publishConfig.exports['.'];
  expect(manifest.files).toEqual(['dist']);
  // The package is installed next to its dependencies, as a package manager does it.
  const installed = join(directory, 'node_modules/@podscope/playwright');
  await mkdir(installed, { recursive: true });
  await run(tsc, ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')]);
  await writeFile(
    join(installed, 'package.json'),
    JSON.stringify({ name: '@podscope/playwright', type: 'module', exports: manifest.publishConfig.exports }),
  );
  for (const name of ['@playwright', 'zod'])
    await symlink(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  const code = await readFile(join(installed, main), 'utf8');
  // The build must need nothing of the repository: no workspace package and no TypeScript file.
  expect(code + (await readFile(join(installed, 'dist/fixtures.js'), 'utf8'))).not.toMatch(/@podscope\/|\.ts['"]/);
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(directory, 'stranger.ts'),
    `import { expect, test } from '@podscope/playwright';
import { type PodscopeSite, servePodscopeSite } from '@podscope/playwright/site';
import { defineConfig } from '@playwright/test';
import type { PodscopeOptions } from '@podscope/playwright';
export default defineConfig<object, PodscopeOptions>({
  use: { podscopeServer: { runtime: 'docker', args: ['--profile', 'v1.20'] }, podscopeSite: 'site' },
});
export const site: Promise<PodscopeSite> = servePodscopeSite('site', { base: '/school/' });
test('x', async ({ podscope }) => {
  await podscope.playScenario('crash-loop', { seed: 1 });
  await expect(podscope.pod('web')).toBeInBackOff({ seconds: 10 });
  await podscope.delete('web', { gracePeriodSeconds: 0 });
  const kubeconfig: string | undefined = podscope.kubeconfig;
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
  // The package doesn't contain the server, so the error must explain how to specify one.
  const { PODSCOPE_ROOT: _, ...env } = process.env;
  const start = "import('@podscope/playwright').then((kit) => kit.startPodscopeServer())";
  await expect(run(process.execPath, ['-e', start], { cwd: directory, env })).rejects.toThrow(
    /not part of this package: name one in podscopeServer.root/,
  );
});

it('has documentation whose examples are run as tests', async () => {
  const documentation = await readFile(resolve(root, '../../docs/playwright.md'), 'utf8');
  const examples = documentation.match(/^test\([\s\S]*?^\}\);$/gm) ?? [];
  expect(examples.length).toBeGreaterThanOrEqual(2);
  const tests = await readFile(resolve(root, '../../e2e/web/kit.spec.ts'), 'utf8');
  for (const example of examples) expect(tests).toContain(example);
});
