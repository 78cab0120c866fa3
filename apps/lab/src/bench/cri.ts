/** Implements `bench cri`: measures the CRI calls that kubelets repeat, relative to the same direct Docker calls. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CommandBody, UsageError } from '@podscope/command-line';
import type { ContainerConfig, ContainerStreams, PodSandboxConfig } from '@podscope/cri';
import { connectCri, type RemoteRuntime } from '@podscope/cri/grpc';
import { systemClock } from '@podscope/node/system-clock';
import { remoteStreams } from '@podscope/streaming';
import { background, type Context, Tracer } from '@podscope/trace';
import { z } from 'zod';
import { PlainDocker } from './runtime/plain-docker.ts';
import { podCycle } from './runtime/pod-cycle.ts';
import { processorTime, residentMiB } from './runtime/process-usage.ts';
import { median } from './runtime/statistics.ts';
import { type Figure, meets } from './ui/figure.ts';

const image = 'busybox:1.36';
const sandboxImage = 'podscope/pause:local';
const socket = '/var/run/docker.sock';
const root = resolve(import.meta.dirname, '../../../..');
const main = join(root, 'apps/cli/src/main.ts');
const port = 8080;

/** One measured call. */
interface Measurement {
  readonly call: string;
  /** Highest acceptable median in milliseconds. */
  readonly limit: number;
  readonly overCri: () => Promise<unknown>;
  /** The direct Docker calls that return the same information. */
  readonly direct: () => Promise<unknown>;
}

const help = `Usage: npx -y pnpm@12 bench cri [--rounds N]

Starts the cri command in a process of its own with one running pod, and measures each call that a kubelet repeats.
Prints the median in milliseconds, its ratio to the same Docker calls made directly, and the processor time for
a pod and the memory of the cri process. Needs a local Docker Engine with
${image} and ${sandboxImage} (npx -y pnpm@12 local-images).

Options:
  --rounds N   Number of measurements of each call (default: 50). Three more go before, unmeasured.

Exit code: 0 if every figure is within its limit, 1 otherwise.`;

function roundsOf(args: readonly string[]): number {
  try {
    const options = { rounds: { type: 'string', default: '50' } } as const;
    const { values } = parseArgs({ args: [...args], options, strict: true });
    const rounds = Number(values.rounds);
    if (Number.isInteger(rounds) && rounds > 0 && rounds <= 10_000) return rounds;
    throw new UsageError(`--rounds ${values.rounds} is not a number from 1 to 10000`);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message, { cause: error });
  }
}

/**
 * Returns the environment and the Node.js options of the package script `cri`. The benchmark starts the server with the
 * same ones.
 */
async function scriptOptions(): Promise<{ readonly env: NodeJS.ProcessEnv; readonly flags: readonly string[] }> {
  const { scripts } = z
    .object({ scripts: z.object({ cri: z.string() }) })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const words = scripts.cri.split(' ');
  const at = words.indexOf('node');
  const variables = words.slice(0, at).map((word): [string, string] => {
    const [name = '', value = ''] = word.split('=');
    return [name, value];
  });
  return { env: Object.fromEntries(variables), flags: words.slice(at + 1).filter((word) => word.startsWith('--')) };
}

async function startServer(folder: string, endpoint: string): Promise<ChildProcess> {
  const args = [main, 'cri', '--listen', endpoint, '--state-dir', folder, '--sandbox-image', sandboxImage];
  const { env, flags } = await scriptOptions();
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes(endpoint)) break;
  }
  if (child.exitCode !== null) throw new Error(`cri ended with code ${child.exitCode}`);
  return child;
}

interface RunningPod {
  readonly sandboxId: string;
  readonly containerId: string;
}

/** Runs a pod whose container serves HTTP on a port. */
async function runPod(ctx: Context, { runtime }: RemoteRuntime): Promise<RunningPod> {
  const namespaceOptions = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } as const;
  const linux = { securityContext: { namespaceOptions } };
  const sandboxConfig: PodSandboxConfig = {
    metadata: { name: 'bench', namespace: 'default', uid: crypto.randomUUID(), attempt: 0 },
    labels: {},
    annotations: {},
    linux,
  };
  const config: ContainerConfig = {
    metadata: { name: 'app', attempt: 0 },
    image: { image },
    command: ['httpd', '-f', '-p', String(port)],
    labels: {},
    annotations: {},
    logPath: '',
    linux,
  };
  const { podSandboxId: sandboxId } = await runtime.runPodSandbox(ctx, { config: sandboxConfig });
  const { containerId } = await runtime.createContainer(ctx, { podSandboxId: sandboxId, config, sandboxConfig });
  await runtime.startContainer(ctx, { containerId });
  return { sandboxId, containerId };
}

async function* request(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('GET / HTTP/1.0\r\n\r\n');
}

/** Reads the response of the pod's web server through PortForward. */
async function readThrough(ctx: Context, streams: ContainerStreams, sandboxId: string): Promise<string> {
  let text = '';
  await streams.portForward(ctx, sandboxId, port, {
    source: request(),
    write: (data) => {
      text += new TextDecoder().decode(data);
      return Promise.resolve();
    },
  });
  return text;
}

