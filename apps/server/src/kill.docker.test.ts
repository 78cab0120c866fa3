/**
 * Kills the server with SIGKILL while it uses Docker. Its recorded events must survive, and the next server must adopt
 * its containers.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRandom, type Random } from '@podscope/base';
import { protocolVersion } from '@podscope/protocol';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { readDeliveries, verifyStore } from './store/testing/verify-store.ts';

/** The number of kills. Set `PODSCOPE_KILLS=50` for a long run. */
const kills = Number(process.env['PODSCOPE_KILLS'] ?? 8);
/** One of this many servers is killed before it accepts connections, on average. */
const earlyOneIn = 4;
/** The number of pods that constantly crash and restart. */
const crowd = 4;
const token = 'kill-test-token';
const seed = Number(process.env['PODSCOPE_SEED'] ?? Date.now() % 1_000_000);
const run = promisify(execFile);
const podEvent = z.object({
  type: z.literal('podChanged'),
  object: z.object({ metadata: z.object({ name: z.string(), uid: z.string() }) }),
});
/** Matches an event of a pod; `pod` is the UID. */
const ofPod = z.object({ pod: z.string() });
const acting = z.union([
  z.object({ type: z.enum(['runtimeStateChanged', 'syncResult']) }),
  z.object({ type: z.literal('decision'), rule: z.string().regex(/^(podSandboxChanged|computePodActions)/) }),
]);
const statusEvent = z.object({
  type: z.literal('podStatus'),
  status: z.object({
    containerStatuses: z
      .array(
        z.object({
          containerID: z.string().optional(),
          state: z.object({ running: z.unknown().optional() }).optional(),
        }),
      )
      .optional(),
  }),
});
let stateDir: string;
let last: Server | undefined;

interface Server {
  readonly child: ChildProcess;
  readonly socket: WebSocket;
  readonly messages: string[];
  /** Resolves when the condition is true. The condition is checked after each message. */
  until(condition: () => boolean): Promise<void>;
}

const manifest = (name: string, command: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - {name: app, image: 'busybox:1.36', imagePullPolicy: IfNotPresent, command: [sh, -c, ${JSON.stringify(command)}]}
`;

/** Returns the ids of the containers of this test, running or not, that match `docker ps` filters. */
async function containers(...filters: string[]): Promise<readonly string[]> {
  const instance = (await readFile(join(stateDir, 'instance'), 'utf8')).trim();
  const flags = [`label=io.podscope.instance=${instance}`, ...filters].flatMap((filter) => ['--filter', filter]);
  const { stdout } = await run('docker', ['ps', '--all', '--no-trunc', '--format', '{{.ID}} {{.Names}}', ...flags]);
  return stdout.split('\n').filter(Boolean).toSorted();
}

function spawnServer(): ChildProcess {
  const args = [
    '--runtime',
    'docker',
    '--port',
    '0',
    '--no-build',
    '--keep-pods',
    '--token',
    token,
    '--state-dir',
    stateDir,
    '--sandbox-image',
    'podscope/pause:local',
  ];
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function start(): Promise<Server> {
  const child = spawnServer();
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(text);
      if (found && text.includes('Ctrl+C')) resolve(Number(found[1]));
    });
    child.on('close', () => reject(new Error(`the server ended: ${text}`)));
  });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/stream`, { headers: { Authorization: `Bearer ${token}` } });
  const messages: string[] = [];
  const wakers = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    messages.push(data.toString('utf8'));
    for (const wake of wakers) wake();
  });
  // The connection breaks when the server is killed.
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        wakers.delete(look);
        resolve();
      };
      wakers.add(look);
      look();
    });
  return { child, socket, messages, until };
}

/** Returns all events of a pod that a server sent. */
function eventsOf(messages: readonly string[], name: string): readonly unknown[] {
  const events = messages.flatMap((text) => (JSON.parse(text) as { events?: readonly unknown[] }).events ?? []);
  const uids = new Set(
    events.flatMap((event) => {
      const { data } = podEvent.safeParse(event);
      return data?.object.metadata.name === name ? [data.object.metadata.uid] : [];
    }),
  );
  return events.filter((event) => uids.has(ofPod.safeParse(event).data?.pod ?? ''));
}

/** Returns the ids of the containers that the server reported as running. */
const runningIds = (events: readonly unknown[]): readonly string[] =>
  events.flatMap((event) => {
    const { data } = statusEvent.safeParse(event);
    return (data?.status.containerStatuses ?? []).flatMap(({ containerID, state }) =>
      state?.running && containerID ? [containerID.replace('docker://', '')] : [],
    );
  });

/** Returns the events that explain a server's actions: runtime states, decisions and results. */
const whyOf = (events: readonly unknown[]): readonly string[] =>
  events.filter((event) => acting.safeParse(event).success).map((event) => JSON.stringify(event));

