import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSandboxName } from '../objects/names.ts';
import { busyboxImage, type RealShim, realShim } from '../testing/real-shim.ts';
import { containerRequest, sandboxConfig } from '../testing/requests.ts';
import { type SecondDockerd, secondDockerd } from '../testing/second-dockerd.ts';
import { waitUntil } from '../testing/wait.ts';

const pauseImage = 'podscope/pause:local';

describe('a Docker daemon that is killed and restarted', () => {
  let dockerd: SecondDockerd;
  let shim: RealShim;
  beforeAll(async () => {
    dockerd = await secondDockerd();
    await dockerd.load(busyboxImage, pauseImage);
    shim = await realShim({ dockerHost: dockerd.host, networkPlugin: 'none' }, dockerd.host);
  }, 180_000);
  afterAll(async () => {
    await shim?.cleanup();
    await dockerd?.remove();
  });

  const config = (name: string) =>
    sandboxConfig({
      metadata: { name, namespace: 'podscope-test', uid: crypto.randomUUID(), attempt: 0 },
      logDirectory: join(shim.stateDirectory, 'pod-logs', name),
    });

  it('makes calls fail with Unavailable; afterwards pods are unchanged and logs complete', async () => {
    const { runtime } = shim.runtime;
    const pod = config('survivor');
    const { podSandboxId } = await runtime.runPodSandbox(shim.ctx, { config: pod });
    const script = 'i=0; while [ ! -e /tmp/stop ]; do echo $i; i=$((i+1)); sleep 0.05; done; exit 4';
    const { containerId } = await runtime.createContainer(
      shim.ctx,
      containerRequest(podSandboxId, { command: ['sh', '-c', script], logPath: 'app.log' }, pod),
    );
    await runtime.startContainer(shim.ctx, { containerId });
    const numbers = async (): Promise<number[]> =>
      (await readFile(join(pod.logDirectory ?? '', 'app.log'), 'utf8'))
        .split('\n')
        .slice(0, -1)
        .map((line) => Number(line.split(' ')[3]));
    await waitUntil(async () => (await numbers()).length > 5, 'the first lines');

    await dockerd.kill();
    await expect(runtime.listContainers(shim.ctx, {})).rejects.toMatchObject({ code: 'Unavailable' });
    expect((await runtime.status(shim.ctx, {})).status.conditions).toMatchObject([
      { type: 'RuntimeReady', status: false, reason: 'DockerDaemonNotReady' },
      {},
    ]);

    await dockerd.start();
    await waitUntil(
      async () => (await runtime.status(shim.ctx, {})).status.conditions[0]?.status === true,
      'the daemon to be ready',
    );
    const { status } = await runtime.containerStatus(shim.ctx, { containerId });
    expect(status.state).toBe('CONTAINER_RUNNING');
    const before = (await numbers()).length;
    await waitUntil(async () => (await numbers()).length > before + 5, 'lines after the restart');
    await runtime.execSync(shim.ctx, { containerId, cmd: ['touch', '/tmp/stop'], timeout: 120 });
    await waitUntil(
      async () => (await runtime.containerStatus(shim.ctx, { containerId })).status.state === 'CONTAINER_EXITED',
      'the end',
    );
    expect((await runtime.containerStatus(shim.ctx, { containerId })).status.exitCode).toBe(4);
    const all = await numbers();
    expect(all).toEqual(all.map((_, index) => index));
    await runtime.stopPodSandbox(shim.ctx, { podSandboxId });
    await runtime.removePodSandbox(shim.ctx, { podSandboxId });
  });

  it('leaves no incomplete sandbox, so the next attempt can use its name', async () => {
    const { runtime } = shim.runtime;
    const pod = config('half-made');
    // Creates the container that remains after a crash between creation and start.
    await shim.docker.createContainer({
      name: makeSandboxName(pod.metadata),
      Image: pauseImage,
      Labels: { 'io.kubernetes.docker.type': 'podsandbox', 'io.podscope.instance': shim.instance },
      HostConfig: { NetworkMode: 'none' },
    });
    await expect(runtime.runPodSandbox(shim.ctx, { config: pod })).rejects.toThrow(/Conflict/);
    const { podSandboxId } = await runtime.runPodSandbox(shim.ctx, { config: pod });
    expect((await runtime.podSandboxStatus(shim.ctx, { podSandboxId })).status.state).toBe('SANDBOX_READY');
    await runtime.stopPodSandbox(shim.ctx, { podSandboxId });
    await runtime.removePodSandbox(shim.ctx, { podSandboxId });
    expect(await readdir(join(shim.stateDirectory, 'sandbox'))).toEqual([]);
    expect(await shim.leaks()).toEqual([]);
  });
});
