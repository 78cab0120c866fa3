/**
 * Implements `bench relay`: measures the time and memory that the relay adds to a kubelet's calls, compared with a
 * direct connection. The relay is bundled as in the npm package: from its source files, Node.js would load a parser for
 * TypeScript, which takes 20 MB.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type CommandBody, UsageError } from '@podscope/command-line';
import { encodeCallMessage } from '@podscope/cri/grpc';
import { bundle } from '@podscope/package/bundle';
import { relayArguments, relayNodeOption } from '@podscope/relay';
import { firstChild } from '@podscope/relay/testing';
import { startDebugger } from '@podscope/server/testing/start-debugger';
import { containerOf } from './relay/cri-answers.ts';
import { processorTime, residentMiB } from './runtime/process-usage.ts';
import { median } from './runtime/statistics.ts';

/** Numbers of unary calls in a block, and of blocks. A figure is the median of the blocks' figures. */
const calls = 1_000;
const blocks = 9;
const warmUp = 500;
const events = 2_000;
/** The number of containers in a list of about 16 MiB. */
const manyContainers = 24_000;
/** How long a debugger may take to read the existing containers, in milliseconds. */
const settling = 5_000;

const cri = (method: string): string => `/runtime.v1.RuntimeService/${method}`;
const framed = (message: Uint8Array): Buffer => {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
};

interface Request {
  readonly path: string;
  readonly body: Buffer;
  /** How many containers or events the answer has. */
  readonly count?: number;
}
const empty = framed(new Uint8Array(0));
const unary: Request = { path: '/bench/200', body: framed(Buffer.alloc(200)) };
const eventStream: Request = { path: cri('GetContainerEvents'), body: empty, count: events };
const largeList: Request = { path: cri('ListContainers'), body: empty, count: manyContainers };
const probe: Request = {
  path: cri('ExecSync'),
  body: framed(
    encodeCallMessage('ExecSync', 'request', { containerId: containerOf(1), cmd: ['cat', '/ready'], timeout: '1' }),
  ),
};
/** The calls of each second: the relist of the PLEG, and an exec probe. */
const eachSecond: readonly Request[] = [
  { path: cri('ListPodSandbox'), body: empty },
  { path: cri('ListContainers'), body: empty },
  probe,
];

type Sessions = readonly [direct: ClientHttp2Session, relayed: ClientHttp2Session];

/** Makes a call and resolves with the number of bytes of its answer. */
function call(session: ClientHttp2Session, { path, body, count }: Request): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc' };
    const stream = session.request(count === undefined ? headers : { ...headers, count: String(count) });
    let length = 0;
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    stream.on('error', reject);
    stream.on('end', () => resolve(length));
    stream.end(body);
  });
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Returns the times of the same work on both connections. The connections take turns, so that other load on the machine
 * affects both.
 */
async function inTurns(
  sessions: Sessions,
  count: number,
  work: (session: ClientHttp2Session) => Promise<unknown>,
): Promise<readonly [number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < count; turn += 1)
    for (const side of [0, 1] as const) times[side].push(await time(() => work(sessions[side])));
  for (const list of times) list.sort((a, b) => a - b);
  return times;
}

/** Measures unary calls. Other load on the machine makes some blocks slow; the medians ignore these blocks. */
async function measureUnary(sessions: Sessions): Promise<void> {
  await inTurns(sessions, warmUp, (session) => call(session, unary));
  const figures: { readonly half: readonly number[]; readonly most: readonly number[] }[] = [];
  for (let block = 0; block < blocks; block += 1) {
    const times = await inTurns(sessions, calls, (session) => call(session, unary));
    figures.push({ half: times.map((side) => at(side, 0.5)), most: times.map((side) => at(side, 0.99)) });
  }
  for (const [name, key] of [
    ['median', 'half'],
    ['p99', 'most'],
  ] as const) {
    const [direct = 0, relayed = 0] = [0, 1].map((side) => median(figures.map((each) => each[key][side] ?? 0)));
    line(`unary call, ${name}`, direct, relayed, 'ms', '(target: ×3)');
  }
}

function line(what: string, direct: number, relayed: number, unit: string, target = ''): void {
  const ratio = `×${(relayed / direct).toFixed(2)}`;
  const figures = [direct.toFixed(2), relayed.toFixed(2)].map((text) => text.padStart(9)).join(' ');
  console.log(`${what.padEnd(38)} ${figures} ${unit.padEnd(4)} ${ratio.padStart(6)} ${target}`);
}

const mebibytes = (values: readonly number[]): string => `${values.map((value) => value.toFixed(0)).join(', ')} MiB`;

/** Returns the size of a store in bytes, with what isn't in the main file yet. */
function storedBytes(stateDirectory: string): number {
  const database = new DatabaseSync(join(stateDirectory, 'runs.db'), { readOnly: true });
  const row = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
    .get();
  database.close();
  return Number(row?.['bytes']);
}

/**
 * Makes the calls of a node for some seconds. Returns the relay's memory in MiB at the start, after each quarter and at
 * the end.
 */
async function load(session: ClientHttp2Session, seconds: number, pid: number): Promise<readonly number[]> {
  const memory = [await residentMiB(pid)];
  for (let second = 1; second <= seconds; second += 1) {
    for (const request of eachSecond) await call(session, request);
    await sleep(1_000);
    if (Math.floor((second * 4) / seconds) >= memory.length) memory.push(await residentMiB(pid));
  }
  return memory;
}

