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
  // The build must not import from the repository: no workspace package and no TypeScript file.
  expect(code + (await readFile(join(installed, 'dist/fixtures.js'), 'utf8'))).not.toMatch(/@podscope\/|\.ts['"]/);
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(directory, 'stranger.ts'),
    `import {
  expect, test,
  type Duration, type FaultInput, type KubernetesObject, type PodCondition, type PodscopeOptions,
} from '@podscope/playwright';
import { type PodscopeSite, servePodscopeSite } from '@podscope/playwright/site';
import { defineConfig } from '@playwright/test';
export default defineConfig<PodscopeOptions>({
  use: {
    podscopeServer: { runtime: 'docker', args: ['--profile', 'v1.20'] },
    podscopeSite: 'site',
    podscopeSpeed: 10,
    podscopeReport: 'on',
  },
});
export const site: Promise<PodscopeSite> = servePodscopeSite('site', { base: '/school/' });
const pod: KubernetesObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
const fault: FaultInput = { at: 'cri.PullImage', fail: { grpc: 'NotFound', message: 'x' } };
const crashed: PodCondition = { pod: 'web', status: 'CrashLoopBackOff', restarts: 2 };
const within: Duration = '1m30s';
test.use({ podscopeSpeed: 2, podscopeServer: { simulation: { seed: 3 } } });
test('x', async ({ podscope }) => {
  await podscope.playScenario('crash-loop', { seed: 1 });
  await expect(podscope.pod('web')).toBeInBackOff({ seconds: 10 });
  await podscope.delete('web', { gracePeriodSeconds: 0 });
  // @ts-expect-error there is no such phase
  await expect(podscope.pod('web')).toReachPhase('Flying');
});
test('y', async ({ node, faults, breakpoints, kubeconfig }) => {
  const path: string = kubeconfig;
  await faults.set(fault);
  await breakpoints.set(['cri.StartContainer', { point: path }]);
  const [first] = await node.apply([pod, 'kind: List']);
  const name: string | undefined = first?.name;
  await node.runUntil(crashed, { within });
  await node.runUntil(({ pods }) => pods.every(({ isGone }) => isGone));
  await node.advance('2h');
  await node.delete([name ?? 'web']);
  // @ts-expect-error a duration has a unit
  await node.advance('90');
  // @ts-expect-error a condition names its pod
  await node.runUntil({ ready: true });
  // @ts-expect-error there is no such option
  test.use({ podscopeSped: 2 });
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
    /add the package podscope to devDependencies, or name a checkout in podscopeServer.root/,
  );
});

it('has documentation whose examples are run as tests', async () => {
  const documentation = await readFile(resolve(root, '../../docs/use/playwright.md'), 'utf8');
  const examples = documentation.match(/^test\([\s\S]*?^\}\);$/gm) ?? [];
  expect(examples.length).toBeGreaterThanOrEqual(5);
  const files = [
    'e2e/web/integrations/kit.spec.ts',
    'e2e/web/integrations/kit-node.spec.ts',
    'examples/dashboard/tests/dashboard.spec.ts',
  ];
  const tests = (await Promise.all(files.map((file) => readFile(resolve(root, '../..', file), 'utf8')))).join('\n');
  for (const example of examples) expect(tests).toContain(example);
});
