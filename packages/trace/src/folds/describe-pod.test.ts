import { describe, expect, it } from 'vitest';
import { describePodForPeople } from './describe-pod.ts';
import { RunFold } from './run-fold.ts';
import { EventScript } from './testing/index.ts';

const waiting = (reason: string) => ({ state: { waiting: { reason, message: `about ${reason}` } } });
const running = { ready: true, started: true, state: { running: { startedAt: '2026-01-05T09:00:10Z' } } };
const exited = (exitCode: number, reason?: string, signal?: number) => ({
  state: { terminated: { exitCode, reason, signal } },
});

/** Describes a pod that has the init container `i`, the sidecar `s` and the app containers in the status. */
function describePod(status: Record<string, unknown>, { metadata = {}, inits = [] as unknown[] } = {}) {
  const fold = new RunFold();
  const containerStatuses = (status['containerStatuses'] ?? []) as { name: string }[];
  const spec = {
    initContainers: inits,
    containers: (containerStatuses.length > 0 ? containerStatuses : [{ name: 'a' }]).map(({ name }) => ({ name })),
  };
  fold.seedPods([{ metadata: { uid: 'u', name: 'p', namespace: 'd', ...metadata }, spec, status }]);
  const pod = fold.pod('u');
  if (!pod) throw new Error('no pod');
  const { status: shown, tone, ready, total, restarts } = describePodForPeople(pod, 0);
  return { status: shown, tone, columns: `${ready}/${total} ${restarts}` };
}

const inits = [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }];

describe('describePodForPeople', () => {
  it('marks a pod as waiting whose newest event reports a volume that cannot be mounted', () => {
    const log = new EventScript('u');
    log.emit({
      type: 'podChanged',
      operation: 'ADDED',
      object: { metadata: { uid: 'u', name: 'p', namespace: 'd' }, spec: { containers: [{ name: 'a' }] } },
    });
    const message = 'MountVolume.SetUp failed for volume "c"';
    log.emit({ type: 'kubernetesEvent', eventType: 'Warning', reason: 'FailedMount', message, count: 1 });
    const fold = new RunFold();
    fold.applyAll(log.events);
    const pod = fold.pod('u');
    expect(pod && describePodForPeople(pod, log.now)).toMatchObject({ status: 'Pending', tone: 'waiting', message });
  });

  it.each([
    ['a new pod', { phase: 'Pending' }, {}, { status: 'Pending', tone: 'progressing', columns: '0/1 0' }],
    [
      'a pod that creates its containers',
      { phase: 'Pending', containerStatuses: [{ name: 'a', ...waiting('ContainerCreating') }] },
      {},
      { status: 'ContainerCreating', tone: 'progressing', columns: '0/1 0' },
    ],
    [
      'a running pod',
      { phase: 'Running', containerStatuses: [{ name: 'a', restartCount: 2, ...running }] },
      {},
      { status: 'Running', tone: 'running', columns: '1/1 2' },
    ],
    [
      'the first failing container',
      {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', ...waiting('CrashLoopBackOff') },
          { name: 'b', ...running },
          { name: 'c', ...waiting('ErrImagePull') },
        ],
      },
      {},
      { status: 'CrashLoopBackOff', tone: 'waiting', columns: '1/3 0' },
    ],
    [
      'an image that cannot be pulled',
      { phase: 'Pending', containerStatuses: [{ name: 'a', ...waiting('ErrImagePull') }] },
      {},
      { status: 'ErrImagePull', tone: 'error', columns: '0/1 0' },
    ],
    [
      'an exit without a reason',
      { phase: 'Failed', containerStatuses: [{ name: 'a', ...exited(3) }] },
      {},
      { status: 'ExitCode:3', tone: 'error', columns: '0/1 0' },
    ],
    [
      'an exit by a signal',
      { phase: 'Failed', containerStatuses: [{ name: 'a', ...exited(137, undefined, 9) }] },
      {},
      { status: 'Signal:9', tone: 'error', columns: '0/1 0' },
    ],
    [
      'a completed pod',
      { phase: 'Succeeded', containerStatuses: [{ name: 'a', ...exited(0, 'Completed') }] },
      {},
      { status: 'Completed', tone: 'succeeded', columns: '0/1 0' },
    ],
    [
      'a pod with a completed and a running container that is not ready',
      {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', ...exited(0, 'Completed') },
          { name: 'b', ...running },
        ],
      },
      {},
      { status: 'NotReady', tone: 'progressing', columns: '1/2 0' },
    ],
    [
      'a running second init container',
      {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'i', ...exited(0) },
          { name: 's', ...waiting('PodInitializing') },
        ],
        containerStatuses: [{ name: 'a', ...waiting('PodInitializing') }],
      },
      { inits },
      { status: 'Init:1/2', tone: 'progressing', columns: '0/2 0' },
    ],
    [
      'a failing init container',
      {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'i', restartCount: 4, ...waiting('CrashLoopBackOff') },
          { name: 's', ...waiting('PodInitializing') },
        ],
      },
      { inits },
      { status: 'Init:CrashLoopBackOff', tone: 'waiting', columns: '0/2 4' },
    ],
    [
      'an init container that exited with an error',
      { phase: 'Pending', initContainerStatuses: [{ name: 'i', restartCount: 1, ...exited(1, 'Error') }] },
      { inits },
      { status: 'Init:Error', tone: 'error', columns: '0/2 1' },
    ],
    [
      'a started sidecar, which counts as a container',
      {
        phase: 'Running',
        initContainerStatuses: [
          { name: 'i', ...exited(0) },
          { name: 's', restartCount: 1, ...running },
        ],
        containerStatuses: [{ name: 'a', ...running, restartCount: 1 }],
      },
      { inits },
      { status: 'Running', tone: 'running', columns: '2/2 2' },
    ],
    [
      'a terminating pod',
      { phase: 'Running', containerStatuses: [{ name: 'a', ...running }] },
      { metadata: { deletionTimestamp: '2026-01-05T09:00:00Z' } },
      { status: 'Terminating', tone: 'terminating', columns: '1/1 0' },
    ],
    [
      'a rejected pod',
      { phase: 'Failed', reason: 'OutOfcpu' },
      {},
      { status: 'OutOfcpu', tone: 'error', columns: '0/1 0' },
    ],
  ])('describes %s', (_, status, options, expected) => {
    expect(describePod(status, options)).toEqual(expected);
  });
});

