import { type ContainerStatus, CriError } from '@podscope/cri';
import { describe, expect, it, vi } from 'vitest';
import { newContainerAnnotations, newContainerLabels } from '../labels.ts';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import { profileV136 } from '../profiles/v1-36/profile.ts';
import { type TestStage, type TestStageOptions, testPod, testStage } from '../testing/test-stage.ts';
import { getPod, getPods } from './get-pods.ts';
import { terminationMessage } from './termination-message.ts';

const pod = testPod();

/** Creates the sandbox of an attempt with one container in it. */
async function add({ ctx, dependencies }: TestStage, attempt: number, name: string): Promise<string> {
  const labels = newContainerLabels({ name }, pod);
  const config = { metadata: { name: 'web', uid: 'uid-1', namespace: 'default', attempt }, labels };
  const { podSandboxId } = await dependencies.runtime.runPodSandbox(ctx, { config });
  const { containerId } = await dependencies.runtime.createContainer(ctx, {
    podSandboxId,
    config: {
      metadata: { name, attempt },
      image: { image: 'busybox' },
      labels,
      annotations: newContainerAnnotations({ name }, pod, attempt, 0xabc, {}),
      logPath: '',
    },
    sandboxConfig: config,
  });
  await dependencies.runtime.startContainer(ctx, { containerId });
  return containerId;
}

describe('getPods and getPodStatus', () => {
  it.each([
    ['v1.36', profileV136, { filter: {} }],
    ['v1.20', profileV120, {}],
  ])('list everything as %s does', async (_, profile, request) => {
    const { ctx, dependencies } = testStage({ dependencies: { profile } });
    const sandboxes = vi.spyOn(dependencies.runtime, 'listPodSandbox');
    const containers = vi.spyOn(dependencies.runtime, 'listContainers');
    await getPods(ctx, dependencies, true);
    expect(sandboxes.mock.lastCall?.[1]).toEqual(request);
    expect(containers.mock.lastCall?.[1]).toEqual({ filter: {} });
  });

  it('returns the newest first, with fields parsed from labels and annotations', async () => {
    const stage = testStage();
    await add(stage, 0, 'app');
    await stage.clock.advance(1000);
    await stage.dependencies.runtime.stopPodSandbox(stage.ctx, { podSandboxId: 'web_default_uid-1_0' });
    await add(stage, 1, 'app');
    const [record] = await getPods(stage.ctx, stage.dependencies, true);
    if (!record) throw new Error('the pod is listed');
    expect(record).toMatchObject({ id: 'uid-1', name: 'web', namespace: 'default' });
    expect(record.sandboxes.map(({ id, state }) => [id.id, state])).toEqual([
      ['web_default_uid-1_1', 'running'],
      ['web_default_uid-1_0', 'exited'],
    ]);
    const status = await stage.dependencies.profile.getPodStatus(stage.ctx, stage.dependencies, record);
    expect(status.ips).toEqual(['10.88.0.5']);
    expect(
      status.containerStatuses.map(({ id, restartCount, hash, state }) => [id.id, restartCount, hash, state]),
    ).toEqual([
      ['web_default_uid-1_1_app_1', 1, 0xabc, 'running'],
      ['web_default_uid-1_0_app_0', 0, 0xabc, 'running'],
    ]);
    expect(status.activeContainerStatuses.map(({ id }) => id.id)).toEqual(['web_default_uid-1_1_app_1']);
  });

  it('lists the sandboxes and containers of one pod by its label', async () => {
    const stage = testStage();
    await add(stage, 0, 'app');
    const { runtime } = stage.dependencies;
    const lists = [vi.spyOn(runtime, 'listPodSandbox'), vi.spyOn(runtime, 'listContainers')];
    const pod = await getPod(stage.ctx, stage.dependencies, 'uid-1');
    expect([pod?.sandboxes.length, pod?.containers.length]).toEqual([1, 1]);
    const filter = { labelSelector: { 'io.kubernetes.pod.uid': 'uid-1' } };
    for (const list of lists) expect(list).toHaveBeenCalledWith(stage.ctx, { filter });
    expect(await getPod(stage.ctx, stage.dependencies, 'uid-2')).toBeUndefined();
  });

  it('omits containers removed after the listing in v1.36 and fails in v1.20', async () => {
    const statusOf = async (options: TestStageOptions): Promise<unknown> => {
      const stage = testStage(options);
      await add(stage, 0, 'app');
      const [record] = await getPods(stage.ctx, stage.dependencies, true);
      if (!record) throw new Error('the pod is listed');
      stage.dependencies.runtime.containerStatus = () => Promise.reject(new CriError('NotFound', 'gone'));
      return (await stage.dependencies.profile.getPodStatus(stage.ctx, stage.dependencies, record)).containerStatuses;
    };
    await expect(statusOf({})).resolves.toEqual([]);
    await expect(statusOf({ dependencies: { profile: profileV120 } })).rejects.toThrow('gone');
  });

  it('returns no addresses if any of them is invalid', async () => {
    const stage = testStage();
    await add(stage, 0, 'app');
    const [record] = await getPods(stage.ctx, stage.dependencies, true);
    if (!record) throw new Error('the pod is listed');
    const { status } = await stage.dependencies.runtime.podSandboxStatus(stage.ctx, {
      podSandboxId: 'web_default_uid-1_0',
    });
    stage.dependencies.runtime.podSandboxStatus = () =>
      Promise.resolve({ status: { ...status, network: { ip: '10.0.0.1', additionalIps: [{ ip: 'fd00::zz' }] } } });
    expect((await stage.dependencies.profile.getPodStatus(stage.ctx, stage.dependencies, record)).ips).toEqual([]);
  });
});

