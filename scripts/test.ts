/**
 * Runs every check and test: prepares the machine, then runs the checks (format, lint, types, boundaries, dead code,
 * prose), unit tests, tests on Docker, and browser tests. Where it may, it runs the tests in test machines, each with
 * an empty Docker engine.
 *
 * `--only checks,unit` selects stages (checks, unit, docker, e2e; and long, which takes too long for every run).
 * `--changed` runs only what the changes since `--base` (default: main) affect: the checks of the changed files, and
 * the unit tests but a few slow ones, which it names.
 */
import { mkdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { chromiumPath } from '../e2e/support/page/chromium.ts';
import { errorMessage } from '../packages/base/src/index.ts';
import { listBrowserTests, runPlaywright } from './lib/playwright.ts';
import { must, run, showPrefixed } from './lib/run.ts';
import {
  type Failure,
  type NotRunnable,
  programFailure,
  runVitest,
  type TestCounts,
  type VitestOptions,
  withoutInstalledFrames,
} from './lib/vitest.ts';
import { buildLocalImages } from './local-images.ts';
import { prepareCodeServer } from './prepare/code-server.ts';
import { engineOfContext, prepareDocker } from './prepare/docker.ts';
import { prepareOldestNode } from './prepare/oldest-node.ts';
import { prepareKubectl, preparePackages } from './prepare/packages.ts';
import { startTestMachine, whyNoTestMachine } from './test-machine/namespaces.ts';
import { type Capability, whyNotRunnable } from './test-run/capabilities.ts';
import { detectMachine } from './test-run/detect-machine.ts';
import { needsOfFile } from './test-run/file-needs.ts';
import { longDockerFiles, longUnitFiles, omittedFiles } from './test-run/long-files.ts';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, '.cache');

const defaultStages = ['checks', 'unit', 'docker', 'e2e'] as const;
const stages = [...defaultStages, 'long'] as const;
type Stage = (typeof stages)[number];

interface Outcome extends Partial<TestCounts> {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Processor time in seconds; absent if it isn't known. */
  readonly processorSeconds?: number | undefined;
}

type Check = readonly [name: string, command: readonly string[]];

/** The linter also checks types, because it reads the same programs as TypeScript. */
const allChecks: readonly Check[] = [
  ['format', ['biome', 'check', '.']],
  ['lint and types', ['oxlint', '--type-aware', '--type-check']],
  ['import boundaries', ['depcruise', 'packages', 'apps', '--config', '.dependency-cruiser.cjs']],
  ['dead code', ['knip']],
  ['prose', ['node', 'scripts/prose.ts']],
  ['dependencies', ['node', 'scripts/dependencies.ts']],
];

/**
 * Returns the checks of what changed. Settings and dependencies affect every file. Lint and types of all files are
 * checked, because a changed type affects others. @param files relative to the root
 */
function checksOf(files: readonly string[]): readonly Check[] {
  if (files.some((file) => !file.includes('/') && /\.(jsonc?|yaml|cjs)$/.test(file))) return allChecks;
  const code = files.filter((file) => /\.(tsx?|mjs)$/.test(file));
  const roots = new Set(code.flatMap((file) => /^(?:packages|apps)\/[^/]+/.exec(file)?.[0] ?? []));
  const isPackageChanged = files.some((file) => file.endsWith('package.json'));
  return allChecks.flatMap(([name, command]): readonly Check[] => {
    if (name === 'format') return [[name, ['biome', 'check', '--no-errors-on-unmatched', ...files]]];
    if (name === 'import boundaries')
      return roots.size === 0 ? [] : [[name, ['depcruise', ...roots, '--config', '.dependency-cruiser.cjs']]];
    if (name === 'prose') {
      const prose = files.filter((file) => /\.(tsx?|md)$/.test(file));
      return prose.length === 0 ? [] : [[name, [...command, ...prose]]];
    }
    if (name === 'dependencies') return isPackageChanged ? [[name, command]] : [];
    return code.length === 0 && !isPackageChanged ? [] : [[name, command]];
  });
}

