/** Tests the v1.20 dockershim on a real engine, in cases where it differs from the current dockershim. */
import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type RealShim, realShim } from '../../testing/real-shim.ts';
import { containerRequest, sandboxConfig } from '../../testing/requests.ts';

describe('the v1.20 dockershim on the Docker Engine', () => {
  let shim: RealShim;
  beforeAll(async () => {
    shim = await realShim({ release: 'v1.20' });
  });
  afterAll(() => shim?.cleanup());

  it("runs a pod, links CRI's log to Docker's and reports a pullable image id", async () => {
    const { ctx } = shim;
    const { runtime } = shim.runtime;
    const logDirectory = await mkdtemp(join(tmpdir(), 'dockershim-v1-20-'));
    onTestFinished(() => rm(logDirectory, { recursive: true, force: true }));
    const name = `v1-20-${crypto.randomUUID().slice(0, 8)}`;
    const config = sandboxConfig({
      metadata: { name, namespace: 'podscope-test', uid: crypto.randomUUID(), attempt: 0 },
      hostname: name,
      logDirectory,
    });
    const { podSandboxId } = await runtime.runPodSandbox(ctx, { config });
    const request = containerRequest(
      podSandboxId,
      { command: ['sh', '-c', 'echo hello; sleep 3600'], logPath: '0.log' },
      config,
    );
    const { containerId } = await runtime.createContainer(ctx, request);
    await runtime.startContainer(ctx, { containerId });

    expect(await readlink(join(logDirectory, '0.log'))).toContain(containerId);
    const { status } = await runtime.containerStatus(ctx, { containerId });
    expect(status).toMatchObject({
      state: 'CONTAINER_RUNNING',
      imageRef: expect.stringMatching(/^docker(-pullable)?:\/\//),
    });
    await expect(runtime.reopenContainerLog(ctx, { containerId })).rejects.toThrow(
      'docker does not support reopening container log files',
    );

    // A stopped sandbox still has its containers. They are removed together with the sandbox.
    await runtime.stopPodSandbox(ctx, { podSandboxId });
    expect((await runtime.podSandboxStatus(ctx, { podSandboxId })).status.state).toBe('SANDBOX_NOTREADY');
    expect((await runtime.containerStatus(ctx, { containerId })).status?.state).toBe('CONTAINER_RUNNING');
    await runtime.removePodSandbox(ctx, { podSandboxId });
    await expect(runtime.containerStatus(ctx, { containerId })).rejects.toThrow(`No such container: ${containerId}`);
    await expect(readlink(join(logDirectory, '0.log'))).rejects.toThrow('ENOENT');
  });
});