async function end(
  { child, socket }: { readonly child: ChildProcess; readonly socket?: WebSocket },
  signal: 'SIGINT' | 'SIGKILL',
): Promise<void> {
  const ended = once(child, 'close');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await ended;
  clearTimeout(timer);
  socket?.terminate();
}

/** Waits for a random time, so that the kill happens at a random moment. */
const moment = (random: Random, longest: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, random.next() * longest));

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'podscope-kill-docker-'));
});
afterAll(async () => {
  // At SIGINT a server waits for its calls. Docker finishes the calls of a killed one, so containers appear later.
  if (last && last.child.exitCode === null && last.child.signalCode === null) await end(last, 'SIGINT');
  // Docker refuses to remove a container while it is being removed, as a server may have requested.
  await vi.waitFor(
    async () => {
      const left = (await containers()).map((line) => line.split(' ')[0] ?? '');
      if (left.length === 0) return;
      await run('docker', ['rm', '--force', '--volumes', ...left]);
      throw new Error('containers may have been created meanwhile');
    },
    { timeout: 120_000, interval: 200 },
  );
  await rm(stateDir, { recursive: true, force: true, maxRetries: 10 });
}, 180_000);

it(`survives ${kills} kills (PODSCOPE_SEED=${seed})`, { timeout: 60_000 + kills * 30_000 }, async () => {
  const random = createRandom(seed);
  const kept = new Map<string, number>();
  /**
   * The containers of the steady pod that servers reported as running. All reports after the first must name the same
   * container, no matter when a server is killed.
   */
  const seen: string[] = [];
  const why: string[] = [];
  let early = 0;
  for (let round = 0; round < kills; round++) {
    if (round > 0 && random.next() < 1 / earlyOneIn) {
      // The kill may happen at any time during the start: while the server opens the store, adopts containers or writes
      // its state.
      early++;
      const child = spawnServer();
      await moment(random, 1_500);
      await end({ child }, 'SIGKILL');
      verifyStore(join(stateDir, 'runs.db'), readDeliveries([]), kept);
      continue;
    }
    const server = await start();
    last = server;
    if (round === 0) {
      const many = Array.from({ length: crowd }, (_, index) => manifest(`crowd-${index}`, 'sleep 1; exit 1'));
      const manifests = [
        manifest('steady', 'sleep 3600'),
        manifest('crashing', 'sleep 1; exit 1'),
        manifest('late', 'sleep 3600'),
        ...many,
      ];
      server.socket.send(
        JSON.stringify({ type: 'command', id: 1, body: { command: 'apply', manifest: manifests.join('---\n') } }),
      );
    }
    // The first server is killed while it starts the pods. Later servers are also killed while they adopt the pods.
    if (round > 0) {
      await server.until(() => server.messages.some((text) => text.includes('"runtimeStateChanged"')));
    } else await server.until(() => server.messages.some((text) => text.includes('"cri.StartContainer"')));
    // At least one server must get far enough to report the steady pod, even on a slow machine.
    if (seen.length === 0 && round >= kills / 2)
      await server.until(() => runningIds(eventsOf(server.messages, 'steady')).length > 0);
    await moment(random, 1_500);
    await end(server, 'SIGKILL');
    const reported = eventsOf(server.messages, 'steady');
    seen.push(...runningIds(reported));
    why.push(`round ${round}:`, ...whyOf(reported));
    verifyStore(join(stateDir, 'runs.db'), readDeliveries(server.messages), kept);
  }
  // The last server isn't killed: every pod must end up with one sandbox and one active container.
  last = await start();
  for (const name of ['steady', 'late']) {
    await expect
      .poll(() => containers(`name=_app_${name}_`, 'status=running'), { timeout: 120_000, interval: 500 })
      .toHaveLength(1);
    expect(await containers(`name=_POD_${name}_`, 'status=running')).toHaveLength(1);
  }
  const [runs = ''] = await containers('name=_app_steady_', 'status=running');
  expect(new Set([...seen, runs.split(' ')[0]]), `the same container runs on\n${why.join('\n')}`).toHaveLength(1);
  await last.until(() => runningIds(eventsOf(last?.messages ?? [], 'steady')).length > 0);
  expect(runningIds(eventsOf(last.messages, 'steady'))).toContain(runs.split(' ')[0]);
  await expect
    .poll(() => containers('name=_POD_crashing_', 'status=running'), { timeout: 120_000, interval: 500 })
    .toHaveLength(1);
  // A server that was killed early may not have recorded a run.
  expect(kept.size).toBeGreaterThanOrEqual(kills - early);
  expect(kept.size).toBeLessThanOrEqual(kills);
});
