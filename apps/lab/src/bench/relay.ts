/**
 * Implements `bench relay`: measures the time and memory that the relay adds to a kubelet's calls, compared with a
 * direct connection.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type CommandBody, UsageError } from '@podscope/command-line';
import { relayArguments, relayNodeOption, supervisorProgram } from '@podscope/relay';
import { encodeHead, FrameReader, protocolVersion } from '@podscope/relay-protocol/wire';
import { processorTime, residentMiB } from './runtime/process-usage.ts';

const calls = 3_000;
const warmUp = 500;
const events = 2_000;
const eventLength = 1_500;
const large = 16 * 1024 * 1024;
/**
 * Sizes of the ListContainers and ListPodSandbox responses for 110 pods with one container each: about 750 bytes per
 * container and 500 bytes per sandbox.
 */
const lists = [110 * 750, 110 * 500] as const;

/** Makes a call and resolves with the number of bytes of its answer. */
function call(session: ClientHttp2Session, path: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' });
    let length = 0;
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    stream.on('error', reject);
    stream.on('end', () => resolve(length));
    stream.end(body);
  });
}

const request = Buffer.concat([Buffer.from([0, 0, 0, 0, 200]), Buffer.alloc(200)]);

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
  sessions: readonly [ClientHttp2Session, ClientHttp2Session],
  count: number,
  work: (session: ClientHttp2Session) => Promise<unknown>,
): Promise<readonly [number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < count; turn += 1)
    for (const side of [0, 1] as const) times[side].push(await time(() => work(sessions[side])));
  for (const list of times) list.sort((a, b) => a - b);
  return times;
}

function line(what: string, direct: number, relayed: number, unit: string, target = ''): void {
  const ratio = `×${(relayed / direct).toFixed(2)}`;
  const figures = [direct.toFixed(2), relayed.toFixed(2)].map((text) => text.padStart(9)).join(' ');
  console.log(`${what.padEnd(38)} ${figures} ${unit.padEnd(4)} ${ratio.padStart(6)} ${target}`);
}

const mebibytes = (values: readonly number[]): string => `${values.map((value) => value.toFixed(0)).join(', ')} MiB`;

async function childOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0]);
}

/** Connects as a debugger and counts the bytes of the relay's reports. */
function countReports(path: string): { readonly bytes: () => number; close(): void } {
  let bytes = 0;
  const socket = connect(path);
  const reader = new FrameReader();
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    reader.push(chunk);
  });
  socket.write(encodeHead({ type: 'hello', protocol: protocolVersion, version: 'bench' }));
  return { bytes: () => bytes, close: () => socket.destroy() };
}

/**
 * Performs one relist per second. Returns the relay's memory in MiB at the start, after each quarter and at the end.
 */
async function relists(session: ClientHttp2Session, seconds: number, pid: number): Promise<readonly number[]> {
  const memory = [await residentMiB(pid)];
  for (let second = 1; second <= seconds; second += 1) {
    for (const length of lists) await call(session, `/bench/${length}`, request);
    await sleep(1_000);
    if (Math.floor((second * 4) / seconds) >= memory.length) memory.push(await residentMiB(pid));
  }
  return memory;
}

