/**
 * Tests `cri --runtime sim --profile v1.20` with the API version runtime.v1alpha2, which a kubelet before 1.24 uses.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectCri, serveCri } from '@podscope/cri/grpc';
import { systemClock } from '@podscope/node';
import { background, Tracer } from '@podscope/trace';
import { expect, it } from 'vitest';
import { parseCriOptions } from './options.ts';
import { createRuntime } from './runtime.ts';

it("answers over runtime.v1alpha2 as v1.20's dockershim does", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cri-sim-v1-20-'));
  const endpoint = `unix://${join(folder, 'cri.sock')}`;
  const options = parseCriOptions(['--runtime', 'sim', '--profile', 'v1.20', '--listen', endpoint], {}, true);
  const ctx = background(systemClock(), new Tracer());
  const simulated = await createRuntime(ctx, options, join(folder, 'dockershim'), 'test');
  const server = await serveCri(simulated, { listen: endpoint, ctx, versions: ['v1alpha2'] });
  const remote = await connectCri(ctx, endpoint);
  try {
    expect(remote.apiVersion).toBe('v1alpha2');
    const { runtime } = remote;
    expect(await runtime.version(ctx, {})).toMatchObject({ runtimeApiVersion: '1.41.0' });
    const sandboxConfig = {
      metadata: { name: 'web', namespace: 'default', uid: 'uid-1', attempt: 0 },
      labels: {},
      annotations: {},
    };
    const { podSandboxId } = await runtime.runPodSandbox(ctx, { config: sandboxConfig });
    const { status: sandbox } = await runtime.podSandboxStatus(ctx, { podSandboxId, verbose: true });
    expect(sandbox?.state).toBe('SANDBOX_READY');
    const config = {
      metadata: { name: 'app', attempt: 0 },
      image: { image: 'busybox:1.36' },
      command: ['sleep', '3600'],
      logPath: 'app/0.log',
      labels: {},
      annotations: {},
    };
    const { containerId } = await runtime.createContainer(ctx, { podSandboxId, config, sandboxConfig });
    const { status } = await runtime.containerStatus(ctx, { containerId });
    expect(status).toMatchObject({
      image: { image: 'busybox:1.36' },
      imageRef: expect.stringMatching(/^docker-pullable:\/\/busybox@sha256:/),
    });
  } finally {
    await remote.close();
    await server.close();
    await simulated.close();
    await rm(folder, { recursive: true, force: true });
  }
});
