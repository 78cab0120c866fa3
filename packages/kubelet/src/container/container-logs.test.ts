import { type ContainerLogProvider, CriError } from '@podscope/cri';
import type { ContainerStatus, PodStatus } from '@podscope/k8s';
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { ContainerLogError, containerLogID, readContainerLog } from './container-logs.ts';

const status = (container: Partial<ContainerStatus>): PodStatus => ({
  containerStatuses: [{ name: 'app', ready: false, restartCount: 0, image: '', imageID: '', ...container }],
});
const ended = (containerID: string) => ({ terminated: { exitCode: 1, containerID } });

describe('containerLogID', () => {
  it.each<[string, Partial<ContainerStatus>, boolean, string]>([
    ['the running instance', { state: { running: {} }, containerID: 'docker://a' }, false, 'a'],
    ['the ended instance', { state: ended('docker://a') }, false, 'a'],
    [
      'the one before a failed start',
      { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended('docker://b') },
      false,
      'b',
    ],
    [
      'the previous one',
      { state: { running: {} }, containerID: 'docker://a', lastState: ended('docker://b') },
      true,
      'b',
    ],
  ])('finds %s', (_, container, previous, id) => {
    expect(containerLogID('web', status(container), 'app', previous)).toEqual({ type: 'docker', id });
  });

  it.each<[string, Partial<ContainerStatus>, boolean, string]>([
    ['an unknown container', { name: 'other' }, false, 'container "app" in pod "web" is not available'],
    [
      'no previous instance',
      { state: { running: {} }, containerID: 'docker://a' },
      true,
      'previous terminated container "app" in pod "web" not found',
    ],
    [
      'a start that waits',
      { state: { waiting: { reason: 'ContainerCreating' } } },
      false,
      'container "app" in pod "web" is waiting to start: ContainerCreating',
    ],
    [
      'a failed pull',
      { state: { waiting: { reason: 'ErrImagePull' } } },
      false,
      `container "app" in pod "web" is waiting to start: image can't be pulled`,
    ],
    [
      'a postponed pull',
      { state: { waiting: { reason: 'ImagePullBackOff' } } },
      false,
      'container "app" in pod "web" is waiting to start: trying and failing to pull image',
    ],
    ['no state at all', {}, false, 'container "app" in pod "web" is waiting to start - no logs yet'],
  ])('says so for %s', (_, container, previous, message) => {
    expect(() => containerLogID('web', status(container), 'app', previous)).toThrow(message);
  });
});

describe('readContainerLog', () => {
  const read = (failure: Error) => {
    const failed = Promise.reject(failure);
    const logs: ContainerLogProvider = {
      containerLogs: () => ({ [Symbol.asyncIterator]: () => ({ next: () => failed }) }),
    };
    return readContainerLog(
      background(new VirtualClock(), new Tracer()),
      logs,
      { type: 'docker', id: 'abc' },
      {},
    ).next();
  };

  it('names the instance that the runtime no longer has', async () => {
    await expect(read(new CriError('NotFound', 'No such container: abc'))).rejects.toThrow(
      new ContainerLogError('unable to retrieve container logs for docker://abc'),
    );
  });

  it('throws other errors', async () => {
    await expect(read(new CriError('Unavailable', 'no engine'))).rejects.toThrow('no engine');
  });
});