async function measure(directory: string, minutes: number, started: ChildProcess[]): Promise<void> {
  const [runtime, listen, control] = ['runtime', 'cri', 'relay'].map((name) => join(directory, `${name}.sock`)) as [
    string,
    string,
    string,
  ];
  const program = fileURLToPath(new URL('./relay/runtime.process.ts', import.meta.url));
  const server = fork(program, [runtime]);
  started.push(server);
  await once(server, 'message');
  const args = relayArguments({ listen, runtime, control, version: 'bench' });
  const supervisor = fork(fileURLToPath(supervisorProgram), args, { execArgv: [relayNodeOption] });
  started.push(supervisor);
  await once(supervisor, 'message');
  const open = (path: string): ClientHttp2Session =>
    connectHttp2('http://localhost', {
      createConnection: () => connect(path),
      maxSessionMemory: 1_000,
      settings: { initialWindowSize: 1024 * 1024 },
    });
  const sessions = [open(runtime), open(listen)] as const;
  await inTurns(sessions, warmUp, (session) => call(session, '/bench/200', request));
  console.log(`${''.padEnd(38)} ${'direct'.padStart(9)} ${'relay'.padStart(9)}`);
  const [direct, relayed] = await inTurns(sessions, calls, (session) => call(session, '/bench/200', request));
  line('unary call, median', at(direct, 0.5), at(relayed, 0.5), 'ms', '(target: ×3)');
  line('unary call, p99', at(direct, 0.99), at(relayed, 0.99), 'ms', '(target: ×3)');
  const stream = await inTurns(sessions, 10, (session) => call(session, `/bench/${eventLength}x${events}`, request));
  const [directEvent, relayedEvent] = stream.map((times) => (at(times, 0.5) / events) * 1_000) as [number, number];
  line(`stream, an event of ${eventLength} bytes`, directEvent, relayedEvent, 'µs');
  const pid = await childOf(supervisor.pid ?? 0);
  const seconds = Math.round(minutes * 60);
  for (const isObserved of [false, true]) {
    const reports = isObserved ? countReports(control) : undefined;
    const before = await processorTime(pid);
    const began = performance.now();
    const memory = await relists(sessions[1], seconds, pid);
    const share = (((await processorTime(pid)) - before) / (performance.now() - began)) * 100;
    const how = isObserved ? 'with a debugger' : 'without a debugger';
    console.log(`110 pods, a relist per second, ${how}, ${seconds} s:`);
    console.log(`  ${share.toFixed(1)} % of a core (target: 3 %)`);
    console.log(`  memory at the start and after each quarter: ${mebibytes(memory)} (target: 120 MB)`);
    if (reports) {
      const megabytes = ((reports.bytes() / seconds) * 3_600) / 1_000_000;
      console.log(`  ${megabytes.toFixed(0)} MB per hour to the debugger, which keeps of lists only their length`);
    }
    const times: number[] = [];
    for (let round = 0; round < 10; round += 1)
      times.push(await time(() => call(sessions[1], `/bench/${large}`, request)));
    times.sort((a, b) => a - b);
    const [after, rested] = [await residentMiB(pid), await sleep(10_000).then(() => residentMiB(pid))];
    console.log(`  ten responses of 16 MiB, ${how}: ${at(times, 0.5).toFixed(0)} ms (median)`);
    console.log(`  memory right after them and 10 s later: ${mebibytes([after, rested])} (target: 120 MB)`);
    reports?.close();
  }
  const [directLarge, relayedLarge] = await inTurns(sessions, 10, (session) =>
    call(session, `/bench/${large}`, request),
  );
  line('a response of 16 MiB, median', at(directLarge, 0.5), at(relayedLarge, 0.5), 'ms');
  for (const session of sessions) session.destroy();
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench relay [--minutes M]

Measures the relay between a kubelet and its runtime: latency of calls, events and large messages beside a direct
connection, processor and memory with 110 pods. Linux only.

Options:
  --minutes M   How long the node of 110 pods runs, without and with a debugger each (default: 0.5).
`,
  examples: [['bench relay --minutes 60', 'Watch the memory for an hour']],
  async run(args) {
    const { values } = parseArgs({ args: [...args], options: { minutes: { type: 'string', default: '0.5' } } });
    const minutes = Number(values.minutes);
    if (!(minutes > 0)) throw new UsageError(`--minutes ${values.minutes} must be a positive number`);
    const directory = await mkdtemp(join(tmpdir(), 'bench-relay-'));
    const started: ChildProcess[] = [];
    try {
      await measure(directory, minutes, started);
    } finally {
      for (const child of started) child.kill('SIGTERM');
      await Promise.all(started.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')));
      await rm(directory, { recursive: true, force: true });
    }
    return 0;
  },
};
