import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dockershimOver } from '../create-dockershim.ts';
import { DockerError, responseError } from '../docker/error.ts';
import { type NetworkPlugin, noopNetworkPlugin } from '../network/plugin.ts';
import { makeSandboxName } from '../objects/names.ts';
import { type FakeShim, fakeShim } from '../testing/fake-shim.ts';
import { sandboxConfig } from '../testing/requests.ts';

const run = ({ runtime, ctx }: FakeShim, overrides = {}, runtimeHandler = '') =>
  runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig(overrides), runtimeHandler });

const pidFailure = () =>
  responseError(500, "OCI runtime create failed: can't get final child's PID from pipe: EOF: unknown");
const isProbe = (args: object): boolean => 'name' in args && String(args.name).startsWith('podscope_probe_');

/** Returns the tree of spans as text, indented by two spaces per level. */
function spans({ log }: FakeShim): string[] {
  const depths = new Map<number, number>();
  return log.after(0).flatMap((event) => {
    if (event.type !== 'spanStarted') return [];
    const depth = event.parent === undefined ? 0 : (depths.get(event.parent) ?? -1) + 1;
    depths.set(event.span, depth);
    return [`${'  '.repeat(depth)}${event.point}`];
  });
}

const checkpoints = ({ stateDirectory }: FakeShim): Promise<string[]> => readdir(join(stateDirectory, 'sandbox'));

