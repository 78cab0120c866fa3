import { parseCheckpoint } from '@podscope/cri/sandbox-checkpoint';
import { stepsBelow } from '@podscope/flow';
import { describe, expect, it } from 'vitest';
import { TestRuntime } from '../testing/test-runtime.ts';

/** Returns the titles of the spans up to now, indented by depth. Failed spans are marked. */
function spans({ log }: TestRuntime): readonly string[] {
  const depths = new Map<number, number>();
  const events = [...log.after(0)];
  const failed = new Set(events.flatMap((event) => (event.type === 'spanEnded' && event.error ? [event.span] : [])));
  return events.flatMap((event) => {
    if (event.type !== 'spanStarted') return [];
    const depth = event.parent === undefined ? 0 : (depths.get(event.parent) ?? 0) + 1;
    depths.set(event.span, depth);
    return [`${'  '.repeat(depth)}${failed.has(event.span) ? '✗ ' : ''}${event.title}`];
  });
}

const decisions = ({ log }: TestRuntime, rule: string): readonly unknown[] =>
  [...log.after(0)].flatMap((event) => (event.type === 'decision' && event.rule === rule ? [event.outcome] : []));

const dnsConfig = { servers: ['10.96.0.10'], searches: [], options: [] };
const checkpoints = '/var/lib/dockershim/sandbox';

