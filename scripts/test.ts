/**
 * The one command for all checks: prepares the machine, then format, lint, types, boundaries, dead code, unit tests, tests on a real Docker
 * engine, and the product in a real browser. `--only checks,unit` runs a part (checks, unit, docker, e2e).
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { show } from './lib/run.ts';
import { type Failure, runVitest } from './lib/vitest.ts';
import { buildLocalImages } from './local-images.ts';
import { prepareDocker } from './prepare/docker.ts';
import { prepareKubectl, preparePackages } from './prepare/packages.ts';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, '.cache');

const stages = ['checks', 'unit', 'docker', 'e2e'] as const;
type Stage = (typeof stages)[number];

/** More than these fail for a reason that a second try does not change. */
const maxSecondTries = 20;

interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** What failed, to be tried again and to be told at the end. */
  readonly failures?: readonly Failure[];
}

interface Outcome extends Counts {
  readonly name: string;
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

const playwrightReport = z.object({ stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }) });

// Many tests start servers and command lines: Node keeps what it compiled of them.
const environment: NodeJS.ProcessEnv = { ...process.env, NODE_COMPILE_CACHE: join(cache, 'compiled'), FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };

async function timed(name: string, body: () => Promise<Counts>): Promise<Outcome> {
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

const runTests = (project: 'unit' | 'docker', isQuiet = false): Promise<Outcome> =>
  timed(`tests: ${project}${isQuiet ? ', beside the next stage' : ''}`, async () => {
    const { passed, skipped, failures } = await runVitest(project, { cwd: root, env: environment, report: join(cache, `vitest-${project}.json`), isQuiet });
    if (skipped > 0) console.error(`${skipped} tests were skipped: a skipped test counts as failed`);
    return { passed, failed: failures.length + skipped, failures };
  });

/**
 * A machine that is busy with something else gets a second chance, and it is told: the files of what failed run once more when nothing else does.
 * @returns the outcome with what passed now counted as passed
 */
async function tryAgain(project: 'unit' | 'docker', outcome: Outcome): Promise<Outcome> {
  const first = outcome.failures ?? [];
  if (first.length === 0 || first.length > maxSecondTries) return outcome;
  const files = [...new Set(first.map(({ file }) => file))];
  console.log(`\n── tests: ${project}, once more what failed`);
  const report = join(cache, `vitest-${project}-again.json`);
  const again = await runVitest(project, { cwd: root, env: environment, report, files }).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
  });
  if (!again) return outcome;
  const isSame = (a: Failure, b: Failure) => a.file === b.file && a.test === b.test;
  const isStill = (failure: Failure) => again.failures.some((each) => isSame(each, failure) || (each.file === failure.file && each.test === undefined));
  const flaky = first.filter((failure) => failure.test !== undefined && !isStill(failure));
  const added = again.failures.filter((each) => !first.some((failure) => isSame(each, failure)));
  for (const failure of flaky) tell('passed at the second try only', failure);
  return {
    ...outcome,
    passed: outcome.passed + flaky.length,
    failed: outcome.failed - flaky.length + added.length,
    failures: [...first.filter((failure) => !flaky.includes(failure)), ...added],
  };
}

/** Without the frames of other people's code. */
const shortened = (message: string): string =>
  message
    .split('\n')
    .filter((line) => !line.includes('node_modules') && !line.includes('at new Promise'))
    .slice(0, 30)
    .join('\n');

const tell = (what: string, { file, test, message }: Failure): void =>
  console.log(`\n${what}: ${file}${test === undefined ? '' : ` › ${test}`}\n${shortened(message)}`);

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
const unit = selected.has('unit') ? runTests('unit', selected.has('docker')) : undefined;
const docker = selected.has('docker') ? runTests('docker') : undefined;
const tests = { unit: await unit, docker: await docker };
const browser = selected.has('e2e') ? await runPlaywright() : undefined;
for (const project of ['unit', 'docker'] as const) {
  const outcome = tests[project];
  if (outcome) outcomes.push(await tryAgain(project, outcome));
}
if (browser) outcomes.push(browser);

console.log('\n── summary');
for (const { name, passed, failed, seconds } of outcomes)
  console.log(`${failed === 0 ? '✓' : '✗'} ${name.padEnd(34)} ${passed} passed, ${failed} failed  (${seconds.toFixed(1)} s)`);
for (const failure of outcomes.flatMap(({ failures = [] }) => failures)) tell('failed', failure);
const total = (key: 'passed' | 'failed'): number => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;