describe('RunPodSandbox', () => {
  it('emits five steps with their Docker calls', async () => {
    const shim = await fakeShim();
    const before = spans(shim).length;
    const { podSandboxId } = await run(shim);
    expect(spans(shim).slice(before)).toEqual([
      'dockershim.ensureSandboxImage',
      '  docker.InspectImage',
      'dockershim.createSandboxContainer',
      '  dockershim.probeOomScore',
      '    docker.CreateContainer',
      '    docker.StartContainer',
      '    docker.RemoveContainer',
      '  docker.CreateContainer',
      'dockershim.createSandboxCheckpoint',
      'dockershim.startSandboxContainer',
      '  docker.StartContainer',
      'dockershim.setUpSandboxNetwork',
    ]);
    expect(await readFile(join(shim.stateDirectory, 'sandbox', podSandboxId), 'utf8')).toBe(
      '{"version":"v1","name":"web","namespace":"default","data":{},"checksum":815459779}',
    );
    const { status } = await shim.runtime.runtime.podSandboxStatus(shim.ctx, { podSandboxId });
    expect(status).toMatchObject({
      state: 'SANDBOX_READY',
      network: { ip: '172.17.0.2' },
      createdAt: 1_767_225_600_000_000_001n,
    });
  });

  it('reports the sandbox as not ready until its network is set up', async () => {
    const looks: string[] = [];
    const network: NetworkPlugin = {
      ...noopNetworkPlugin,
      setUpPod: async (ctx, { sandboxId }) => {
        const { runtime } = shim.runtime;
        const { items } = await runtime.listPodSandbox(ctx, {});
        const { status } = await runtime.podSandboxStatus(ctx, { podSandboxId: sandboxId });
        looks.push(...items.map(({ state }) => state), status.state);
      },
    };
    const shim = await fakeShim({}, network);
    const { podSandboxId } = await run(shim);
    expect(looks).toEqual(['SANDBOX_NOTREADY', 'SANDBOX_NOTREADY']);
    const { items } = await shim.runtime.runtime.listPodSandbox(shim.ctx, {});
    expect(items).toMatchObject([{ id: podSandboxId, state: 'SANDBOX_READY' }]);
  });

  it('reports a sandbox of a killed process as not ready and can stop and remove it', async () => {
    let reached = (): void => undefined;
    const isReached = new Promise<void>((resolve) => (reached = resolve));
    const never = new Promise<void>(() => undefined);
    const shim = await fakeShim({}, { ...noopNetworkPlugin, setUpPod: () => (reached(), never) });
    void run(shim);
    await isReached;
    const options = {
      stateDirectory: shim.stateDirectory,
      instance: 'test',
      sandboxImage: 'pause:1',
      sandboxImageFallback: null,
      logFiles: false,
    };
    const restarted = async () => (await dockershimOver(shim.ctx, shim.docker, options)).runtime;
    for (const runtime of [await restarted(), await restarted()]) {
      const { items } = await runtime.listPodSandbox(shim.ctx, {});
      expect(items.map(({ state }) => state)).toEqual(['SANDBOX_NOTREADY']);
    }
    const runtime = await restarted();
    const podSandboxId = (await runtime.listPodSandbox(shim.ctx, {})).items[0]?.id ?? '';
    expect((await runtime.podSandboxStatus(shim.ctx, { podSandboxId })).status).toMatchObject({
      state: 'SANDBOX_NOTREADY',
      network: { ip: '' },
    });
    expect(await readdir(join(shim.stateDirectory, 'starting'))).toEqual([podSandboxId]);
    await runtime.stopPodSandbox(shim.ctx, { podSandboxId });
    await runtime.removePodSandbox(shim.ctx, { podSandboxId });
    expect(await readdir(join(shim.stateDirectory, 'starting'))).toEqual([]);

    // Writes the record of an unfinished sandbox that has no container, as if another client had removed the container.
    await writeFile(join(shim.stateDirectory, 'starting', podSandboxId), '');
    await restarted();
    expect(await readdir(join(shim.stateDirectory, 'starting'))).toEqual([]);
  });

  it('probes the engine once and requests the score if the engine accepts it', async () => {
    const shim = await fakeShim();
    await run(shim);
    await run(shim, { metadata: { ...sandboxConfig().metadata, attempt: 1 } });
    const created = shim.docker.calls
      .filter(({ operation }) => operation === 'createContainer')
      .map(({ args }) => args);
    expect(created).toMatchObject([
      { name: expect.stringMatching(/^podscope_probe_/) },
      { body: { HostConfig: { OomScoreAdj: -998 } } },
      { body: { HostConfig: { OomScoreAdj: -998 } } },
    ]);
    expect(shim.runtime.deviations()).toEqual([]);
  });

  it('replaces negative scores with 0 if the engine rejects them, records it once and removes the probe', async () => {
    const shim = await fakeShim();
    shim.docker.failNext('startContainer', pidFailure());
    const { podSandboxId } = await run(shim);
    expect(shim.docker.containers.get(podSandboxId)?.body.HostConfig.OomScoreAdj).toBe(0);
    expect(shim.runtime.deviations()).toEqual([expect.stringContaining('OOM scores')]);
    expect([...shim.docker.containers.keys()]).toEqual([podSandboxId]);
    const reported = shim.log.after(0).filter((event) => event.type === 'output');
    expect(reported).toHaveLength(1);
  });

  it('treats another failure of the probe as inconclusive', async () => {
    const shim = await fakeShim();
    shim.docker.failNext('startContainer', responseError(500, 'no space left on device'));
    const { podSandboxId } = await run(shim);
    expect(shim.docker.containers.get(podSandboxId)?.body.HostConfig.OomScoreAdj).toBe(-998);
  });

  it('repeats the probe if the engine went down during it', async () => {
    const shim = await fakeShim();
    shim.docker.failNext('startContainer', pidFailure());
    shim.docker.failNext('startContainer', responseError(500, 'connection error: containerd.sock: connection refused'));
    await run(shim);
    shim.docker.failNext('startContainer', pidFailure());
    const { podSandboxId } = await run(shim, { metadata: { ...sandboxConfig().metadata, attempt: 1 } });
    expect(shim.docker.containers.get(podSandboxId)?.body.HostConfig.OomScoreAdj).toBe(0);
  });

  it('removes the sandbox if the start fails', async () => {
    const shim = await fakeShim();
    // The first call succeeds, so the engine has been probed before the next one.
    await run(shim, { metadata: { ...sandboxConfig().metadata, attempt: 7 } });
    shim.docker.failNext('startContainer', responseError(500, 'boom'));
    await expect(run(shim)).rejects.toMatchObject({
      code: 'Unknown',
      message: 'failed to start sandbox container for pod "web": Error response from daemon: boom',
    });
    expect([...shim.docker.containers.values()].map(({ name }) => name)).toEqual([
      makeSandboxName({ ...sandboxConfig().metadata, attempt: 7 }),
    ]);
    expect(await checkpoints(shim)).toHaveLength(1);
  });

  it('tears down the network and removes the sandbox if the network setup fails', async () => {
    const calls: string[] = [];
    const network: NetworkPlugin = {
      ...noopNetworkPlugin,
      networkMode: 'none',
      setUpPod: () => Promise.reject(new Error('no address left')),
      tearDownPod: (_ctx, pod) => Promise.resolve(void calls.push(`tearDown ${pod.namespace}/${pod.name}`)),
    };
    const shim = await fakeShim({}, network);
    await expect(run(shim)).rejects.toThrow(
      /^failed to set up sandbox container "a+[0-9]" network for pod "web": networkPlugin kubernetes\.io\/no-op failed to set up pod "web_default" network: no address left$/,
    );
    expect(calls).toEqual(['tearDown default/web']);
    expect(shim.docker.containers.size).toBe(0);
    expect(await checkpoints(shim)).toEqual([]);
  });

  it('keeps the checkpoint if the teardown fails too, until the sandbox is stopped and removed', async () => {
    const tornDown: string[] = [];
    let isPluginWell = false;
    const network: NetworkPlugin = {
      ...noopNetworkPlugin,
      networkMode: 'none',
      setUpPod: () => Promise.reject(new Error('no address left')),
      tearDownPod: (_ctx, { sandboxId }) =>
        isPluginWell ? Promise.resolve(void tornDown.push(sandboxId)) : Promise.reject(new Error('plugin crashed')),
    };
    const shim = await fakeShim({}, network);
    const { runtime } = shim.runtime;
    await expect(run(shim)).rejects.toThrow(/no address left.*failed to clean up sandbox container .*plugin crashed/);
    expect(shim.docker.containers.size).toBe(0);
    const { items } = await runtime.listPodSandbox(shim.ctx, {});
    expect(items).toMatchObject([{ state: 'SANDBOX_NOTREADY', metadata: { name: 'web', namespace: 'default' } }]);
    const podSandboxId = items[0]?.id ?? '';
    expect(await checkpoints(shim)).toEqual([podSandboxId]);

    await expect(runtime.stopPodSandbox(shim.ctx, { podSandboxId })).rejects.toThrow('plugin crashed');
    await expect(runtime.removePodSandbox(shim.ctx, { podSandboxId })).rejects.toThrow('plugin crashed');
    expect(await checkpoints(shim)).toEqual([podSandboxId]);
    isPluginWell = true;
    await runtime.removePodSandbox(shim.ctx, { podSandboxId });
    expect(tornDown).toEqual([podSandboxId]);
    expect(await checkpoints(shim)).toEqual([]);
    expect(await readdir(join(shim.stateDirectory, 'starting'))).toEqual([]);
  });

  it("doesn't call the plugin on the host network", async () => {
    const network: NetworkPlugin = { ...noopNetworkPlugin, setUpPod: () => Promise.reject(new Error('called')) };
    const shim = await fakeShim({}, network);
    const namespaceOptions = { network: 'NODE', pid: 'CONTAINER', ipc: 'POD' } as const;
    const { podSandboxId } = await run(shim, { linux: { securityContext: { namespaceOptions } } });
    const { status } = await shim.runtime.runtime.podSandboxStatus(shim.ctx, { podSandboxId });
    expect(status.network).toEqual({ ip: '', additionalIps: [] });
  });

  it("removes an own stopped container with the name and throws the conflict for the caller's retry", async () => {
    const shim = await fakeShim();
    const name = makeSandboxName(sandboxConfig().metadata);
    shim.docker.plant(name, { Labels: { 'io.podscope.instance': 'test' } }, 'exited');
    await expect(run(shim)).rejects.toMatchObject({
      code: 'AlreadyExists',
      message: expect.stringContaining('failed to create a sandbox for pod "web": '),
    });
    await expect(run(shim)).resolves.toBeDefined();
  });

  it('keeps a foreign container with the name and throws an error with the remedy', async () => {
    const shim = await fakeShim();
    const foreign = shim.docker.plant(makeSandboxName(sandboxConfig().metadata), {}, 'exited');
    await expect(run(shim)).rejects.toThrow(
      'does not belong to this Podscope (instance "test") and is left alone: remove or rename it.',
    );
    expect(shim.docker.containers.has(foreign)).toBe(true);
  });

  it('uses another name if the engine reserves the name without a container', async () => {
    const shim = await fakeShim();
    const text = 'Conflict. The container name "/x" is already in use by container "abc". You have to remove it.';
    shim.docker.failNext('createContainer', responseError(409, text), (args) => !isProbe(args));
    const { podSandboxId } = await run(shim);
    expect(shim.docker.containers.get(podSandboxId)?.name).toMatch(/^k8s_POD_web_default_uid-1_0_[0-9a-f]{8}$/);
  });

  it("decides that Docker's bridge applies no bandwidth annotations, and whether the network is ready", async () => {
    const shim = await fakeShim();
    await run(shim, { annotations: { 'kubernetes.io/egress-bandwidth': '1M' } });
    expect(shim.decisions('setUpPod.bandwidth')).toEqual(["no: Docker's bridge has no bandwidth limits"]);
    expect(shim.decisions('runPodSandbox.networkReady')).toEqual(['yes: the plugin has set it up']);
  });

  it('decides that the network is not ready after a failed setup', async () => {
    const shim = await fakeShim({}, { ...noopNetworkPlugin, setUpPod: () => Promise.reject(new Error('no')) });
    await expect(run(shim)).rejects.toThrow('no');
    expect(shim.decisions('runPodSandbox.networkReady')).toEqual(['no: the plugin failed']);
  });

  it.each(
    (['v1.36', 'v1.20'] as const).flatMap((release) =>
      (['POD', 'CONTAINER', 'NODE'] as const).map((pid) => [release, pid] as const),
    ),
  )(
    'reports in %s the PID namespace mode %s of the request in the status, which the engine does not have',
    async (release, pid) => {
      const { runtime, ctx } = await fakeShim({ release });
      const linux = { securityContext: { namespaceOptions: { network: 'POD', pid, ipc: 'POD' } } } as const;
      const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig({ linux }) });
      const { status } = await runtime.runtime.podSandboxStatus(ctx, { podSandboxId });
      expect(status?.linux?.namespaces?.options?.pid).toBe(pid);
    },
  );

  it('accepts runtime handlers of the engine and rejects others', async () => {
    const shim = await fakeShim();
    const { podSandboxId } = await run(shim, {}, 'other');
    expect((await shim.runtime.runtime.podSandboxStatus(shim.ctx, { podSandboxId })).status.runtimeHandler).toBe(
      'other',
    );
    await expect(run(shim, {}, 'nope')).rejects.toMatchObject({
      code: 'InvalidArgument',
      message: 'failed to get sandbox runtime: no runtime for "nope" is configured',
    });
  });

  it('rejects a pod without metadata', async () => {
    const shim = await fakeShim();
    await expect(run(shim, { metadata: { name: '', namespace: '', uid: '', attempt: 0 } })).rejects.toMatchObject({
      code: 'InvalidArgument',
    });
  });
});

