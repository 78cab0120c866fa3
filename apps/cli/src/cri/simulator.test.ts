/**
 * Tests `cri --runtime sim` in the way in which a kubelet uses it: over the socket, with streaming URLs and with logs
 * on disk.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connectCri } from '@podscope/cri/grpc';
import { systemClock } from '@podscope/node';
import { remoteStreams } from '@podscope/streaming';
import { background, Tracer } from '@podscope/trace';
import { expect, it, vi } from 'vitest';

const main = resolve(import.meta.dirname, '../main.ts');

it('serves exec streams, metrics and log files of simulated containers to a kubelet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cri-sim-'));
  const endpoint = `unix://${join(folder, 'cri.sock')}`;
  const child = spawn(process.execPath, [
    main,
    'cri',
    '--runtime',
    'sim',
    '--listen',
    endpoint,
    '--state-dir',
    join(folder, 'state'),
  ]);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let said = '';
  const isReady = Promise.withResolvers<void>();
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
    if (said.includes(`at ${endpoint}`)) isReady.resolve();
  });
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.once('exit', (code) => isReady.reject(new Error(`cri ended with code ${code}: ${said}`)));
  try {
    await isReady.promise;
    const ctx = background(systemClock(), new Tracer());
    const remote = await connectCri(ctx, endpoint);
    const { runtime, logs } = remote;
    const sandboxConfig = {
      metadata: { name: 'web', namespace: 'default', uid: 'uid-1', attempt: 0 },
      logDirectory: join(folder, 'pod-logs'),
      labels: {},
      annotations: {},
    };
    const { podSandboxId } = await runtime.runPodSandbox(ctx, { config: sandboxConfig });
    const config = {
      metadata: { name: 'app', attempt: 0 },
      image: { image: 'busybox:1.36' },
      command: ['sh', '-c', 'echo up; read line; echo "got $line"'],
      stdin: true,
      stdinOnce: true,
      labels: {},
      annotations: {},
      logPath: 'app/0.log',
    };
    const { containerId } = await runtime.createContainer(ctx, { podSandboxId, config, sandboxConfig });
    await runtime.startContainer(ctx, { containerId });

    const streams = remoteStreams(runtime);
    let output = '';
    const stdout = {
      write: (data: Uint8Array) => Promise.resolve(void (output += Buffer.from(data).toString('utf8'))),
    };
    expect(
      await streams.exec(ctx, { containerId, cmd: ['sh', '-c', 'echo there; exit 4'] }, { tty: false, stdout }),
    ).toBe(4);
    expect(output).toBe('there\n');
    const { podMetrics } = await runtime.listPodSandboxMetrics(ctx, {});
    expect(
      podMetrics.map((pod) => [pod.podSandboxId, pod.containerMetrics.map((container) => container.containerId)]),
    ).toEqual([[podSandboxId, [containerId]]]);

    async function* typed(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('hello\n'));
    }
    await streams.attach(ctx, containerId, { tty: false, stdin: typed(), stdout });
    // An attached client can see the end of the process before the log is complete. The exit is recorded after that.
    await vi.waitFor(
      async () => {
        const { status } = await runtime.containerStatus(ctx, { containerId });
        expect(status?.state).toBe('CONTAINER_EXITED');
      },
      { timeout: 120_000 },
    );
    const lines: string[] = [];
    for await (const line of logs.containerLogs(ctx, containerId, {})) lines.push(line.text);
    expect(lines).toEqual(['up', 'got hello']);
    expect(await readFile(join(folder, 'pod-logs/app/0.log'), 'utf8')).toMatch(
      /^\S+Z stdout F up\n\S+Z stdout F got hello\n$/,
    );
    // The running container must not delay the end of the process.
    const sleeper = {
      ...config,
      metadata: { name: 'sleeper', attempt: 0 },
      command: ['sleep', '3600'],
      logPath: 'sleeper/0.log',
    };
    await runtime.startContainer(ctx, {
      containerId: (await runtime.createContainer(ctx, { podSandboxId, config: sleeper, sandboxConfig })).containerId,
    });
    await remote.close();
  } finally {
    child.kill('SIGTERM');
    const [code] = await exited;
    await rm(folder, { recursive: true, force: true });
    expect({ code, said }).toMatchObject({ code: 0 });
  }
});
