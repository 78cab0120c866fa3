/** Measures many pods on the machine's own Docker engine, with 20 clients of the stream, one of which reads nothing. */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Pod } from '@podscope/k8s';
import { protocolVersion } from '@podscope/protocol';
import { WebSocket } from 'ws';
import { ServerProcess } from '../../chaos/docker/server-process.ts';
import { problemOf } from '../../chaos/shapes.ts';
import { StreamClient } from '../debugger/stream-client.ts';
import { type Figure, median, percentile } from '../ui/figure.ts';

const run = promisify(execFile);
const image = 'busybox:1.36';
const tabs = 20;
/** Time limit until all pods are ready, and until all are removed, in milliseconds. */
const timeout = 15 * 60_000;
/** Duration for which the ready pods run undisturbed, in milliseconds. */
const quiet = 30_000;
const lookInterval = 250;
/** Time limit for the removal of dead sandboxes, in milliseconds. */
const clearing = 150_000;
/** Clock ticks per second in `/proc/PID/stat`. */
const ticks = 100;

/**
 * Returns the manifest of a pod. Its grace period is one second, because the benchmark doesn't measure how long a shell
 * takes to exit.
 */
const manifestOf = (index: number): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: p${index}}\nspec:\n  terminationGracePeriodSeconds: 1\n  ` +
  `containers: [{name: app, image: '${image}', command: [sleep, '1000000']}]\n`;

const isReady = (pod: Pod): boolean => problemOf('server', pod) === undefined;

/** Returns a process's CPU seconds and peak memory in MiB, as reported by the kernel. */
async function usageOf(pid: number): Promise<{ readonly cpu: number; readonly memory: number }> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    cpu: (Number(fields[11]) + Number(fields[12])) / ticks,
    memory: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024,
  };
}

/** Polls the server's health. The response time shows how long its event loop is busy. */
class Heartbeat {
  readonly #server: ServerProcess;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #times: number[] = [];

  constructor(server: ServerProcess) {
    this.#server = server;
    this.#done = this.#beat();
  }

  async #beat(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const asked = performance.now();
      await this.#server.health();
      this.#times.push(performance.now() - asked);
      await pause(lookInterval / 5);
    }
  }

  /** Returns the figures of the requests since the last call of this method. */
  figures(what: string): readonly Figure[] {
    const times = this.#times;
    this.#times = [];
    return [
      { what: `${what}: answer of the server, median`, value: median(times), unit: 'ms' },
      { what: `${what}: p99`, value: percentile(times, 0.99), unit: 'ms' },
      { what: `${what}: longest`, value: Math.max(...times), unit: 'ms' },
    ];
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }
}

/** Opens a client that sends its hello and then reads nothing. */
async function openDeafClient(port: number, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/stream`, { headers: { Authorization: `Bearer ${token}` } });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
  socket.pause();
  return socket;
}

async function until(server: ServerProcess, holds: (pods: readonly Pod[]) => boolean): Promise<readonly Pod[]> {
  const end = performance.now() + timeout;
  for (;;) {
    const pods = await server.pods();
    if (holds(pods) || performance.now() > end) return pods;
    await pause(lookInterval);
  }
}

/** Returns the number of containers left after the kubelet's garbage collection, which runs every minute. */
async function containersLeft(instance: string): Promise<number> {
  const end = performance.now() + clearing;
  for (;;) {
    const { stdout } = await run('docker', [
      'ps',
      '--all',
      '--quiet',
      '--filter',
      `label=io.podscope.instance=${instance}`,
    ]);
    const left = stdout.split('\n').filter(Boolean).length;
    if (left === 0 || performance.now() > end) return left;
    await pause(lookInterval);
  }
}

async function measure(server: ServerProcess, stateDir: string, count: number): Promise<readonly Figure[]> {
  const name = `${count} pods`;
  const address = { port: server.port, token: server.token };
  const clients = await Promise.all(
    Array.from({ length: tabs - 1 }, () => StreamClient.connect(address, () => undefined)),
  );
  const deaf = await openDeafClient(server.port, server.token);
  const heartbeat = new Heartbeat(server);
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  await server.ask({
    command: 'apply',
    manifest: Array.from({ length: count }, (_, index) => manifestOf(index)).join('---\n'),
  });
  const acknowledged = seconds();
  const ready = await until(server, (pods) => pods.length === count && pods.every(isReady));
  const figures: Figure[] = [
    { what: `${name}: not ready`, value: count - ready.filter(isReady).length, unit: '', limit: 0 },
    { what: `${name}: acknowledged`, value: acknowledged, unit: 's' },
    { what: `${name}: all ready after`, value: seconds(), unit: 's' },
    ...heartbeat.figures('while they start'),
  ];
  const before = await usageOf(server.pid);
  await pause(quiet);
  const after = await usageOf(server.pid);
  figures.push(...heartbeat.figures('while they run'), {
    what: 'while they run: of a processor',
    value: ((after.cpu - before.cpu) / quiet) * 100_000,
    unit: '%',
  });
  const deleting = seconds();
  for (const { metadata } of ready)
    await server.ask({ command: 'deletePod', namespace: 'default', name: metadata.name, gracePeriodSeconds: 1 });
  const left = await until(server, (pods) => pods.length === 0);
  figures.push(
    { what: `${name}: all gone after`, value: seconds() - deleting, unit: 's' },
    ...heartbeat.figures('while they go'),
  );
  await heartbeat.stop();
  const instance = (await readFile(join(stateDir, 'instance'), 'utf8')).trim();
  const { memory } = await usageOf(server.pid);
  const end = performance.now() + 10_000;
  const behind = (): number => clients.filter(({ lastSeq }) => lastSeq < server.delivery.last).length;
  while (behind() > 0 && performance.now() < end) await pause(lookInterval);
  figures.push(
    { what: 'pods left', value: left.length, unit: '', limit: 0 },
    { what: 'containers left', value: await containersLeft(instance), unit: '', limit: 0 },
    { what: 'memory of the server, most it held', value: memory, unit: 'MiB' },
    { what: 'events', value: server.delivery.last, unit: '' },
    { what: `of ${tabs} clients, one deaf: behind at the end`, value: behind(), unit: '', limit: 0 },
    { what: 'events sent twice or out of order', value: server.delivery.problems.length, unit: '', limit: 0 },
  );
  for (const client of clients) client.close();
  deaf.terminate();
  return figures;
}

/**
 * Runs and deletes pods on the Docker engine of DOCKER_HOST, or on the local one.
 * @param count number of pods
 */
export async function measureDocker(count: number): Promise<readonly Figure[]> {
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-bench-'));
  const server = await ServerProcess.start(
    ([program = '', ...args]) => spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }),
    ['--runtime', 'docker', '--sandbox-image', 'podscope/pause:local', '--state-dir', stateDir],
    randomUUID(),
  );
  try {
    return await measure(server, stateDir, count);
  } finally {
    // Without --keep-pods the server deletes its pods when it stops.
    await server.end('SIGTERM');
    await rm(stateDir, { recursive: true, force: true });
  }
}