const binaries = join(root, 'node_modules/.bin');
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${binaries}:${process.env['PATH'] ?? ''}`,
  // Let Node cache compiled code, because many tests start servers and command lines.
  NODE_COMPILE_CACHE: join(cache, 'compiled'),
  FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
};

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, changed: { type: 'boolean' }, base: { type: 'string', default: 'main' } },
});

function selection(): ReadonlySet<Stage> {
  if (options.only === undefined) return new Set(options.changed ? ['checks', 'unit'] : defaultStages);
  return new Set(
    options.only
      .split(',')
      .map((name) =>
        z.enum(stages, { error: `--only takes ${stages.join(', ')}; not ${JSON.stringify(name)}` }).parse(name),
      ),
  );
}

/** The outcome of a stage that failed without a failed test. */
const failed = (name: string, message: string) => ({
  passed: 0,
  failed: 1,
  failures: [{ file: name, test: undefined, message }],
});

async function timed(name: string, body: () => Promise<Omit<Outcome, 'name' | 'seconds'>>): Promise<Outcome> {
  const start = performance.now();
  console.log(`── ${name}`);
  const counts = await body().catch((error: unknown) => {
    console.error(errorMessage(error));
    return failed(name, errorMessage(error));
  });
  return { name, ...counts, seconds: (performance.now() - start) / 1000 };
}

/** Runs a program that passes or fails as a whole. */
async function runProgram(prefix: string, name: string, [program = '', ...args]: readonly string[]): Promise<Outcome> {
  return timed(name, async () => {
    const result = await showPrefixed(prefix, program, args, { cwd: root, env: environment });
    return result.code === 0 ? { passed: 1, failed: 0 } : failed(name, programFailure(program, result));
  });
}

async function runChecks(checks: readonly Check[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [name, command] of checks) outcomes.push(await runProgram('checks │ ', name, command));
  return outcomes;
}

/** Runs tests in a separate test machine. If that isn't possible, runs them directly on this machine. */
async function runTests(
  name: string,
  tests: (options: VitestOptions) => Promise<TestCounts>,
  {
    env: more = {},
    args = [],
    hasEngine = true,
  }: { env?: NodeJS.ProcessEnv; args?: readonly string[]; hasEngine?: boolean } = {},
): Promise<Outcome> {
  return timed(name, async () => {
    const id = name.replaceAll(/\W+/g, '-');
    const common = { root, explain, report: join(cache, `report-${id}.json`), args };
    const env = { ...environment, ...more };
    if (!isolated) return judge(await tests({ ...common, env }));
    const machine = await startTestMachine(hasEngine ? { dockerdLog: join(cache, `dockerd-${id}.log`) } : {});
    machines.add(machine.close);
    try {
      const inside = machine.environment(env);
      if (hasEngine) {
        const [program, ...rest] = machine.inside([process.execPath, join(root, 'scripts/local-images.ts')]);
        await must(program, rest, { env: inside });
      }
      const counts = await tests({ ...common, env: inside, inside: machine.inside });
      return { ...judge(counts), processorSeconds: await machine.processorSeconds() };
    } finally {
      await machine.close();
      machines.delete(machine.close);
    }
  });
}

const explain: VitestOptions['explain'] = (file, needs) =>
  whyNotRunnable(facts, [...needsOfFile(file), ...(needs as readonly Capability[])]);

/** A skipped test without a reason counts as failed. */
const judge = (counts: TestCounts): Omit<Outcome, 'name' | 'seconds'> => ({
  ...counts,
  failed: counts.failures.length + counts.skipped.length,
});

const vitest = (project: string) => (settings: VitestOptions) => runVitest(project, settings);

const browser = (settings: VitestOptions): Promise<TestCounts> =>
  chromiumPath() === undefined ? listBrowserTests(settings, 'Chromium is not installed') : runPlaywright(settings);

/** Runs the tests that are too slow for every run. */
async function runLong(): Promise<readonly Outcome[]> {
  const chaosCommand = ['node', 'apps/lab/src/main.ts', 'chaos', '--runs', '1000'];
  const chaos = await runProgram('chaos │ ', 'long: chaos on the simulator', chaosCommand);
  const oldestNode = await prepareOldestNode(cache);
  const codeServer = process.env['PODSCOPE_CODE_SERVER'] ?? (await prepareCodeServer(cache)) ?? '';
  const env = { PODSCOPE_TEST_LONG: '1', PODSCOPE_KILLS: '50' };
  return [
    chaos,
    await runTests('long: unit', vitest('unit'), {
      env: { ...env, PODSCOPE_OLDEST_NODE: oldestNode },
      args: longUnitFiles,
      hasEngine: false,
    }),
    await runTests('long: docker', vitest('docker'), { env, args: longDockerFiles }),
    await runTests('long: browser', browser, {
      env: { ...env, PODSCOPE_SNAPSHOTS: '1', PODSCOPE_CODE_SERVER: codeServer },
    }),
  ];
}

const needsTools = (selected: ReadonlySet<Stage>): boolean =>
  [...selected].some((stage) => stage === 'docker' || stage === 'e2e' || stage === 'long');

async function prepareTools(selected: ReadonlySet<Stage>): Promise<void> {
  await mkdir(cache, { recursive: true });
  if (!needsTools(selected)) return;
  await preparePackages();
  environment['PODSCOPE_TEST_KUBECTL'] = (await prepareKubectl(cache)).join(':');
}

/**
 * Without test machines, the tests use this machine's engine. Loads the images that they need into it.
 * @returns why the tests can't use it; undefined if they can, or if none answers
 */
async function prepareEngine(selected: ReadonlySet<Stage>): Promise<string | undefined> {
  const host = await engineOfContext();
  if (host !== undefined) process.env['DOCKER_HOST'] = environment['DOCKER_HOST'] = host;
  if (!needsTools(selected) || !(await prepareDocker(cache))) return undefined;
  return buildLocalImages().then(
    () => undefined,
    (error: unknown) => `the engine lacks the images of the tests: ${errorMessage(error)}`,
  );
}

/** How many lines of a message the summary shows at most, from its beginning and its end. */
const shownLines = 40;

function shortened(message: string): string {
  const lines = withoutInstalledFrames(message.split('\n'));
  if (lines.length <= shownLines) return lines.join('\n');
  return [...lines.slice(0, shownLines / 2), '…', ...lines.slice(-shownLines / 2)].join('\n');
}

function report(outcomes: readonly Outcome[]): void {
  console.log('\n── summary');
  for (const { name, passed, failed, seconds, processorSeconds } of outcomes) {
    const processor = processorSeconds === undefined ? '' : `, ${processorSeconds.toFixed(0)} s of processor time`;
    const times = `${seconds.toFixed(1)} s${processor}`;
    console.log(`${failed === 0 ? '✓' : '✗'} ${name.padEnd(34)} ${passed} passed, ${failed} failed  (${times})`);
  }
  const reasons = Map.groupBy(
    outcomes.flatMap(({ notRunnable = [] }): readonly NotRunnable[] => notRunnable),
    ({ reason }) => reason,
  );
  for (const [reason, tests] of reasons) {
    console.log(`\n${tests.length} not runnable here: ${reason}`);
    for (const { file, test } of tests) console.log(`  ${file} › ${test}`);
  }
  for (const test of outcomes.flatMap(({ skipped = [] }) => skipped))
    console.log(`\nskipped without a reason: ${test}`);
  for (const { file, test, message } of outcomes.flatMap(({ failures = [] }): readonly Failure[] => failures))
    console.log(`\nfailed: ${file}${test === undefined ? '' : ` › ${test}`}\n${shortened(message)}`);
}

const machines = new Set<() => Promise<void>>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void Promise.all([...machines].map((close) => close())).finally(() => process.exit(130));
  });

const started = performance.now();
const selected = selection();
await prepareTools(selected);
const whyNot = await whyNoTestMachine();
const isolated = whyNot === undefined;
const whyNoImages = isolated ? undefined : await prepareEngine(selected);
if (whyNoImages !== undefined)
  environment['PODSCOPE_TEST_NO_DOCKER'] = process.env['PODSCOPE_TEST_NO_DOCKER'] = whyNoImages;
const detected = await detectMachine();
// A test machine has an engine even if this machine does not.
const facts = isolated ? { ...detected, docker: { version: '', isRootless: false, isLocal: true } } : detected;
console.log(
  isolated
    ? 'The tests run in test machines of their own, each with an empty Docker engine.'
    : `The tests use this machine’s own Docker engine, if there is one: ${whyNot}.`,
);

const noDocker = whyNotRunnable(facts, ['docker']);
if (noDocker !== undefined) environment['PODSCOPE_TEST_NO_DOCKER'] = noDocker;

const since = options.changed ? await base() : undefined;
const changes = since === undefined ? [] : await changedFiles(since);
const omitted = since === undefined ? [] : omittedFiles(changes);
environment['PODSCOPE_TEST_OMITTED'] = omitted.join(',');
const changed = since === undefined ? [] : [`--changed=${since}`, '--passWithNoTests'];

/** Returns the existing files that differ from a commit, including new ones. */
async function changedFiles(commit: string): Promise<readonly string[]> {
  const lists = await Promise.all([
    must('git', ['diff', '--name-only', '--diff-filter=d', commit], { cwd: root }),
    must('git', ['ls-files', '--others', '--exclude-standard'], { cwd: root }),
  ]);
  return lists.flatMap((list) => list.split('\n').filter(Boolean));
}

const runUnit = () => runTests('unit', vitest('unit'), { args: changed, hasEngine: false });
const runPage = () => runTests('page', vitest('page'), { args: changed, hasEngine: false });

/** Runs the checks and the few affected tests at the same time. */
async function runChanged(): Promise<readonly Outcome[]> {
  const tests = async () => [
    ...(selected.has('unit') ? [await runUnit(), await runPage()] : []),
    ...(selected.has('e2e') ? [await runTests('browser', browser)] : []),
  ];
  const checks = selected.has('checks') ? runChecks(checksOf(changes)) : Promise.resolve([]);
  return (await Promise.all([checks, tests()])).flat();
}

/** Returns the commit that the changes are compared with. */
async function base(): Promise<string> {
  const { code, stdout } = await run('git', ['merge-base', 'HEAD', options.base], { cwd: root });
  return code === 0 ? stdout.trim() : 'HEAD';
}

/** Checks and unit tests need the processor. */
async function processorLane(): Promise<readonly Outcome[]> {
  return [
    ...(selected.has('checks') ? await runChecks(allChecks) : []),
    ...(selected.has('unit') ? [await runUnit(), await runPage()] : []),
  ];
}

/**
 * Tests on Docker mostly wait, so they run beside the checks and unit tests. The browser tests follow them: both lanes
 * then take about the same time.
 */
async function waitingLane(): Promise<readonly Outcome[]> {
  return [
    ...(selected.has('docker') ? [await runTests('docker', vitest('docker'), { args: changed })] : []),
    ...(selected.has('e2e') && since === undefined ? [await runTests('browser', browser)] : []),
  ];
}

const lanes = [since === undefined ? processorLane() : runChanged(), waitingLane()];
const outcomes = (await Promise.all(lanes)).flat();
if (selected.has('long')) outcomes.push(...(await runLong()));

report(outcomes);
if (omitted.length > 0) console.log(`\nNot run, because their packages have not changed:\n  ${omitted.join('\n  ')}`);
const minutes = (performance.now() - started) / 60_000;
console.log(
  `\n${minutes.toFixed(1)} min; load average at the end: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
);
const total = (key: 'passed' | 'failed'): number => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
const notRunnable = outcomes.reduce((sum, outcome) => sum + (outcome.notRunnable?.length ?? 0), 0);
console.log(`${total('passed')} passed, ${total('failed')} failed${notRunnable > 0 ? `, ${notRunnable} skipped` : ''}`);
process.exitCode = total('failed') === 0 ? 0 : 1;
