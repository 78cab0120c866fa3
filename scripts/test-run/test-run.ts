/**
 * Gives a run of the tests on Docker a temporary directory of its own, which identifies its processes and containers,
 * and reports at the end what the tests left behind.
 */
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { errorMessage } from '../../packages/base/src/index.ts';
import { mountsBelow, removeContainerdRemains } from '../../packages/cri/src/grpc/testing/containerd.ts';
import { CreatedContainers, instancesIn, removeContainersOf } from './containers.ts';
import { networkNames, processesOf, type TestNetworks, testNetworks, unusedNamespaces } from './machine.ts';

/** The prefix of the directory. It is short, because paths of sockets below it are limited to 107 bytes. */
const prefix = 'psr-';
/** Long enough for a busy machine: only a run that left something behind waits this long. */
const defaultTimeoutMs = 20_000;
const pollMs = 100;

/** A test run. */
export interface TestRun {
  readonly directory: string;
  /** Ends the run, removes what its tests left behind, and returns its description. */
  close(): Promise<readonly string[]>;
}

/**
 * Starts a run: from now on TMPDIR of this process and its children is the run's directory. Removes the remains of dead
 * runs first.
 * @param timeoutMs how long processes and containers may take to disappear at the end, in milliseconds
 */
export async function openTestRun(timeoutMs = defaultTimeoutMs): Promise<TestRun> {
  const base = tmpdir();
  await removeDeadRuns(base);
  const directory = mkdtempSync(join(base, `${prefix}${process.pid}-`));
  const outside = process.env['TMPDIR'];
  process.env['TMPDIR'] = directory;
  const networks = await testNetworks();
  const created = new CreatedContainers(directory);
  return {
    directory,
    async close() {
      if (outside === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = outside;
      created.stop();
      const found = await settled(() => leftovers(directory, created, networks), timeoutMs);
      const failure = await removeRun(directory).then(
        () => [],
        (error: unknown) => [`${directory}: ${errorMessage(error)}`],
      );
      return [...found, ...failure];
    },
  };
}

/** Waits until `look` returns an empty result, at most `timeoutMs`, because programs need time to exit. */
async function settled(look: () => Promise<readonly string[]>, timeoutMs: number): Promise<readonly string[]> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found.length === 0 || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Returns everything that belongs to the run and still exists. */
async function leftovers(
  directory: string,
  created: CreatedContainers,
  before: TestNetworks,
): Promise<readonly string[]> {
  const [containers, processes, mounts, networks, files] = await Promise.all([
    created.left(),
    processesOf(directory),
    mountsBelow(directory),
    testNetworks(),
    readdir(directory).catch(() => []),
  ]);
  const others = await namesOfOtherRuns(directory);
  const isOurs = (name: string): boolean => networkNames(name).every((suffix) => !others.has(suffix));
  const isNew = (kind: keyof TestNetworks) =>
    networks[kind].filter((name) => !before[kind].includes(name) && isOurs(name));
  return [
    ...containers.map((name) => `container ${name}`),
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...mounts.map((path) => `mount ${path}`),
    ...isNew('links').map((name) => `network interface ${name}`),
    ...isNew('leases').map((name) => `CNI result ${name}`),
    ...isNew('addresses').map((name) => `addresses of CNI network ${name}`),
    ...(await unusedNamespaces(isNew('namespaces'))).map((name) => `network namespace ${name}`),
    ...isNew('cgroups').map((name) => `control group ${name}`),
    ...files.map((name) => `directory ${name}`),
  ];
}

/** Returns the directory suffixes of other runs. Their networks are named after these suffixes. */
async function namesOfOtherRuns(directory: string): Promise<ReadonlySet<string>> {
  const base = dirname(directory);
  const names = await readdir(base);
  for (const run of await runsIn(base)) {
    if (run !== directory) names.push(...(await readdir(run).catch(() => [])));
  }
  return new Set(names.map((name) => name.slice(-6).toLowerCase()));
}

const runsIn = async (base: string): Promise<string[]> =>
  (await readdir(base)).filter((name) => name.startsWith(prefix)).map((name) => join(base, name));

/** Returns true if the process named by the directory still runs vitest. Another program may have its id by now. */
async function isAlive(run: string): Promise<boolean> {
  const pid = /^psr-(\d+)-/.exec(basename(run))?.[1];
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('vitest');
}

/** Returns true if the directory belongs to this process's user, who may not remove directories of others. */
const isOwn = async (run: string): Promise<boolean> =>
  (await stat(run).catch(() => undefined))?.uid === process.getuid?.();

async function removeDeadRuns(base: string): Promise<void> {
  for (const run of await runsIn(base)) {
    if (!(await isOwn(run)) || (await isAlive(run))) continue;
    // For a user who isn't root, files that the engine created as root stay. They don't disturb this run.
    await removeRun(run).catch((error: unknown) => console.warn(`${run} could not be removed: ${errorMessage(error)}`));
  }
}

/** Removes everything that belongs to a run. */
async function removeRun(directory: string): Promise<void> {
  await removeContainersOf(new Set(await instancesIn(directory)), basename(directory));
  for (const { pid } of await processesOf(directory)) kill(pid);
  for (const name of await readdir(directory).catch(() => [])) {
    if (name.startsWith('containerd-')) await removeContainerdRemains(join(directory, name));
  }
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}
