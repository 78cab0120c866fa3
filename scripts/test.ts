/**
 * The one command for all checks: prepares the machine, then format, lint, types, boundaries, dead code, unit tests, tests on a real Docker
 * engine, and the product in a real browser. `--only checks,unit` runs a part (checks, unit, docker, e2e).
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { run, show } from './lib/run.ts';
import { buildLocalImages } from './local-images.ts';
import { prepareDocker } from './prepare/docker.ts';
import { prepareKubectl, preparePackages } from './prepare/packages.ts';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, '.cache');

const stages = ['checks', 'unit', 'docker', 'e2e'] as const;
type Stage = (typeof stages)[number];

interface Outcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
}

const checks: readonly (readonly [string, readonly string[]])[] = [
  ['format', ['biome', 'check', '.']],
  ['lint', ['oxlint', '--type-aware']],
  ['types: browser-capable packages', ['tsc', '-p', 'tsconfig.engine.json']],
  ['types: Node and tests', ['tsc', '-p', 'tsconfig.node.json']],
  ['types: page', ['tsc', '-p', 'tsconfig.web.json']],
  ['import boundaries', ['depcruise', 'packages', 'apps', '--config', '.dependency-cruiser.cjs']],
  ['dead code', ['knip']],
  ['dependencies', ['node', 'scripts/dependencies.ts']],
];

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number(), success: z.boolean() });
const playwrightReport = z.object({ stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }) });

// Many tests start servers and command lines: Node keeps what it compiled of them.
const environment: NodeJS.ProcessEnv = { ...process.env, NODE_COMPILE_CACHE: join(cache, 'compiled'), FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };

async function timed(name: string, body: () => Promise<{ passed: number; failed: number }>): Promise<Outcome> {
  const start = performance.now();
  console.log(`\n── ${name}`);
  const counts = await body().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  return { name, ...counts, seconds: (performance.now() - start) / 1000 };
}

async function readReport<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}

const runCheck = (name: string, command: readonly string[]): Promise<Outcome> =>
  timed(name, async () =>
    (await show('pnpm', ['exec', ...command], { cwd: root, env: environment })) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 },
  );

/** @param isQuiet its output is kept until it is over: another stage speaks meanwhile */
const runVitest = (project: string, isQuiet = false): Promise<Outcome> =>
  timed(`tests: ${project}${isQuiet ? ', beside the next stage' : ''}`, async () => {
    const file = join(cache, `vitest-${project}.json`);
    await rm(file, { force: true });
    const command = ['exec', 'vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const options = { cwd: root, env: environment };
    const { code, stdout, stderr } = isQuiet ? await run('pnpm', command, options) : { code: await show('pnpm', command, options), stdout: '', stderr: '' };
    if (isQuiet) console.log(`\n── what the tests of ${project} said\n${stdout}${stderr}`);
    const report = await readReport(file, vitestReport);
    if (!report) throw new Error(`vitest ended with code ${code} and left no report`);
    if (report.numPendingTests > 0) console.error(`${report.numPendingTests} tests were skipped: a skipped test counts as failed`);
    const failed = report.numFailedTests + report.numPendingTests;
    // A file that can't be loaded fails the run without a failed test.
    return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
  });

const runPlaywright = (): Promise<Outcome> =>
  timed('tests: browser', async () => {
    const file = join(cache, 'playwright.json');
    await rm(file, { force: true });
    const code = await show('pnpm', ['exec', 'playwright', 'test'], { cwd: join(root, 'e2e'), env: { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file } });
    const report = await readReport(file, playwrightReport);
    if (!report) throw new Error(`playwright ended with code ${code} and left no report`);
    const failed = report.stats.unexpected + report.stats.skipped;
    if (report.stats.flaky > 0) console.log(`${report.stats.flaky} browser tests passed at the second try only`);
    return { passed: report.stats.expected + report.stats.flaky, failed: failed === 0 && code !== 0 ? 1 : failed };
  });

async function prepare(selected: ReadonlySet<Stage>): Promise<void> {
  await mkdir(cache, { recursive: true });
  if (!selected.has('docker') && !selected.has('e2e')) return;
  await preparePackages();
  await prepareDocker(cache);
  await buildLocalImages();
  environment['PODSCOPE_TEST_KUBECTL'] = (await prepareKubectl(cache)).join(':');
}

function selection(): ReadonlySet<Stage> {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  if (values.only === undefined) return new Set(stages);
  return new Set(values.only.split(',').map((name) => z.enum(stages, { error: `--only takes ${stages.join(', ')}; not ${JSON.stringify(name)}` }).parse(name)));
}

const selected = selection();
await prepare(selected);
const outcomes: Outcome[] = [];
if (selected.has('checks')) for (const [name, command] of checks) outcomes.push(await runCheck(name, command));
// Those on Docker mostly wait for it; the others use the time.
const unit = selected.has('unit') ? runVitest('unit', selected.has('docker')) : undefined;
const docker = selected.has('docker') ? runVitest('docker') : undefined;
for (const stage of [unit, docker]) if (stage) outcomes.push(await stage);
if (selected.has('e2e')) outcomes.push(await runPlaywright());

console.log('\n── summary');
for (const { name, passed, failed, seconds } of outcomes)
  console.log(`${failed === 0 ? '✓' : '✗'} ${name.padEnd(34)} ${passed} passed, ${failed} failed  (${seconds.toFixed(1)} s)`);
const total = (key: 'passed' | 'failed'): number => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;