const unreachable = (): DockerError => new DockerError('Unknown', 'no such host');

describe('the sandbox image', () => {
  const image = 'registry.example/pause:9';

  it('is pulled when it is absent', async () => {
    const shim = await fakeShim({ sandboxImage: image });
    const { podSandboxId } = await run(shim);
    expect(shim.docker.containers.get(podSandboxId)?.body.Image).toBe(image);
  });

  it('throws an error with the remedy if the image is unavailable', async () => {
    const shim = await fakeShim({
      sandboxImage: image,
      sandboxImageFallback: { image: 'podscope/pause:local', when: 'pullFails' },
    });
    shim.docker.failNext('pullImage', unreachable());
    await expect(run(shim)).rejects.toThrow(
      /^failed pulling image "registry.example\/pause:9": no such host \(no sandbox image is here: build "podscope\/pause:local" with .* local-images/,
    );
  });

  it('uses the fallback if the image is unavailable, without pulling again each time', async () => {
    const shim = await fakeShim({ sandboxImage: image, sandboxImageFallback: { image: 'pause:1', when: 'pullFails' } });
    shim.docker.failNext('pullImage', unreachable());
    const { podSandboxId } = await run(shim);
    expect(shim.docker.containers.get(podSandboxId)?.body.Image).toBe('pause:1');
    expect(shim.runtime.deviations()).toEqual([`Sandboxes use the image pause:1: ${image} is not on this engine.`]);
    shim.docker.takeCalls();
    await run(shim, { metadata: { ...sandboxConfig().metadata, attempt: 1 } });
    expect(shim.docker.takeCalls()).not.toContain('pullImage');
  });

  it("isn't pulled if the fallback may be used at once", async () => {
    const shim = await fakeShim({ sandboxImage: image, sandboxImageFallback: { image: 'pause:1', when: 'absent' } });
    await run(shim);
    expect(shim.docker.takeCalls()).not.toContain('pullImage');
  });
});
