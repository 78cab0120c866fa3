/**
 * Implements `bench kubelet`: measures the path from a manifest to the app's process and from its removal to its exit,
 * through the API and through the manifest directory, relative to the same containers made with direct Docker calls.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CommandBody, UsageError } from '@podscope/command-line';
import { repositoryRoot } from '@podscope/server/embed';
import { z } from 'zod';
import { EngineEvents } from './kubelet/engine-events.ts';
import { PlainDocker } from './runtime/plain-docker.ts';
import { processorTime } from './runtime/process-usage.ts';
import { median } from './runtime/statistics.ts';
import { type Figure, meets, printFigure } from './ui/figure.ts';

const image = 'busybox:1.36';
const sandboxImage = 'podscope/pause:local';
const socket = '/var/run/docker.sock';
const token = 'bench-kubelet';
/** Label of the containers that are made directly. */
const directLabel = 'io.podscope.bench';
/**
 * Limit for the time through the manifest directory, relative to the time through the API. Both ways are equally fast,
 * except for the noise of the medians.
 */
const fileLimit = 1.1;

const help = `Usage: npx -y pnpm@12 bench kubelet [--rounds N]

Starts a server on the machine's Docker engine and runs a pod of one container, by turns (a) through the API, (b)
through a file in its manifest directory, and (c) with direct Docker calls. Prints medians from the request or the
rename to the start of the app's process and from the removal to its exit, by the engine's clock, their ratios to
(c), and the processor time of the server for each pod. Needs a local Docker Engine with ${image} and ${sandboxImage}
(npx -y pnpm@12 local-images).

Options:
  --rounds N   How often each is measured (default: 15). One more of each goes before, unmeasured.

Exit code: 0 if files are as fast as the API, 1 otherwise.`;

function roundsOf(args: readonly string[]): number {
  try {
    const options = { rounds: { type: 'string', default: '15' } } as const;
    const rounds = Number(parseArgs({ args: [...args], options, strict: true }).values.rounds);
    if (Number.isInteger(rounds) && rounds > 0 && rounds <= 1000) return rounds;
    throw new UsageError('--rounds is not a number from 1 to 1000');
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message, { cause: error });
  }
}

/** Exits at once on TERM, so that the time until its exit measures only the path of the deletion. */
const command = ['sh', '-c', 'trap "exit 0" TERM; sleep 3600 & wait'];

const manifestOf = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'app', image, command }] },
  });

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startServer(folder: string, manifests: string): Promise<Server> {
  const main = join(repositoryRoot, 'apps/server/src/main.ts');
  const args = ['--runtime', 'docker', '--port', '0', '--no-build', '--state-dir', join(folder, 'state')];
  const child = spawn(
    process.execPath,
    [main, ...args, '--manifest-dir', manifests, '--sandbox-image', sandboxImage, '--token', token],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(text);
    if (found && text.includes('Ctrl+C')) return { child, port: Number(found[1]) };
  }
  throw new Error(`the server ended: ${text}`);
}

/**
 * One way to run a pod and to remove it. Both functions resolve at once; the engine's events show when the pod actually
 * started and ended.
 */
