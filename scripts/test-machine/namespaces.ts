/**
 * Starts a test machine: namespaces with a Docker engine of their own, in which the tests run. The engine has an empty
 * data root; the network, mounts, processes and control groups are the namespaces' own. Nothing of the real machine's
 * engine is visible or touched, several test runs don't see each other, and everything disappears with the first
 * process. The only networks are loopback and the engine's.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { run, which } from '../lib/run.ts';
import type { Command } from '../lib/vitest.ts';
import { type CgroupMount, cgroupMounts } from './cgroup-mounts.ts';

const namespaces = ['--net', '--mount', '--pid', '--cgroup'] as const;
const enter = join(import.meta.dirname, 'enter.sh');
const startLimitMs = 120_000;
const removalLimitMs = 10_000;

/** A running test machine. */
export interface TestMachine {
  /**
   * Returns the command that runs `command` in the machine. @param cwd its working directory. Default: this process's
   */
  readonly inside: (command: Command, cwd?: string) => Command;
  /** Returns the environment for commands in the machine, without any configuration of the user. */
  readonly environment: (base: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
  /** Returns the processor time that everything in the machine has used, in seconds. */
  readonly processorSeconds: () => Promise<number>;
  /** Ends every process in the machine and removes its control groups. */
  readonly close: () => Promise<void>;
}

/** Options of a test machine. */
export interface TestMachineOptions {
  /** File for the log of the machine's Docker engine. Default: the machine has no engine. */
  readonly dockerdLog?: string;
}

/** Returns why this machine can't start a test machine, undefined if it can. */
export async function whyNoTestMachine(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `namespaces need Linux, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return 'namespaces with an engine need root';
  for (const program of ['unshare', 'nsenter', 'setpriv', 'dockerd', 'docker', 'ip', 'mountpoint'])
    if (!(await which(program))) return `the program ${program} is missing`;
  const { code, stderr } = await run('unshare', [...namespaces, '--fork', '--mount-proc', 'true']);
  return code === 0 ? undefined : `unshare failed: ${stderr.trim()}`;
}

/**
 * Creates the machine's cgroup in each hierarchy. A new cpuset cgroup has no processors, so they are assigned to it.
 */
async function createCgroups(mounts: readonly CgroupMount[], name: string): Promise<readonly string[]> {
  return Promise.all(
    mounts.map(async ({ path }) => {
      const directory = join(path, name);
      await mkdir(directory);
      for (const file of ['cpuset.cpus', 'cpuset.mems']) {
        const inherited = await readFile(join(path, file), 'utf8').catch(() => undefined);
        if (inherited !== undefined) await writeFile(join(directory, file), inherited).catch(() => undefined);
      }
      return directory;
    }),
  );
}

async function removeCgroup(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await removeCgroup(join(directory, entry.name));
  const end = performance.now() + removalLimitMs;
  // Retry for a while, because the kernel needs time to release killed processes.
  while (performance.now() < end) {
    const gone = await rmdir(directory).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (gone) return;
    await delay(20);
  }
}

/** A shell script that joins the cgroups in its arguments before `--`, and then executes the command after `--`. */
const joinGroups = 'while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs"; shift; done; shift; exec "$@"';

/** The machine ends with the process that starts it, even if that process crashes. */
const unshare = ['setpriv', '--pdeathsig', 'KILL', 'unshare', ...namespaces, '--fork', '--kill-child', '--mount-proc'];

let machines = 0;

/** Starts a test machine. @throws Error with the end of the engine's log if the engine doesn't start */
export async function startTestMachine({ dockerdLog = '' }: TestMachineOptions = {}): Promise<TestMachine> {
  const mounts = cgroupMounts(await readFile('/proc/self/mountinfo', 'utf8'));
  const groups = await createCgroups(mounts, `podscope-test-${process.pid}-${++machines}`);
  const isUnified = mounts.some(({ path, type }) => path === '/sys/fs/cgroup' && type === 'cgroup2');
  const holder = spawn('sh', ['-c', joinGroups, 'sh', ...groups, '--', ...unshare, 'sh', enter], {
    // Use a separate process group. Ctrl+C then first ends the tests, which close the machine.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...environment(process.env), PODSCOPE_TEST_DOCKERD_LOG: dockerdLog },
  });
  const exited = once(holder, 'exit');
  const close = async (): Promise<void> => {
    if (holder.exitCode === null && holder.signalCode === null) holder.kill('SIGKILL');
    await exited;
    await Promise.all(groups.map(removeCgroup));
  };
  let complaints = '';
  holder.stderr?.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
  holder.stdin?.end(mounts.map(({ type, options, path }) => `${type} ${options} ${path}\n`).join(''));
  const ready = new Promise<true>((resolve) => {
    if (holder.stdout) createInterface(holder.stdout).on('line', (line) => line === 'ready' && resolve(true));
  });
  const isReady = await Promise.race([ready, exited.then(() => false), delay(startLimitMs, false, { ref: false })]);
  const pid = isReady ? await firstProcess(holder.pid ?? 0) : undefined;
  if (pid === undefined) {
    await close();
    throw new Error(`the test machine did not start (log: ${dockerdLog || 'none'}):\n${complaints.trim()}`);
  }
  const processGroups = isUnified ? groups.map((group) => join(group, 'init')) : groups;
  return {
    inside: (command, cwd = process.cwd()) => {
      const nsenter = ['nsenter', '--target', pid, ...namespaces, `--wd=${cwd}`, ...command];
      return ['sh', '-c', joinGroups, 'sh', ...processGroups, '--', ...nsenter];
    },
    environment,
    processorSeconds: () => processorSeconds(groups),
    close,
  };
}

/** Reads cgroup v1's cpuacct.usage, in nanoseconds, or cgroup v2's cpu.stat, in microseconds. */
async function processorSeconds(groups: readonly string[]): Promise<number> {
  for (const group of groups) {
    const usage = await readFile(join(group, 'cpuacct.usage'), 'utf8').catch(() => undefined);
    if (usage !== undefined) return Number(usage) / 1e9;
  }
  for (const group of groups) {
    const [, microseconds] =
      /usage_usec (\d+)/.exec(await readFile(join(group, 'cpu.stat'), 'utf8').catch(() => '')) ?? [];
    if (microseconds !== undefined) return Number(microseconds) / 1e6;
  }
  return 0;
}

/** Returns the child of `unshare`, the first process in the namespaces. */
async function firstProcess(parent: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '');
  return text.split(' ').find(Boolean);
}

/** Removes the user's choices of engine, cluster and directories from the environment. */
function environment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(base).filter(([name]) => !/^(DOCKER_|KUBECONFIG$|XDG_)/.test(name));
  return { ...Object.fromEntries(kept), HOME: '/run/home', TMPDIR: '/run/t' };
}
