/**
 * Implements `bench runtime`: measures the time that dockershim, in process and over gRPC, adds to the Docker calls of
 * a pod.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CommandBody, UsageError } from '@podscope/command-line';
import { type ContainerRuntime, instrumentImageService, instrumentRuntimeService } from '@podscope/cri';
import { connectCri } from '@podscope/cri/grpc';
import { createDockershim } from '@podscope/dockershim';
import { systemClock } from '@podscope/node';
import { background, type Context, EventLog, Tracer } from '@podscope/trace';
import { aims, judged, ratioFigures } from './runtime/aims.ts';
import { busyTime, type DockerCall, dockerCalls } from './runtime/docker-calls.ts';
import { PlainDocker, Recording } from './runtime/plain-docker.ts';
import { type Cycle, podCycle } from './runtime/pod-cycle.ts';
import { median } from './runtime/statistics.ts';
import { type Figure, meets } from './ui/figure.ts';

const image = 'busybox:1.36';
const sandboxImage = 'podscope/pause:local';
const main = resolve(import.meta.dirname, '../../../cli/src/main.ts');

const help = `Usage: npx -y pnpm@12 bench runtime [--rounds N]

Runs a pod of one container and removes it, in turn (a) through dockershim in process, (b) through dockershim behind
gRPC in a process of its own, (c) with the same Docker Engine API calls made directly, which is the lower bound.
Prints medians and ratios, and the parts of the difference. Start and removal together should take at most
${aims.inProcess.toFixed(2)} times the lower bound in (a) and ${aims.overGrpc.toFixed(2)} times in (b). Needs a local
Docker Engine with ${image} and ${sandboxImage} (npx -y pnpm@12 local-images).

Options:
  --rounds N   How often each is measured (default: 15). One more of each goes before, unmeasured.

Exit code: 0 when both aims are met, 1 when one is missed.`;

function roundsOf(args: readonly string[]): number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { rounds: { type: 'string', default: '15' } },
      strict: true,
    });
    const rounds = Number(values.rounds);
    if (Number.isInteger(rounds) && rounds > 0 && rounds <= 1000) return rounds;
    throw new UsageError(`--rounds ${values.rounds} is not a number from 1 to 1000`);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message, { cause: error });
  }
}

/** dockershim in this process. It records its spans, which contain the Docker calls made for a pod. */
class InProcess {
  readonly #log: EventLog;
  readonly #ctx: Context;
  readonly #runtime: ContainerRuntime;

  private constructor(ctx: Context, log: EventLog, runtime: ContainerRuntime) {
    this.#ctx = ctx;
    this.#log = log;
    this.#runtime = {
      ...runtime,
      runtime: instrumentRuntimeService(runtime.runtime),
      images: instrumentImageService(runtime.images),
      close: () => runtime.close(),
    };
  }

  static async open(stateDirectory: string, instance: string): Promise<InProcess> {
    const clock = systemClock();
    const log = new EventLog(clock);
    const ctx = background(clock, new Tracer(log));
    return new InProcess(ctx, log, await createDockershim(ctx, { stateDirectory, instance, sandboxImage }));
  }

  /** Runs one pod and returns its Docker calls. */
  async cycle(): Promise<{ cycle: Cycle; calls: readonly DockerCall[]; uid: string; runningAt: number }> {
    const before = this.#log.lastSeq;
    const cycle = await podCycle(this.#ctx, this.#runtime, image);
    const events = this.#log.after(before);
    const started = events.find((event) => event.type === 'spanStarted' && event.point === 'cri.StopContainer');
    const run = events.find((event) => event.type === 'spanStarted' && event.point === 'cri.RunPodSandbox');
    const request =
      run?.type === 'spanStarted'
        ? (run.attributes['request'] as { config: { metadata: { uid: string } } })
        : undefined;
    return {
      cycle,
      calls: dockerCalls(events),
      uid: request?.config.metadata.uid ?? '',
      runningAt: started?.time ?? Number.POSITIVE_INFINITY,
    };
  }

  close(): Promise<void> {
    return this.#runtime.close();
  }
}

async function startServer(folder: string, endpoint: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [main, 'cri', '--listen', endpoint, '--state-dir', join(folder, 'grpc'), '--sandbox-image', sandboxImage],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes(endpoint)) break;
  }
  if (child.exitCode !== null) throw new Error(`cri ended with code ${child.exitCode}`);
  return child;
}

interface Measured {
  readonly inProcess: Cycle[];
  readonly overGrpc: Cycle[];
  readonly byHand: Cycle[];
  /** For each pod of the in-process runtime: the milliseconds with at least one Docker call in progress. */
  readonly inDocker: number[];
  calls: readonly DockerCall[];
}