describe('terminationMessage', () => {
  const exited = (more: Partial<ContainerStatus> = {}, policy = 'File'): ContainerStatus => ({
    id: 'c1',
    metadata: { name: 'app', attempt: 0 },
    state: 'CONTAINER_EXITED',
    createdAt: 0n,
    startedAt: 0n,
    finishedAt: 0n,
    exitCode: 1,
    image: { image: '' },
    imageRef: '',
    reason: 'Error',
    message: '',
    labels: {},
    annotations: {
      'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
      'io.kubernetes.container.terminationMessagePolicy': policy,
    },
    mounts: [{ containerPath: '/dev/termination-log', hostPath: '/log' }],
    logPath: '',
    ...more,
  });

  it('is the runtime’s message followed by the end of the termination message file', async () => {
    const stage = testStage();
    await stage.os.writeFile('/log', `${'x'.repeat(5000)}end`, 0o666);
    const message = await terminationMessage(stage.ctx, stage.dependencies, exited({ message: 'OOM' }));
    expect(message).toBe(`OOM: ${'x'.repeat(4093)}end`);
  });

  it('is the end of the log for a failed container with FallbackToLogsOnError', async () => {
    const logLines = Array.from({ length: 3 }, (_, index) => `line ${index}`);
    const stage = testStage({ logLines });
    const { ctx, dependencies } = stage;
    await expect(terminationMessage(ctx, dependencies, exited({}, 'FallbackToLogsOnError'))).resolves.toBe(
      'line 0\nline 1\nline 2\n',
    );
    await expect(terminationMessage(ctx, dependencies, exited())).resolves.toBe('');
    await expect(terminationMessage(ctx, dependencies, exited({ exitCode: 0 }, 'FallbackToLogsOnError'))).resolves.toBe(
      '',
    );
    await expect(
      terminationMessage(ctx, dependencies, exited({ reason: 'ContainerCannotRun' }, 'FallbackToLogsOnError')),
    ).resolves.toBe('');
    await stage.os.writeFile('/log', 'said so', 0o666);
    await expect(terminationMessage(ctx, dependencies, exited({}, 'FallbackToLogsOnError'))).resolves.toBe('said so');
  });

  it('contains the error when the log can not be read', async () => {
    const stage = testStage({ dependencies: { logs: { containerLogs: () => failing() } } });
    await expect(terminationMessage(stage.ctx, stage.dependencies, exited({}, 'FallbackToLogsOnError'))).resolves.toBe(
      'Error on reading termination message from logs: no such log',
    );
  });
});

/** Returns a log that throws when it is read. */
const failing = (): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no such log')) }),
});
