import { describe, expect, it } from 'vitest';
import { noLatencies } from './operations.ts';
import { TestRuntime } from './testing/test-runtime.ts';

describe('a start of a container', () => {
  it('rejects a second start, and stop and remove calls wait for the first one', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox({ logDirectory: '/var/log/pods/x' });
    const id = await test.create({ command: ['sh', '-c', 'echo up; sleep 3600'] }, sandbox);
    const { runtime } = test.simulator;
    const both = Promise.allSettled([
      runtime.startContainer(test.ctx, { containerId: id }),
      runtime.startContainer(test.ctx, { containerId: id }),
    ]);
    expect((await test.drive(both)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await test.clock.advance(1000);
    expect(await test.lines(id)).toEqual(['up']);

    const late = await test.create({ metadata: { name: 'late', attempt: 0 }, command: ['sleep', '3600'] }, sandbox);
    const started = runtime.startContainer(test.ctx, { containerId: late });
    await test.drive(Promise.allSettled([started, runtime.removePodSandbox(test.ctx, { podSandboxId: sandbox.id })]));
    await test.clock.advance(10_000);
    const { containers } = await test.driven.runtime.listContainers(test.ctx, {});
    expect(containers).toEqual([]);
  });

  it('fails if the log path leads out of the log directory', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox({ logDirectory: '/var/log/pods/x' });
    await expect(test.create({ logPath: '../../../../etc/passwd' }, sandbox)).rejects.toThrow(
      'leads out of the log directory /var/log/pods/x',
    );
  });
});