async function measure(rounds: number, folder: string): Promise<Measured> {
  const instance = `bench-${process.pid}`;
  const direct = await InProcess.open(join(folder, 'in-process'), instance);
  const endpoint = `unix://${join(folder, 'cri.sock')}`;
  const server = await startServer(folder, endpoint);
  const ctx = background(systemClock(), new Tracer());
  const remote = await connectCri(ctx, endpoint);
  const docker = new PlainDocker('/var/run/docker.sock');
  try {
    // The first pod also detects the engine's features; the second is representative.
    await direct.cycle();
    const { calls, uid, runningAt } = await direct.cycle();
    const recording = new Recording(calls, uid, runningAt);
    await podCycle(ctx, remote, image);
    await recording.replay(docker);
    const measured: Measured = { inProcess: [], overGrpc: [], byHand: [], inDocker: [], calls };
    for (let round = 0; round < rounds; round += 1) {
      const one = await direct.cycle();
      measured.inProcess.push(one.cycle);
      measured.inDocker.push(busyTime(one.calls));
      measured.overGrpc.push(await podCycle(ctx, remote, image));
      measured.byHand.push(await recording.replay(docker));
      process.stderr.write(`\rround ${round + 1} of ${rounds}`);
    }
    process.stderr.write('\n');
    return measured;
  } finally {
    await docker.removeAll(`io.podscope.instance=${instance}`);
    docker.close();
    await remote.close();
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    await exited;
    await direct.close();
  }
}

type Part = 'start' | 'removal' | 'whole';
const partOf = (cycle: Cycle, part: Part): number => (part === 'whole' ? cycle.start + cycle.removal : cycle[part]);

const middle = (cycles: readonly Cycle[], part: Part): number => median(cycles.map((cycle) => partOf(cycle, part)));

function figuresOf({ inProcess, overGrpc, byHand }: Measured): readonly Figure[] {
  const floor = middle(byHand, 'whole');
  return ratioFigures({ inProcess: middle(inProcess, 'whole') / floor, overGrpc: middle(overGrpc, 'whole') / floor });
}

function report({ inProcess, overGrpc, byHand, inDocker, calls }: Measured): string {
  const ms = (value: number): string => value.toFixed(1).padStart(8);
  const row = (name: string, cycles: readonly Cycle[]): string => {
    const cells = (['start', 'removal', 'whole'] as const).map((part) => {
      const ratio = middle(cycles, part) / middle(byHand, part);
      return `${ms(middle(cycles, part))}  ×${ratio.toFixed(3)}`;
    });
    return `${name.padEnd(32)}${cells.join('  ')}`;
  };
  const whole = middle(inProcess, 'whole');
  const engine = median(inDocker);
  const grpc = middle(overGrpc, 'whole') - whole;
  return [
    `One pod of one container, medians of ${inProcess.length} in milliseconds and their ratio to the calls by hand:`,
    '',
    `${''.padEnd(32)}${['until it runs', 'its removal', 'together'].map((title) => title.padStart(16)).join('  ')}`,
    row('(a) dockershim in process', inProcess),
    row('(b) dockershim over gRPC', overGrpc),
    row(`(c) the same ${calls.length} calls by hand`, byHand),
    '',
    `Of (a), the engine is at work for ${engine.toFixed(1)} ms (${((100 * engine) / whole).toFixed(1)} %); ` +
      'dockershim itself (requests, checks of',
    `answers, checkpoints, spans) takes ${(whole - engine).toFixed(1)} ms. gRPC adds ${grpc.toFixed(1)} ms to ` +
      `10 calls. The calls: ${countByTitle(calls)}.`,
  ].join('\n');
}

function countByTitle(calls: readonly DockerCall[]): string {
  const counts = new Map<string, number>();
  for (const { title } of calls) counts.set(title, (counts.get(title) ?? 0) + 1);
  return [...counts].map(([title, count]) => (count === 1 ? title : `${count} ${title}`)).join(', ');
}

export const bench: CommandBody = {
  help,
  examples: [['bench runtime --rounds 20', 'Measure and print the figures']],
  async run(args) {
    const rounds = roundsOf(args);
    const folder = await mkdtemp(join(tmpdir(), 'podscope-bench-'));
    try {
      const measured = await measure(rounds, folder);
      const figures = figuresOf(measured);
      console.log(`${report(measured)}\n\n${figures.map(judged).join('\n')}`);
      return figures.every(meets) ? 0 : 1;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