interface Way {
  readonly what: string;
  start(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Returns true for the labels of the pod's app container. */
  isApp(labels: Readonly<Record<string, string>>, name: string): boolean;
}

const isPodApp: Way['isApp'] = (labels, name) =>
  labels['io.kubernetes.docker.type'] === 'container' &&
  (labels['io.kubernetes.pod.name'] ?? '').replace(/-podscope$/, '') === name;

async function request(port: number, method: string, path: string, body?: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

const throughApi = ({ port }: Server): Way => ({
  what: 'API',
  start: (name) => request(port, 'POST', '/api/v1/namespaces/default/pods', manifestOf(name)),
  remove: (name) => request(port, 'DELETE', `/api/v1/namespaces/default/pods/${name}`),
  isApp: isPodApp,
});

const throughFiles = (manifests: string, folder: string): Way => ({
  what: 'manifest directory',
  async start(name) {
    const file = join(folder, `${name}.json`);
    await writeFile(file, manifestOf(name));
    await rename(file, join(manifests, `${name}.json`));
  },
  remove: (name) => unlink(join(manifests, `${name}.json`)),
  isApp: isPodApp,
});

const created = z.object({ Id: z.string() });

/**
 * Returns the way that uses direct Docker calls: it creates a sandbox container, and an app container in the namespaces
 * of the sandbox.
 */
function direct(docker: PlainDocker): Way {
  const ids = new Map<string, readonly [string, string]>();
  const create = async (name: string, body: object): Promise<string> => {
    const text = await docker.call('POST', `/containers/create?name=${name}`, JSON.stringify(body));
    return created.parse(JSON.parse(text)).Id;
  };
  return {
    what: 'direct Docker calls',
    async start(name) {
      const labels = { Labels: { [directLabel]: name } };
      const sandbox = await create(`${name}-pod`, {
        Image: sandboxImage,
        Labels: {},
        HostConfig: { IpcMode: 'shareable' },
      });
      await docker.call('POST', `/containers/${sandbox}/start`, undefined);
      const mode = `container:${sandbox}`;
      const HostConfig = { NetworkMode: mode, IpcMode: mode };
      const app = await create(name, { Image: image, Cmd: command, ...labels, HostConfig });
      ids.set(name, [app, sandbox]);
      await docker.call('POST', `/containers/${app}/start`, undefined);
    },
    async remove(name) {
      const [app, sandbox] = ids.get(name) ?? [];
      await docker.call('POST', `/containers/${app}/stop?t=5`, undefined);
      for (const id of [app, sandbox]) await docker.call('DELETE', `/containers/${id}?force=1&v=1`, undefined);
    },
    isApp: (labels, name) => labels[directLabel] === name,
  };
}

/** The medians of one way to run a pod, in milliseconds. */
interface Measured {
  readonly starts: number[];
  readonly removals: number[];
  /** Processor time of the server for a whole pod. */
  readonly processor: number[];
}

const now = (): number => performance.timeOrigin + performance.now();
/**
 * How long a started pod runs before it is removed, and how long its removal is watched before the next pod starts, in
 * milliseconds. A worker that has just synced a pod waits for the next relist, up to a second later, before it syncs or
 * terminates the pod: see GetNewerThan. A pod that is removed two seconds after its start can be delayed by that wait.
 */
const [runMs, restMs] = [4_000, 2_000];
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function cycle(way: Way, name: string, events: EngineEvents, pid: number, into: Measured | undefined) {
  const isApp = (labels: Readonly<Record<string, string>>): boolean => way.isApp(labels, name);
  const before = await processorTime(pid);
  const started = events.next('start', isApp);
  const begin = now();
  await way.start(name);
  const startedAt = await started;
  await wait(runMs);
  const ended = events.next('die', isApp);
  const removal = now();
  await way.remove(name);
  const endedAt = await ended;
  await wait(restMs);
  into?.starts.push(startedAt - begin);
  into?.removals.push(endedAt - removal);
  into?.processor.push((await processorTime(pid)) - before);
}

function figuresOf(ways: ReadonlyMap<Way, Measured>): readonly Figure[] {
  const [api, files, floor] = [...ways.values()].map(({ starts, removals, processor }) => ({
    start: median(starts),
    removal: median(removals),
    processor: median(processor),
  }));
  if (!api || !files || !floor) throw new Error('a way to run a pod is missing');
  const figures: Figure[] = [];
  for (const [what, values] of [
    ['API', api],
    ['manifest directory', files],
    ['direct Docker calls', floor],
  ] as const) {
    figures.push({ what: `${what}: to the app's process`, value: values.start, unit: 'ms' });
    figures.push({ what: `${what}: removal to the app's exit`, value: values.removal, unit: 'ms' });
    if (values === floor) continue;
    figures.push({ what: `${what}: start, times the direct calls`, value: values.start / floor.start, unit: '×' });
    figures.push({
      what: `${what}: removal, times the direct calls`,
      value: values.removal / floor.removal,
      unit: '×',
    });
    // The idle server uses CPU time too: subtract what it used during the direct rounds.
    const own = values.processor - floor.processor;
    figures.push({ what: `${what}: processor time of the server for a pod`, value: own, unit: 'ms' });
  }
  const ratio = (what: 'start' | 'removal'): Figure => ({
    what: `manifest directory: ${what}, times the API`,
    value: files[what] / api[what],
    unit: '×',
    limit: fileLimit,
  });
  return [...figures, ratio('start'), ratio('removal')];
}

async function measure(rounds: number, folder: string): Promise<readonly Figure[]> {
  const manifests = join(folder, 'manifests');
  await mkdir(manifests);
  const server = await startServer(folder, manifests);
  const docker = new PlainDocker(socket);
  const events = await EngineEvents.open(socket);
  const empty = (): Measured => ({ starts: [], removals: [], processor: [] });
  const ways = new Map<Way, Measured>([
    [throughApi(server), empty()],
    [throughFiles(manifests, folder), empty()],
    [direct(docker), empty()],
  ]);
  try {
    const all = [...ways];
    for (let round = 0; round <= rounds; round += 1)
      for (let turn = 0; turn < all.length; turn += 1) {
        // Each round starts with a different way, so that no way always runs after the same other way.
        const index = (turn + round) % all.length;
        const [way, into] = all[index] ?? [];
        if (way)
          await cycle(way, `bench-${index}-${round}`, events, server.child.pid ?? 0, round === 0 ? undefined : into);
      }
    return figuresOf(ways);
  } finally {
    events.close();
    await docker.removeAll(directLabel);
    docker.close();
    const exited = once(server.child, 'exit');
    server.child.kill('SIGINT');
    await exited;
  }
}

export const bench: CommandBody = {
  help,
  examples: [['bench kubelet --rounds 15', 'Measure and print the figures']],
  async run(args) {
    const rounds = roundsOf(args);
    const folder = await mkdtemp(join(tmpdir(), 'podscope-bench-'));
    try {
      const figures = await measure(rounds, folder);
      for (const figure of figures) printFigure(figure);
      return figures.every(meets) ? 0 : 1;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