async function measureStream(sessions: Sessions, how: string): Promise<void> {
  const stream = await inTurns(sessions, 10, (session) => call(session, eventStream));
  const [direct, relayed] = stream.map((times) => (at(times, 0.5) / events) * 1_000) as [number, number];
  line(`an event of a stream, ${how}`, direct, relayed, 'µs');
}

/** Measures the relay while a node runs. @param stateDirectory of the debugger; undefined without a debugger */
async function measureNode(sessions: Sessions, seconds: number, pid: number, stateDirectory?: string): Promise<void> {
  const how = stateDirectory === undefined ? 'without a debugger' : 'with a debugger';
  await measureStream(sessions, how);
  const stored = stateDirectory === undefined ? 0 : storedBytes(stateDirectory);
  const before = await processorTime(pid);
  const began = performance.now();
  const memory = await load(sessions[1], seconds, pid);
  const share = (((await processorTime(pid)) - before) / (performance.now() - began)) * 100;
  console.log(`110 pods, a relist and an exec probe per second, ${how}, ${seconds} s:`);
  console.log(`  ${share.toFixed(1)} % of a core (target: 3 %)`);
  console.log(`  memory at the start and after each quarter: ${mebibytes(memory)} (target: 120 MB)`);
  if (stateDirectory !== undefined) {
    const megabytes = (((storedBytes(stateDirectory) - stored) / seconds) * 3_600) / 1_000_000;
    console.log(`  ${megabytes.toFixed(1)} MB per hour stored`);
  }
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) times.push(await time(() => call(sessions[1], largeList)));
  times.sort((a, b) => a - b);
  const [after, rested] = [await residentMiB(pid), await sleep(10_000).then(() => residentMiB(pid))];
  console.log(`  ten lists of 16 MiB, ${how}: ${at(times, 0.5).toFixed(0)} ms (median)`);
  console.log(`  memory right after them and 10 s later: ${mebibytes([after, rested])} (target: 120 MB)`);
}

interface Options {
  readonly minutes: number;
  /** Whether a debugger is connected while the node runs: one part or both. */
  readonly parts: readonly ('no' | 'yes')[];
}

async function measure(directory: string, { minutes, parts }: Options, started: ChildProcess[]): Promise<void> {
  const [runtime, listen, control] = ['runtime', 'cri', 'relay'].map((name) => join(directory, `${name}.sock`)) as [
    string,
    string,
    string,
  ];
  const start = async (program: URL, args: readonly string[], execArgv: readonly string[] = []) => {
    const child = fork(fileURLToPath(program), [...args], { execArgv: [...execArgv] });
    started.push(child);
    await once(child, 'message');
    return child;
  };
  await start(new URL('./relay/runtime.process.ts', import.meta.url), [runtime]);
  const args = relayArguments({ listen, runtime, control, version: 'bench' });
  const programs = join(directory, 'programs');
  await bundle(programs, { supervisor: 'apps/relay/src/supervisor.process.ts' });
  const supervisor = await start(pathToFileURL(join(programs, 'supervisor.js')), args, [relayNodeOption]);
  const open = (path: string): ClientHttp2Session =>
    connectHttp2('http://localhost', {
      createConnection: () => connect(path),
      maxSessionMemory: 1_000,
      settings: { initialWindowSize: 1024 * 1024 },
    });
  const sessions = [open(runtime), open(listen)] as const;
  console.log(`${''.padEnd(38)} ${'direct'.padStart(9)} ${'relay'.padStart(9)}`);
  await measureUnary(sessions);
  const pid = await firstChild(supervisor.pid);
  const seconds = Math.round(minutes * 60);
  if (parts.includes('no')) await measureNode(sessions, seconds, pid);
  const [directLarge, relayedLarge] = await inTurns(sessions, 10, (session) => call(session, largeList));
  line('a list of 16 MiB, median', at(directLarge, 0.5), at(relayedLarge, 0.5), 'ms');
  if (parts.includes('yes')) {
    const state = join(directory, 'state');
    started.push(await startDebugger(control, state));
    // Let the debugger read the statuses of all containers.
    await sleep(settling);
    await measureNode(sessions, seconds, pid, state);
  }
  for (const session of sessions) session.destroy();
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench relay [--minutes M] [--debugger no|yes]

Measures the relay between a kubelet and its runtime: latency of calls, events and large messages beside a direct
connection, processor and memory with 110 pods. Linux only.

Options:
  --minutes M        How long the node of 110 pods runs, without and with a debugger each (default: 0.5).
  --debugger no|yes  Let the node run only without, or only with, a debugger.
`,
  examples: [['bench relay --minutes 60 --debugger yes', 'Watch the memory for an hour']],
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { minutes: { type: 'string', default: '0.5' }, debugger: { type: 'string' } },
    });
    const minutes = Number(values.minutes);
    if (!(minutes > 0)) throw new UsageError(`--minutes ${values.minutes} must be a positive number`);
    const parts = (['no', 'yes'] as const).filter((part) => (values.debugger ?? part) === part);
    if (parts.length === 0) throw new UsageError(`--debugger ${values.debugger} must be no or yes`);
    const directory = await mkdtemp(join(tmpdir(), 'bench-relay-'));
    const started: ChildProcess[] = [];
    try {
      await measure(directory, { minutes, parts }, started);
    } finally {
      for (const child of started) child.kill('SIGTERM');
      await Promise.all(started.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')));
      await rm(directory, { recursive: true, force: true });
    }
    return 0;
  },
};