describe('seedPods', () => {
  it('dates a static pod, which has no creationTimestamp, by the earliest time in its object', () => {
    const fold = new RunFold();
    const metadata = { uid: 'u', name: 'p', namespace: 'd', annotations: { 'kubernetes.io/config.seen': '' } };
    metadata.annotations['kubernetes.io/config.seen'] = '2026-01-05T09:00:10.252408980Z';
    const state = { running: { startedAt: '2026-01-05T09:00:04Z' } };
    const containerStatuses = [{ name: 'a', restartCount: 0, containerID: 'docker://aaa', state }];
    fold.seedPods([
      { metadata, status: { phase: 'Running', startTime: '2026-01-05T09:00:11Z', containerStatuses } },
      { metadata: { ...metadata, uid: 'v' } },
    ]);
    expect(fold.pod('u')?.firstTime).toBe(Date.UTC(2026, 0, 5, 9, 0, 4));
    expect(fold.pod('v')?.firstTime).toBe(Date.UTC(2026, 0, 5, 9, 0, 10, 252));
  });

  it('reads the newest attempt of a container that waits for its back-off', () => {
    const fold = new RunFold();
    const startedAt = '2026-01-05T09:00:01Z';
    const finishedAt = '2026-01-05T09:00:05Z';
    const terminated = { containerID: 'docker://bbb', exitCode: 1, startedAt, finishedAt };
    const state = { waiting: { reason: 'CrashLoopBackOff' } };
    const container = { name: 'a', restartCount: 3, containerID: 'docker://bbb', state, lastState: { terminated } };
    const metadata = { uid: 'u', name: 'p', namespace: 'd', creationTimestamp: '2026-01-05T09:00:00Z' };
    fold.seedPods([{ metadata, status: { phase: 'Running', containerStatuses: [container] } }]);
    expect(fold.pod('u')?.containers[0]?.attempts).toMatchObject([{ id: 'bbb', attempt: 3, state: 'exited' }]);
  });

  it('reads the history of containers from their statuses', () => {
    const fold = new RunFold();
    fold.seedPods([
      {
        metadata: { uid: 'u', name: 'p', namespace: 'd', creationTimestamp: '2026-01-05T09:00:00Z' },
        spec: { containers: [{ name: 'a' }] },
        status: {
          phase: 'Running',
          containerStatuses: [
            {
              name: 'a',
              restartCount: 3,
              containerID: 'docker://bbb',
              lastState: {
                terminated: {
                  containerID: 'docker://aaa',
                  exitCode: 2,
                  startedAt: '2026-01-05T09:00:01Z',
                  finishedAt: '2026-01-05T09:00:05Z',
                },
              },
              state: { running: { startedAt: '2026-01-05T09:00:30Z' } },
            },
          ],
        },
      },
      { kind: 'Pod' },
    ]);
    expect(fold.pod('u')?.containers[0]?.attempts).toMatchObject([
      { id: 'aaa', attempt: 2, state: 'exited', exitCode: 2, finishedAt: Date.UTC(2026, 0, 5, 9, 0, 5) },
      { id: 'bbb', attempt: 3, state: 'running', startedAt: Date.UTC(2026, 0, 5, 9, 0, 30) },
    ]);
  });
});