describe('actions from outside the kubelet', () => {
  it('killContainer ends a running container with code 137, and rejects any other', async () => {
    const test = new TestRuntime();
    const id = await test.start({ command: ['sleep', '3600'] });
    await test.simulator.killContainer(id);
    expect(await test.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 137, reason: 'Error' });
    await expect(test.simulator.killContainer(id)).rejects.toMatchObject({ code: 'FailedPrecondition' });
    await expect(test.simulator.killContainer('none')).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('exitContainer ends a running container with the given code', async () => {
    const test = new TestRuntime();
    const id = await test.start({ command: ['sleep', '3600'] });
    await test.simulator.exitContainer(id, 0);
    expect(await test.status(id)).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  it('stopSandbox makes the sandbox not ready and keeps its containers running', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox();
    const id = await test.start({ command: ['sleep', '3600'] }, sandbox);
    await test.simulator.stopSandboxFromOutside(sandbox.id);
    const { status } = await test.driven.runtime.podSandboxStatus(test.ctx, { podSandboxId: sandbox.id });
    expect(status).toMatchObject({ state: 'SANDBOX_NOTREADY', network: { ip: '' } });
    expect((await test.status(id)).state).toBe('CONTAINER_RUNNING');
    const late = await test.create({ metadata: { name: 'late', attempt: 0 }, command: ['true'] }, sandbox);
    await expect(test.driven.runtime.startContainer(test.ctx, { containerId: late })).rejects.toThrow(
      `cannot join network of a non running container: ${sandbox.id}`,
    );
  });

  it('failNext makes the given number of calls fail', async () => {
    const test = new TestRuntime();
    test.simulator.failNext('CreateContainer', 'no space left on device', { times: 2 });
    await expect(test.create()).rejects.toMatchObject({
      name: 'CriError',
      code: 'Unknown',
      message: 'no space left on device',
    });
    await expect(test.create()).rejects.toThrow('no space left on device');
    await expect(test.create()).resolves.toMatch(/^[0-9a-f]{64}$/);
  });

  it('failNext with a delay makes a call fail after that time', async () => {
    const test = new TestRuntime();
    test.simulator.failNext('Version', 'too late', { after: 120_000 });
    const before = test.clock.now();
    await expect(test.driven.runtime.version(test.ctx, {})).rejects.toThrow('too late');
    expect(test.clock.now() - before).toBe(120_000);
  });

  it('setNetworkReady(false) makes NetworkReady false and new sandboxes fail', async () => {
    const test = new TestRuntime();
    test.simulator.setNetworkReady(false);
    const { status } = await test.driven.runtime.status(test.ctx, {});
    expect(status.conditions[1]).toMatchObject({
      type: 'NetworkReady',
      status: false,
      reason: 'NetworkPluginNotReady',
    });
    await expect(test.sandbox()).rejects.toThrow(
      /failed to set up sandbox container "[0-9a-f]{64}" network for pod "pod-1": networkPlugin cni failed to set up pod "pod-1_default" network: cni config uninitialized/,
    );
    expect((await test.driven.runtime.listPodSandbox(test.ctx, {})).items).toEqual([]);
    test.simulator.setNetworkReady(true);
    await expect(test.sandbox()).resolves.toBeDefined();
  });
});

describe('the network', () => {
  it('fails sandboxes while no address is free and assigns released addresses again', async () => {
    const test = new TestRuntime({ ipRange: '10.9.0.0/29' });
    const sandboxes = [];
    for (let i = 0; i < 5; i++) sandboxes.push(await test.sandbox());
    await expect(test.sandbox()).rejects.toThrow(
      'failed to allocate for range 0: no IP addresses available in range set: 10.9.0.1-10.9.0.6',
    );
    await test.driven.runtime.stopPodSandbox(test.ctx, { podSandboxId: sandboxes[1]?.id ?? '' });
    const { id } = await test.sandbox();
    const { status } = await test.driven.runtime.podSandboxStatus(test.ctx, { podSandboxId: id });
    expect(status.network?.ip).toBe('10.9.0.3');
  });

  it('fails a sandbox with the error of the CNI plugin', async () => {
    const test = new TestRuntime();
    test.simulator.failNext('CNI ADD', 'plugin type="bridge" failed (add): permission denied');
    await expect(test.sandbox()).rejects.toThrow(/network: plugin type="bridge" failed \(add\): permission denied$/);
  });

  it('connects the node and pods with the servers of a pod', async () => {
    const test = new TestRuntime();
    await test.startImage('nginx:1.27');
    await test.clock.advance(1000);
    const get = (url: string, timeoutMs?: number) =>
      test.drive(test.simulator.network.get({ url, headers: {}, timeoutMs }));
    expect(await get('http://10.244.0.2/')).toMatchObject({
      status: 200,
      body: expect.stringContaining('Welcome to nginx!'),
    });
    expect(await get('http://10.244.0.2/none')).toMatchObject({ status: 404 });
    await expect(get('http://10.244.0.2:81/')).rejects.toThrow(
      'Get "http://10.244.0.2:81/": dial tcp 10.244.0.2:81: connect: connection refused',
    );
    await expect(get('http://10.244.0.99/')).rejects.toThrow('no route to host');
    await test.drive(test.simulator.network.dial('10.244.0.2', 80, 1000));
    await expect(test.drive(test.simulator.network.dial('10.244.0.2', 81, 1000))).rejects.toThrow('connection refused');
    const client = await test.start({ command: ['wget', '-q', '-O', '-', 'http://10.244.0.2/'] });
    expect(await test.exited(client)).toMatchObject({ exitCode: 0 });
  });

  it('fails a request when its timeout is over', async () => {
    const test = new TestRuntime();
    await test.startScript('run; listen=80 delay=5s');
    await test.clock.advance(100);
    const before = test.clock.now();
    await expect(
      test.drive(test.simulator.network.get({ url: 'http://10.244.0.2/', headers: {}, timeoutMs: 1000 })),
    ).rejects.toThrow('Client.Timeout exceeded');
    expect(test.clock.now() - before).toBe(1000);
  });

  it('rejects an invalid `ipRange`', () => {
    expect(() => new TestRuntime({ ipRange: 'ten' })).toThrow(
      'ipRange "ten" is not an IPv4 range such as 10.244.0.0/24',
    );
  });
});

describe('virtual time during a call', () => {
  it('advances by the latency of the operation', async () => {
    const test = new TestRuntime({ latencies: { CreateContainer: 1000 } });
    const sandbox = await test.sandbox();
    const before = test.clock.now();
    await test.create({}, sandbox);
    expect(test.clock.now() - before).toBeGreaterThanOrEqual(800);
    expect(test.clock.now() - before).toBeLessThanOrEqual(1200);
  });

  it('doesn’t advance without latencies', async () => {
    const test = new TestRuntime({ latencies: noLatencies });
    const before = test.clock.now();
    await test.start({ command: ['sleep', '10'] });
    expect(test.clock.now()).toBe(before);
  });

  it('rejects an aborted StopContainer call and still stops the container after its timeout', async () => {
    const test = new TestRuntime();
    const id = await test.start({ command: ['sleep', '3600'] });
    const controller = new AbortController();
    test.clock.schedule(2000, () => controller.abort(new Error('enough')));
    const stopping = test.simulator.runtime.stopContainer(
      { ...test.ctx, signal: controller.signal },
      { containerId: id, timeout: 10 },
    );
    await expect(test.drive(stopping)).rejects.toThrow('enough');
    expect((await test.status(id)).state).toBe('CONTAINER_RUNNING');
    await test.clock.advance(10_000);
    expect(await test.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 137 });
  });
});

describe('stats', () => {
  it('show more CPU time for a busy container than for an idle one', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox();
    const busy = await test.start(
      { metadata: { name: 'busy', attempt: 0 }, command: ['sh', '-c', 'while true; do :; done'] },
      sandbox,
    );
    const idle = await test.start({ metadata: { name: 'idle', attempt: 0 }, command: ['sleep', '3600'] }, sandbox);
    await test.clock.advance(60_000);
    const cpu = async (containerId: string) =>
      (await test.driven.runtime.containerStats(test.ctx, { containerId })).stats.cpu?.usageCoreNanoSeconds?.value ?? 0;
    expect(await cpu(busy)).toBeGreaterThan(50e9);
    expect(await cpu(idle)).toBeLessThan(1e9);
  });
});
