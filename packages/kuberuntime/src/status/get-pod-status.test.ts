import { type ContainerStatus, CriError } from '@podscope/cri';
import { describe, expect, it } from 'vitest';
import { newContainerAnnotations, newContainerLabels } from '../labels.ts';
import { profileV120 } from '../profiles/v1-20.ts';
import { type TestStage, type TestStageOptions, testPod, testStage } from '../testing/test-parts.ts';
import { getPods } from './get-pods.ts';
import { terminationMessage } from './termination-message.ts';

const pod = testPod();

/** A sandbox of an attempt with one container of a name in it. */
async function add({ ctx, parts }: TestStage, attempt: number, name: string): Promise<string> {
  const labels = newContainerLabels({ name }, pod);
  const config = { metadata: { name: 'web', uid: 'uid-1', namespace: 'default', attempt }, labels };
  const { podSandboxId } = await parts.runtime.runPodSandbox(ctx, { config });
  const { containerId } = await parts.runtime.createContainer(ctx, {
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
  await parts.runtime.startContainer(ctx, { containerId });
  return containerId;
}

describe('getPods and getPodStatus', () => {
  it('put the newest first, and read back what the labels and annotations say', async () => {
    const stage = testStage();
    await add(stage, 0, 'app');
    await stage.clock.advance(1000);
    await stage.parts.runtime.stopPodSandbox(stage.ctx, { podSandboxId: 'web_default_uid-1_0' });
    await add(stage, 1, 'app');
    const [record] = await getPods(stage.ctx, stage.parts, true);
    if (!record) throw new Error('the pod is listed');
    expect(record).toMatchObject({ id: 'uid-1', name: 'web', namespace: 'default' });
    expect(record.sandboxes.map(({ id, state }) => [id.id, state])).toEqual([
      ['web_default_uid-1_1', 'running'],
      ['web_default_uid-1_0', 'exited'],
    ]);
    const status = await stage.parts.profile.getPodStatus(stage.ctx, stage.parts, record);
    expect(status.ips).toEqual(['10.88.0.5']);
    expect(status.containerStatuses.map(({ id, restartCount, hash, state }) => [id.id, restartCount, hash, state])).toEqual([
      ['web_default_uid-1_1_app_1', 1, 0xabc, 'running'],
      ['web_default_uid-1_0_app_0', 0, 0xabc, 'running'],
    ]);
    expect(status.activeContainerStatuses.map(({ id }) => id.id)).toEqual(['web_default_uid-1_1_app_1']);
  });

  it('v1.36 leaves out what went between listing and asking; v1.20 fails', async () => {
    const statusOf = async (options: TestStageOptions): Promise<unknown> => {
      const stage = testStage(options);
      await add(stage, 0, 'app');
      const [record] = await getPods(stage.ctx, stage.parts, true);
      if (!record) throw new Error('the pod is listed');
      stage.parts.runtime.containerStatus = () => Promise.reject(new CriError('NotFound', 'gone'));
      return (await stage.parts.profile.getPodStatus(stage.ctx, stage.parts, record)).containerStatuses;
    };
    await expect(statusOf({})).resolves.toEqual([]);
    await expect(statusOf({ parts: { profile: profileV120 } })).rejects.toThrow('gone');
  });

  it('has no addresses when one of them is none', async () => {
    const stage = testStage();
    await add(stage, 0, 'app');
    const [record] = await getPods(stage.ctx, stage.parts, true);
    if (!record) throw new Error('the pod is listed');
    const { status } = await stage.parts.runtime.podSandboxStatus(stage.ctx, { podSandboxId: 'web_default_uid-1_0' });
    stage.parts.runtime.podSandboxStatus = () => Promise.resolve({ status: { ...status, network: { ip: '10.0.0.1', additionalIps: [{ ip: 'fd00::zz' }] } } });
    expect((await stage.parts.profile.getPodStatus(stage.ctx, stage.parts, record)).ips).toEqual([]);
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

  it('is the end of what the container wrote, behind what the runtime says', async () => {
    const stage = testStage();
    await stage.os.writeFile('/log', `${'x'.repeat(5000)}end`, 0o666);
    const message = await terminationMessage(stage.ctx, stage.parts, exited({ message: 'OOM' }));
    expect(message).toBe(`OOM: ${'x'.repeat(4093)}end`);
  });

  it('is the end of the log where the policy says so and the container failed', async () => {
    const logLines = Array.from({ length: 3 }, (_, index) => `line ${index}`);
    const stage = testStage({ logLines });
    const { ctx, parts } = stage;
    await expect(terminationMessage(ctx, parts, exited({}, 'FallbackToLogsOnError'))).resolves.toBe('line 0\nline 1\nline 2\n');
    await expect(terminationMessage(ctx, parts, exited())).resolves.toBe('');
    await expect(terminationMessage(ctx, parts, exited({ exitCode: 0 }, 'FallbackToLogsOnError'))).resolves.toBe('');
    await expect(terminationMessage(ctx, parts, exited({ reason: 'ContainerCannotRun' }, 'FallbackToLogsOnError'))).resolves.toBe('');
    await stage.os.writeFile('/log', 'said so', 0o666);
    await expect(terminationMessage(ctx, parts, exited({}, 'FallbackToLogsOnError'))).resolves.toBe('said so');
  });

  it('says when the log can not be read', async () => {
    const stage = testStage({ parts: { logs: { containerLogs: () => failing() } } });
    await expect(terminationMessage(stage.ctx, stage.parts, exited({}, 'FallbackToLogsOnError'))).resolves.toBe(
      'Error on reading termination message from logs: no such log',
    );
  });
});

/** A log that fails when it is read. */
const failing = (): AsyncIterable<never> => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no such log')) }) });