function measurements(
  ctx: Context,
  { runtime, images }: RemoteRuntime,
  { sandboxId, containerId }: RunningPod,
): readonly Measurement[] {
  const docker = new PlainDocker(socket);
  const get = (path: string): Promise<string> => docker.call('GET', path, undefined);
  const list = `/containers/json?all=1&filters=${encodeURIComponent('{"label":["io.podscope.instance"]}')}`;
  const streams = remoteStreams(runtime);
  return [
    { call: 'Version', limit: 2, overCri: () => runtime.version(ctx, {}), direct: () => get('/version') },
    {
      call: 'Status',
      limit: 2,
      overCri: () => runtime.status(ctx, {}),
      direct: () => Promise.all([get('/version'), get('/info')]),
    },
    { call: 'ListPodSandbox', limit: 6, overCri: () => runtime.listPodSandbox(ctx, {}), direct: () => get(list) },
    { call: 'ListContainers', limit: 6, overCri: () => runtime.listContainers(ctx, {}), direct: () => get(list) },
    {
      call: 'PodSandboxStatus',
      limit: 6,
      overCri: () => runtime.podSandboxStatus(ctx, { podSandboxId: sandboxId }),
      direct: () => get(`/containers/${sandboxId}/json`),
    },
    {
      call: 'ContainerStatus',
      limit: 6,
      overCri: () => runtime.containerStatus(ctx, { containerId }),
      direct: () => get(`/containers/${containerId}/json`),
    },
    {
      call: 'ImageStatus',
      limit: 6,
      overCri: () => images.imageStatus(ctx, { image: { image } }),
      direct: () => get(`/images/${image}/json`),
    },
    {
      call: 'ListImages',
      limit: 6,
      overCri: () => images.listImages(ctx, {}),
      direct: () => get('/images/json'),
    },
    { call: 'ImageFsInfo', limit: 2, overCri: () => images.imageFsInfo(ctx, {}), direct: () => get('/system/df') },
    {
      call: 'PortForward connection',
      limit: 18,
      overCri: () => readThrough(ctx, streams, sandboxId),
      direct: () => get(`/containers/${sandboxId}/json`),
    },
  ];
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function medianOf(work: () => Promise<unknown>, rounds: number): Promise<number> {
  for (let round = 0; round < 3; round += 1) await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await millisecondsOf(work));
  return median(times);
}

/** Number of pods over which the processor time per pod is measured. */
const measuredPods = 10;

/** Returns the processor time that the server needs to run a pod and to remove it, in milliseconds. */
async function processorTimePerPod(ctx: Context, remote: RemoteRuntime, pid: number): Promise<number> {
  for (let pod = 0; pod < 2; pod += 1) await podCycle(ctx, remote, image);
  const before = await processorTime(pid);
  for (let pod = 0; pod < measuredPods; pod += 1) await podCycle(ctx, remote, image);
  return ((await processorTime(pid)) - before) / measuredPods;
}

async function stopServer(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}

async function measure(rounds: number, folder: string): Promise<readonly Figure[]> {
  const endpoint = `unix://${join(folder, 'cri.sock')}`;
  // The first start after an installation compiles the sources, which takes 30 MiB more than later starts need.
  await stopServer(await startServer(join(folder, 'state'), endpoint));
  const server = await startServer(join(folder, 'state'), endpoint);
  const ctx = background(systemClock(), new Tracer());
  const remote = await connectCri(ctx, endpoint);
  try {
    const pod = await runPod(ctx, remote);
    const figures: Figure[] = [];
    console.log(`${''.padEnd(24)}   over CRI     direct      ratio      limit`);
    for (const { call, limit, overCri, direct } of measurements(ctx, remote, pod)) {
      const [value, floor] = [await medianOf(overCri, rounds), await medianOf(direct, rounds)];
      const figure = { what: call, value, unit: 'ms', limit };
      const cells = [
        `${value.toFixed(1)} ms`,
        `${floor.toFixed(1)} ms`,
        `×${(value / floor).toFixed(2)}`,
        `${limit} ms`,
      ];
      const mark = meets(figure) ? 'ok  ' : 'MISS';
      console.log(`${mark} ${call.padEnd(22)} ${cells.map((cell) => cell.padStart(10)).join(' ')}`);
      figures.push(figure);
    }
    const pid = server.pid ?? 0;
    const processor = {
      what: 'processor time of a pod',
      value: await processorTimePerPod(ctx, remote, pid),
      unit: 'ms',
      limit: 60,
    };
    console.log(
      `${meets(processor) ? 'ok  ' : 'MISS'} ${processor.what.padEnd(22)} ${processor.value.toFixed(0)} ms (≤ 60)`,
    );
    const memory = { what: 'resident memory', value: await residentMiB(pid), unit: 'MiB', limit: 100 };
    console.log(`${meets(memory) ? 'ok  ' : 'MISS'} ${memory.what.padEnd(22)} ${memory.value.toFixed(0)} MiB (≤ 100)`);
    return [...figures, processor, memory];
  } finally {
    const { items } = await remote.runtime.listPodSandbox(ctx, {});
    for (const { id } of items) await remote.runtime.removePodSandbox(ctx, { podSandboxId: id });
    await remote.close();
    await stopServer(server);
  }
}

export const bench: CommandBody = {
  help,
  examples: [['bench cri --rounds 50', 'Measure and print the figures']],
  async run(args) {
    const rounds = roundsOf(args);
    const folder = await mkdtemp(join(tmpdir(), 'podscope-bench-'));
    try {
      return (await measure(rounds, folder)).every(meets) ? 0 : 1;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