describe('RunPodSandbox', () => {
  it('records the five steps of dockershim with their Docker and CNI calls', async () => {
    const test = new TestRuntime();
    await test.sandbox({ dnsConfig });
    expect(spans(test)).toEqual([
      'Ensure the sandbox image',
      '  ImageInspect',
      'Create the sandbox container',
      '  ContainerCreate',
      'Write the checkpoint',
      'Start the sandbox container',
      '  ContainerStart',
      '  ContainerInspect',
      'Set up networking',
      '  ContainerInspect',
      '  ADD',
      '  ADD',
    ]);
  });

  it('reports the PID namespace that containers share when the configuration has no namespace options', async () => {
    const test = new TestRuntime();
    const { id: podSandboxId } = await test.sandbox();
    const { status } = await test.driven.runtime.podSandboxStatus(test.ctx, { podSandboxId });
    expect(status.linux?.namespaces?.options).toEqual({ network: 'POD', pid: 'POD', ipc: 'POD' });
  });

  it("carries the sandbox's final state and IP in its CREATED and STARTED events", async () => {
    const test = new TestRuntime();
    const events = test.driven.runtime.getContainerEvents(test.ctx, {})[Symbol.asyncIterator]();
    const first = events.next();
    const { id: containerId } = await test.sandbox();
    const podSandboxStatus = { state: 'SANDBOX_READY', network: { ip: '10.244.0.2' } };
    expect([(await first).value, (await events.next()).value]).toMatchObject([
      { containerEventType: 'CONTAINER_CREATED_EVENT', containerId, podSandboxStatus },
      { containerEventType: 'CONTAINER_STARTED_EVENT', containerId, podSandboxStatus },
    ]);
  });

  it('has the same steps as on Docker in the flow', () => {
    const titles = (runtime: 'docker' | 'simulated'): readonly string[] =>
      stepsBelow('cri.RunPodSandbox', { release: 'v1.36', runtime }).map(({ number, title }) => `${number} ${title}`);
    expect(titles('simulated')).toEqual(titles('docker'));
  });

  it('pulls a sandbox image that is absent', async () => {
    const test = new TestRuntime({ hasSandboxImage: false });
    await test.sandbox();
    expect(spans(test).slice(0, 3)).toEqual(['Ensure the sandbox image', '  ✗ ImageInspect', '  ImagePull']);
  });

  it('writes the checkpoint file and removes it with the sandbox', async () => {
    const test = new TestRuntime();
    const { id, config } = await test.sandbox({ portMappings: [{ containerPort: 80, hostPort: 8080 }] });
    const content = new TextDecoder().decode(await test.hostFiles.readFile(`${checkpoints}/${id}`));
    expect(parseCheckpoint(content)).toEqual({
      name: config.metadata.name,
      namespace: 'default',
      hostNetwork: false,
      portMappings: [{ protocol: 'TCP', containerPort: 80, hostPort: 8080 }],
    });
    await test.driven.runtime.removePodSandbox(test.ctx, { podSandboxId: id });
    expect(await test.hostFiles.readDir(checkpoints)).toEqual([]);
  });

  it('tears down the network and removes container and checkpoint after a failed ADD', async () => {
    const test = new TestRuntime();
    test.simulator.failNext('CNI ADD', 'no');
    await expect(test.sandbox()).rejects.toThrow('network: no');
    expect(spans(test).slice(-7)).toEqual([
      '  ContainerInspect',
      '  ADD',
      '  ✗ ADD',
      '  ContainerInspect',
      '  DEL',
      '  DEL',
      'ContainerRemove',
    ]);
    expect(await test.hostFiles.readDir(checkpoints)).toEqual([]);
  });

  it('leaves the stopped sandbox with its checkpoint after a failed ADD in v1.20', async () => {
    const test = new TestRuntime({ release: 'v1.20' });
    test.simulator.failNext('CNI ADD', 'no');
    await expect(test.sandbox()).rejects.toThrow('network: no');
    expect(spans(test).slice(-7)).toEqual([
      '  ContainerInspect',
      '  ADD',
      '  ✗ ADD',
      '  ContainerInspect',
      '  DEL',
      '  DEL',
      '  ContainerStop',
    ]);
    const { items } = await test.driven.runtime.listPodSandbox(test.ctx, {});
    expect(items.map(({ state }) => state)).toEqual(['SANDBOX_NOTREADY']);
    expect(await test.hostFiles.readDir(checkpoints)).toHaveLength(1);
    expect(decisions(test, 'runPodSandbox.networkReady')).toEqual([
      'yes: the plugin failed, but the release looks only at the stop of the sandbox',
    ]);
  });

  it('tears a failed network down once more when the sandbox is stopped in v1.20', async () => {
    const test = new TestRuntime({ release: 'v1.20' });
    test.simulator.failNext('CNI ADD', 'no');
    await expect(test.sandbox()).rejects.toThrow('network: no');
    const [sandbox] = (await test.driven.runtime.listPodSandbox(test.ctx, {})).items;
    const teardowns = () => spans(test).filter((title) => title.trim() === 'DEL').length;
    const before = teardowns();
    await test.driven.runtime.stopPodSandbox(test.ctx, { podSandboxId: sandbox?.id ?? '' });
    await test.driven.runtime.stopPodSandbox(test.ctx, { podSandboxId: sandbox?.id ?? '' });
    expect(teardowns() - before).toBe(2);
  });

  it('reports both failures when the teardown fails too', async () => {
    const test = new TestRuntime();
    test.simulator.failNext('CNI ADD', 'no');
    test.simulator.failNext('CNI DEL', 'no either');
    await expect(test.sandbox()).rejects.toThrow(
      /^\[failed to set up sandbox container .* network: no, failed to clean up sandbox container .* network: no either\]$/,
    );
  });

  it('removes a stopped sandbox that has the name, and succeeds when the call is repeated', async () => {
    const test = new TestRuntime();
    const { id, config } = await test.sandbox();
    const again = () => test.driven.runtime.runPodSandbox(test.ctx, { config });
    await expect(again()).rejects.toThrow(`is already in use by container "${id}"`);
    await test.driven.runtime.stopPodSandbox(test.ctx, { podSandboxId: id });
    await expect(again()).rejects.toThrow(`is already in use by container "${id}"`);
    await expect(again()).resolves.toBeDefined();
    expect(decisions(test, 'createWithRecovery.conflict')).toEqual([
      'by a container that could not be removed: give up',
      'by a stopped container, which was removed: the next attempt succeeds',
    ]);
  });

  it('rejects a handler that the node does not have', async () => {
    const test = new TestRuntime({ runtimeHandlers: ['runsc'] });
    const run = (runtimeHandler: string) =>
      test.driven.runtime.runPodSandbox(test.ctx, { config: test.sandboxConfig(), runtimeHandler });
    const message = 'failed to get sandbox runtime: no runtime for "kata" is configured';
    await expect(run('kata')).rejects.toMatchObject({ code: 'InvalidArgument', message });
    await expect(run('runsc')).resolves.toBeDefined();
  });

  it('rejects every handler but docker in v1.20', async () => {
    const test = new TestRuntime({ release: 'v1.20', runtimeHandlers: ['runsc'] });
    const run = (runtimeHandler: string) =>
      test.driven.runtime.runPodSandbox(test.ctx, { config: test.sandboxConfig(), runtimeHandler });
    const message = 'RuntimeHandler "runsc" not supported';
    await expect(run('runsc')).rejects.toMatchObject({ code: 'Unknown', message });
    await expect(run('docker')).resolves.toBeDefined();
  });

  it('decides that no plugin applies the bandwidth annotations', async () => {
    const test = new TestRuntime();
    await test.sandbox({ annotations: { 'kubernetes.io/ingress-bandwidth': '1M' } });
    await test.sandbox();
    expect(decisions(test, 'setUpPod.bandwidth')).toEqual([
      'no: no plugin of the network has the capability bandwidth',
    ]);
  });
});

describe('the end of a sandbox', () => {
  it('records the calls of StopPodSandbox and RemovePodSandbox', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox();
    await test.start({ command: ['sleep', '3600'] }, sandbox);
    const { length } = spans(test);
    await test.driven.runtime.stopPodSandbox(test.ctx, { podSandboxId: sandbox.id });
    await test.driven.runtime.removePodSandbox(test.ctx, { podSandboxId: sandbox.id });
    expect(spans(test).slice(length)).toEqual([
      'ContainerInspect',
      'ContainerList',
      'ContainerStop',
      'ContainerInspect',
      'DEL',
      'DEL',
      'ContainerStop',
      'ContainerInspect',
      'ContainerList',
      'ContainerRemove',
      'ContainerRemove',
    ]);
  });

  it('succeeds for a sandbox that the engine does not have', async () => {
    const test = new TestRuntime();
    await test.driven.runtime.stopPodSandbox(test.ctx, { podSandboxId: 'ab' });
    await test.driven.runtime.removePodSandbox(test.ctx, { podSandboxId: 'ab' });
    expect(spans(test)).toEqual(['✗ ContainerInspect', '✗ ContainerInspect', '✗ ContainerInspect', 'ContainerList']);
  });
});
