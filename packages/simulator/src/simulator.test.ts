import { describe, expect, it } from 'vitest';
import { noLatencies } from './options.ts';
import { Stage } from './testing/stage.ts';

describe('a start', () => {
  it('is one: a second is refused, and what stops or removes the container waits for it', async () => {
    const stage = new Stage();
    const sandbox = await stage.sandbox({ logDirectory: '/var/log/pods/x' });
    const id = await stage.create({ command: ['sh', '-c', 'echo up; sleep 3600'] }, sandbox);
    const { runtime } = stage.simulator;
    const both = Promise.allSettled([runtime.startContainer(stage.ctx, { containerId: id }), runtime.startContainer(stage.ctx, { containerId: id })]);
    expect((await stage.drive(both)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await stage.clock.advance(1000);
    expect(await stage.lines(id)).toEqual(['up']);

    const late = await stage.create({ metadata: { name: 'late', attempt: 0 }, command: ['sleep', '3600'] }, sandbox);
    const started = runtime.startContainer(stage.ctx, { containerId: late });
    await stage.drive(Promise.allSettled([started, runtime.removePodSandbox(stage.ctx, { podSandboxId: sandbox.id })]));
    await stage.clock.advance(10_000);
    const { containers } = await stage.driven.runtime.listContainers(stage.ctx, {});
    expect(containers).toEqual([]);
  });

  it('needs a log file, in the directory of logs', async () => {
    const stage = new Stage();
    const sandbox = await stage.sandbox({ logDirectory: '/var/log/pods/x' });
    await expect(stage.create({ logPath: '../../../../etc/passwd' }, sandbox)).rejects.toThrow('leads out of the log directory /var/log/pods/x');
  });
});

describe('the hands that reach in', () => {
  it('kill a container', async () => {
    const stage = new Stage();
    const id = await stage.start({ command: ['sleep', '3600'] });
    await stage.simulator.killContainer(id);
    expect(await stage.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 137, reason: 'Error' });
    await expect(stage.simulator.killContainer(id)).rejects.toMatchObject({ code: 'FailedPrecondition' });
    await expect(stage.simulator.killContainer('none')).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('let a container exit', async () => {
    const stage = new Stage();
    const id = await stage.start({ command: ['sleep', '3600'] });
    await stage.simulator.exitContainer(id, 0);
    expect(await stage.status(id)).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  it('end a sandbox and leave its containers running', async () => {
    const stage = new Stage();
    const sandbox = await stage.sandbox();
    const id = await stage.start({ command: ['sleep', '3600'] }, sandbox);
    await stage.simulator.stopSandboxFromOutside(sandbox.id);
    const { status } = await stage.driven.runtime.podSandboxStatus(stage.ctx, { podSandboxId: sandbox.id });
    expect(status).toMatchObject({ state: 'SANDBOX_NOTREADY', network: { ip: '' } });
    expect((await stage.status(id)).state).toBe('CONTAINER_RUNNING');
    const late = await stage.create({ metadata: { name: 'late', attempt: 0 }, command: ['true'] }, sandbox);
    await expect(stage.driven.runtime.startContainer(stage.ctx, { containerId: late })).rejects.toThrow(
      `cannot join network of a non running container: ${sandbox.id}`,
    );
  });

  it('make calls fail, so many times', async () => {
    const stage = new Stage();
    stage.simulator.failNext('CreateContainer', 'no space left on device', { times: 2 });
    await expect(stage.create()).rejects.toMatchObject({ name: 'CriError', code: 'Unknown', message: 'no space left on device' });
    await expect(stage.create()).rejects.toThrow('no space left on device');
    await expect(stage.create()).resolves.toMatch(/^[0-9a-f]{64}$/);
  });

  it('make calls fail late', async () => {
    const stage = new Stage();
    stage.simulator.failNext('Version', 'too late', { after: 120_000 });
    const before = stage.clock.now();
    await expect(stage.driven.runtime.version(stage.ctx, {})).rejects.toThrow('too late');
    expect(stage.clock.now() - before).toBe(120_000);
  });

  it('break the network plugin', async () => {
    const stage = new Stage();
    stage.simulator.setNetworkReady(false);
    const { status } = await stage.driven.runtime.status(stage.ctx, {});
    expect(status.conditions[1]).toMatchObject({ type: 'NetworkReady', status: false, reason: 'NetworkPluginNotReady' });
    await expect(stage.sandbox()).rejects.toThrow(
      /failed to set up sandbox container "[0-9a-f]{64}" network for pod "pod-1": networkPlugin cni failed to set up pod "pod-1_default" network: cni config uninitialized/,
    );
    expect((await stage.driven.runtime.listPodSandbox(stage.ctx, {})).items).toEqual([]);
    stage.simulator.setNetworkReady(true);
    await expect(stage.sandbox()).resolves.toBeDefined();
  });
});

describe('the network', () => {
  it('runs out of addresses, and has them again', async () => {
    const stage = new Stage({ ipRange: '10.9.0.0/29' });
    const sandboxes = [];
    for (let i = 0; i < 5; i++) sandboxes.push(await stage.sandbox());
    await expect(stage.sandbox()).rejects.toThrow('failed to allocate for range 0: no IP addresses available in range set: 10.9.0.1-10.9.0.6');
    await stage.driven.runtime.stopPodSandbox(stage.ctx, { podSandboxId: sandboxes[1]?.id ?? '' });
    const { id } = await stage.sandbox();
    const { status } = await stage.driven.runtime.podSandboxStatus(stage.ctx, { podSandboxId: id });
    expect(status.network?.ip).toBe('10.9.0.3');
  });

  it('fails as the plugin does', async () => {
    const stage = new Stage();
    stage.simulator.failNext('CNI ADD', 'plugin type="bridge" failed (add): permission denied');
    await expect(stage.sandbox()).rejects.toThrow(/network: plugin type="bridge" failed \(add\): permission denied$/);
  });

  it('reaches pods from the node and from pods', async () => {
    const stage = new Stage();
    await stage.startImage('nginx:1.27');
    await stage.clock.advance(1000);
    const get = (url: string, timeoutMs?: number) => stage.drive(stage.simulator.network.get({ url, headers: {}, timeoutMs }));
    expect(await get('http://10.244.0.2/')).toMatchObject({ status: 200, body: expect.stringContaining('Welcome to nginx!') });
    expect(await get('http://10.244.0.2/none')).toMatchObject({ status: 404 });
    await expect(get('http://10.244.0.2:81/')).rejects.toThrow('Get "http://10.244.0.2:81/": dial tcp 10.244.0.2:81: connect: connection refused');
    await expect(get('http://10.244.0.99/')).rejects.toThrow('no route to host');
    await stage.drive(stage.simulator.network.dial('10.244.0.2', 80, 1000));
    await expect(stage.drive(stage.simulator.network.dial('10.244.0.2', 81, 1000))).rejects.toThrow('connection refused');
    const client = await stage.start({ command: ['wget', '-q', '-O', '-', 'http://10.244.0.2/'] });
    expect(await stage.exited(client)).toMatchObject({ exitCode: 0 });
  });

  it('waits no longer than a probe does', async () => {
    const stage = new Stage();
    await stage.startScript('run; listen=80 delay=5s');
    await stage.clock.advance(100);
    const before = stage.clock.now();
    await expect(stage.drive(stage.simulator.network.get({ url: 'http://10.244.0.2/', headers: {}, timeoutMs: 1000 }))).rejects.toThrow(
      'Client.Timeout exceeded',
    );
    expect(stage.clock.now() - before).toBe(1000);
  });

  it('needs a range that is one', () => {
    expect(() => new Stage({ ipRange: 'ten' })).toThrow('ipRange "ten" is not an IPv4 range such as 10.244.0.0/24');
  });
});

describe('time', () => {
  it('passes as the latencies say', async () => {
    const stage = new Stage({ latencies: { CreateContainer: 1000 } });
    const sandbox = await stage.sandbox();
    const before = stage.clock.now();
    await stage.create({}, sandbox);
    expect(stage.clock.now() - before).toBeGreaterThanOrEqual(800);
    expect(stage.clock.now() - before).toBeLessThanOrEqual(1200);
  });

  it('does not pass without them', async () => {
    const stage = new Stage({ latencies: noLatencies });
    const before = stage.clock.now();
    await stage.start({ command: ['sleep', '10'] });
    expect(stage.clock.now()).toBe(before);
  });

  it('ends a call with its caller, and leaves what was begun to its end', async () => {
    const stage = new Stage();
    const id = await stage.start({ command: ['sleep', '3600'] });
    const controller = new AbortController();
    stage.clock.schedule(2000, () => controller.abort(new Error('enough')));
    const stopping = stage.simulator.runtime.stopContainer({ ...stage.ctx, signal: controller.signal }, { containerId: id, timeout: 10 });
    await expect(stage.drive(stopping)).rejects.toThrow('enough');
    expect((await stage.status(id)).state).toBe('CONTAINER_RUNNING');
    await stage.clock.advance(10_000);
    expect(await stage.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 137 });
  });
});

describe('stats', () => {
  it('grow with what a container does', async () => {
    const stage = new Stage();
    const sandbox = await stage.sandbox();
    const busy = await stage.start({ metadata: { name: 'busy', attempt: 0 }, command: ['sh', '-c', 'while true; do :; done'] }, sandbox);
    const idle = await stage.start({ metadata: { name: 'idle', attempt: 0 }, command: ['sleep', '3600'] }, sandbox);
    await stage.clock.advance(60_000);
    const cpu = async (containerId: string) =>
      (await stage.driven.runtime.containerStats(stage.ctx, { containerId })).stats.cpu?.usageCoreNanoSeconds?.value ?? 0;
    expect(await cpu(busy)).toBeGreaterThan(50e9);
    expect(await cpu(idle)).toBeLessThan(1e9);
  });
});
