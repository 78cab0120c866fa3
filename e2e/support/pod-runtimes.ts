/**
 * Starts the runtimes on which pods run in tests (the Docker engine and CRI endpoints), and inspects the pods on them.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ContainerState, PodSandboxState } from '@podscope/cri';
import { connectCri } from '@podscope/cri/grpc';
import { startContainerd } from '@podscope/cri/testing/containerd';
import { background, instant, Tracer } from '@podscope/trace';
import { docker } from './docker.ts';

/** The sandboxes and containers of one pod, read from the runtime and not from the server. */
export interface PodOnRuntime {
  readonly sandboxes: readonly { readonly id: string; readonly attempt: number; readonly state: PodSandboxState }[];
  readonly containers: readonly {
    readonly id: string;
    readonly name: string;
    readonly attempt: number;
    readonly state: ContainerState;
  }[];
}

export interface PodRuntime {
  /** Name of the object, as in container ids. */
  readonly name: string;
  /** The value for the server's option `--runtime`. */
  readonly runtime: 'docker' | `unix://${string}`;
  /**
   * Returns the pod with this UID. The name isn't enough, because other tests may run pods of the same name on the same
   * runtime.
   */
  pod(uid: string): Promise<PodOnRuntime>;
  /** Kills a sandbox's process without using CRI. */
  killSandbox(id: string): Promise<unknown>;
  /** Removes one name of an image. */
  forgetImage(name: string): Promise<unknown>;
  /** Stops the runtime and everything that ran on it. */
  stop(): Promise<void>;
}

const main = resolve(import.meta.dirname, '../../apps/cli/src/main.ts');

/** Returns the Docker engine. The server uses it through its own dockershim. */
export const dockerEngine = (): Promise<PodRuntime> =>
  Promise.resolve({
    name: 'docker',
    runtime: 'docker',
    pod: podOnDocker,
    killSandbox: (id) => docker('kill', id),
    forgetImage: (name) => docker('rmi', name),
    stop: () => Promise.resolve(),
  });

/** Starts `podscope cri`, which serves dockershim, in the way in which users start it. */
export async function serveDockershim(): Promise<PodRuntime> {
  const folder = await mkdtemp(join(tmpdir(), 'podscope-cri-'));
  const endpoint = `unix://${join(folder, 'cri.sock')}` as const;
  const child = spawn(
    process.execPath,
    [
      main,
      'cri',
      '--listen',
      endpoint,
      '--state-dir',
      join(folder, 'state'),
      '--sandbox-image',
      'podscope/pause:local',
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  await new Promise<void>((ready, fail) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      if (text.includes(`at ${endpoint}`)) ready();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => fail(new Error(`cri ended with code ${code}:\n${text}`)));
  });
  return {
    name: 'docker',
    runtime: endpoint,
    pod: (uid) => podBehind(endpoint, uid),
    killSandbox: (id) => docker('kill', id),
    forgetImage: (name) => docker('rmi', name),
    async stop() {
      const exited = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGTERM');
      const [code] = await exited;
      await rm(folder, { recursive: true, force: true });
      if (code !== 0) throw new Error(`cri ended with code ${code}:\n${text}`);
    },
  };
}

/** Starts a containerd for the test. */
export async function serveContainerd(): Promise<PodRuntime> {
  const containerd = await startContainerd(['busybox:1.36']);
  return {
    name: 'containerd',
    runtime: containerd.endpoint,
    pod: (uid) => podBehind(containerd.endpoint, uid),
    killSandbox: (id) => containerd.ctr('tasks', 'kill', '--signal', 'SIGKILL', id),
    // Nothing needs to be done, because the images are removed together with the runtime.
    forgetImage: () => Promise.resolve(),
    stop: () => containerd.stop(),
  };
}

const supervisor = resolve(import.meta.dirname, '../../apps/relay/src/supervisor.process.ts');

/** Returns a function that starts the same runtime with the relay in front of it. The server uses the relay. */
export const behindRelay = (serve: () => Promise<PodRuntime>) => async (): Promise<PodRuntime> => {
  const behind = await serve();
  const folder = await mkdtemp(join(tmpdir(), 'podscope-relay-'));
  const [listen, control] = [join(folder, 'cri.sock'), join(folder, 'relay.sock')];
  const runtime = behind.runtime.replace('unix://', '');
  const relay = fork(supervisor, ['--listen', listen, '--runtime', runtime, '--control', control]);
  await once(relay, 'message');
  return {
    ...behind,
    runtime: `unix://${listen}`,
    async stop() {
      const exited = once(relay, 'exit');
      relay.kill('SIGTERM');
      await exited;
      await behind.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const clock = { now: () => instant(Date.now()), schedule: () => ({ cancel: () => undefined }) };

/** Reads the pod from a CRI endpoint. */
async function podBehind(endpoint: string, uid: string): Promise<PodOnRuntime> {
  const ctx = background(clock, new Tracer());
  const remote = await connectCri(ctx, endpoint, { connectTimeout: 120_000 });
  try {
    const filter = { labelSelector: { 'io.kubernetes.pod.uid': uid } };
    const { items } = await remote.runtime.listPodSandbox(ctx, { filter });
    const { containers } = await remote.runtime.listContainers(ctx, { filter });
    return {
      sandboxes: items.map(({ id, metadata, state }) => ({ id, attempt: metadata.attempt, state })),
      containers: containers.map(({ id, metadata, state }) => ({
        id,
        name: metadata.name,
        attempt: metadata.attempt,
        state,
      })),
    };
  } finally {
    await remote.close();
  }
}

const dockershimName = /^k8s_([^_]+)_[^_]+_[^_]+_[^_]+_(\d+)$/;

/** Reads the pod from the engine, by the names that dockershim gives to containers. */
async function podOnDocker(uid: string): Promise<PodOnRuntime> {
  const out = await docker(
    'ps',
    '-a',
    '--no-trunc',
    '--format',
    '{{.ID}} {{.Names}} {{.State}}',
    '--filter',
    `label=io.kubernetes.pod.uid=${uid}`,
  );
  const all = out
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [id = '', dockerName = '', state = ''] = line.split(' ');
      const [, name, attempt] = dockershimName.exec(dockerName) ?? [];
      if (name === undefined) throw new Error(`${dockerName} is no name that dockershim gives`);
      return { id, name, attempt: Number(attempt), isRunning: state === 'running', state };
    });
  return {
    sandboxes: all
      .filter(({ name }) => name === 'POD')
      .map(({ id, attempt, isRunning }) => ({ id, attempt, state: isRunning ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY' })),
    containers: all
      .filter(({ name }) => name !== 'POD')
      .map(({ id, name, attempt, isRunning, state }) => ({
        id,
        name,
        attempt,
        state: isRunning ? 'CONTAINER_RUNNING' : state === 'created' ? 'CONTAINER_CREATED' : 'CONTAINER_EXITED',
      })),
  };
}
