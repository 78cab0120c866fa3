import type { ContainerState, ContainerStatus, Pod, PodSpec, PodStatus } from '@podscope/k8s';
import { instant, parseTime } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { humanDuration } from './duration.ts';
import { podCells } from './pod-row.ts';
import { tableOf } from './table.ts';

const now = parseTime('2026-01-01T01:00:00Z');

const status = (name: string, state: ContainerState, rest: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  state,
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  ...rest,
});
const running = (name: string, rest?: Partial<ContainerStatus>): ContainerStatus =>
  status(name, { running: { startedAt: '2026-01-01T00:59:00Z' } }, { ready: true, started: true, ...rest });
const waiting = (name: string, reason: string, rest?: Partial<ContainerStatus>): ContainerStatus =>
  status(name, { waiting: { reason } }, rest);
const exited = (name: string, exitCode: number, reason?: string, rest?: Partial<ContainerStatus>): ContainerStatus =>
  status(name, { terminated: { exitCode, reason } }, rest);
const ended = { terminated: { exitCode: 1, reason: 'Error', finishedAt: '2026-01-01T00:59:50Z' } };

const pod = (podStatus: PodStatus, spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u', creationTimestamp: '2026-01-01T00:55:00Z', ...metadata },
  spec: { containers: [{ name: 'app' }], ...spec },
  status: podStatus,
});
const two = { containers: [{ name: 'app' }, { name: 'log' }] };
const init = { initContainers: [{ name: 'a' }, { name: 'b' }] };
const sidecar = { initContainers: [{ name: 'proxy', restartPolicy: 'Always' as const }] };

describe('podCells', () => {
  it.each<[string, Pod, string, string, string]>([
    ['just created', pod({ phase: 'Pending' }), '0/1', 'Pending', '0'],
    [
      'creating',
      pod({ phase: 'Pending', containerStatuses: [waiting('app', 'ContainerCreating')] }),
      '0/1',
      'ContainerCreating',
      '0',
    ],
    ['running', pod({ phase: 'Running', containerStatuses: [running('app')] }), '1/1', 'Running', '0'],
    [
      'not ready',
      pod({ phase: 'Running', containerStatuses: [running('app', { ready: false })] }),
      '0/1',
      'Running',
      '0',
    ],
    [
      'crash loop',
      pod({
        phase: 'Running',
        containerStatuses: [waiting('app', 'CrashLoopBackOff', { restartCount: 3, lastState: ended })],
      }),
      '0/1',
      'CrashLoopBackOff',
      '3 (10s ago)',
    ],
    [
      'no image',
      pod({ phase: 'Pending', containerStatuses: [waiting('app', 'ImagePullBackOff')] }),
      '0/1',
      'ImagePullBackOff',
      '0',
    ],
    [
      'completed',
      pod({ phase: 'Succeeded', containerStatuses: [exited('app', 0, 'Completed')] }),
      '0/1',
      'Completed',
      '0',
    ],
    ['failed', pod({ phase: 'Failed', containerStatuses: [exited('app', 1, 'Error')] }), '0/1', 'Error', '0'],
    [
      'out of memory',
      pod({ phase: 'Running', containerStatuses: [exited('app', 137, 'OOMKilled')] }),
      '0/1',
      'OOMKilled',
      '0',
    ],
    ['exit code only', pod({ phase: 'Running', containerStatuses: [exited('app', 3)] }), '0/1', 'ExitCode:3', '0'],
    [
      'signal only',
      pod({ phase: 'Running', containerStatuses: [status('app', { terminated: { exitCode: 137, signal: 9 } })] }),
      '0/1',
      'Signal:9',
      '0',
    ],
    ['evicted', pod({ phase: 'Failed', reason: 'Evicted' }), '0/1', 'Evicted', '0'],
    [
      'one of two completed',
      pod(
        {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [exited('app', 0, 'Completed'), running('log')],
        },
        two,
      ),
      '1/2',
      'Running',
      '0',
    ],
    [
      'one of two completed, not ready',
      pod({ phase: 'Running', containerStatuses: [exited('app', 0, 'Completed'), running('log')] }, two),
      '1/2',
      'NotReady',
      '0',
    ],
    [
      'first reason wins',
      pod(
        { phase: 'Pending', containerStatuses: [waiting('app', 'ErrImagePull'), waiting('log', 'ContainerCreating')] },
        two,
      ),
      '0/2',
      'ErrImagePull',
      '0',
    ],
    [
      'init waiting',
      pod(
        { phase: 'Pending', initContainerStatuses: [waiting('a', 'PodInitializing'), waiting('b', 'PodInitializing')] },
        init,
      ),
      '0/1',
      'Init:0/2',
      '0',
    ],
    [
      'init running',
      pod({ phase: 'Pending', initContainerStatuses: [exited('a', 0), running('b', { ready: false })] }, init),
      '0/1',
      'Init:1/2',
      '0',
    ],
    [
      'init crash loop',
      pod(
        {
          phase: 'Pending',
          initContainerStatuses: [
            waiting('a', 'CrashLoopBackOff', { restartCount: 2, lastState: ended }),
            waiting('b', 'PodInitializing'),
          ],
        },
        init,
      ),
      '0/1',
      'Init:CrashLoopBackOff',
      '2 (10s ago)',
    ],
    [
      'init failed',
      pod({ phase: 'Failed', initContainerStatuses: [exited('a', 1, 'Error')] }, init),
      '0/1',
      'Init:Error',
      '0',
    ],
    [
      'init exit code',
      pod({ phase: 'Pending', initContainerStatuses: [exited('a', 4)] }, init),
      '0/1',
      'Init:ExitCode:4',
      '0',
    ],
    [
      'initialized forgets the restarts of init containers',
      pod(
        {
          phase: 'Running',
          initContainerStatuses: [exited('a', 0, 'Completed', { restartCount: 5 }), exited('b', 0)],
          containerStatuses: [running('app')],
        },
        init,
      ),
      '1/1',
      'Running',
      '0',
    ],
    [
      'sidecar counts',
      pod(
        {
          phase: 'Running',
          initContainerStatuses: [running('proxy', { restartCount: 1 })],
          containerStatuses: [running('app', { restartCount: 2 })],
        },
        sidecar,
      ),
      '2/2',
      'Running',
      '3',
    ],
    [
      'sidecar not started',
      pod({ phase: 'Pending', initContainerStatuses: [running('proxy', { started: false, ready: false })] }, sidecar),
      '0/2',
      'Init:0/1',
      '0',
    ],
    [
      'terminating',
      pod({ phase: 'Running', containerStatuses: [running('app')] }, {}, { deletionTimestamp: '2026-01-01T01:00:00Z' }),
      '1/1',
      'Terminating',
      '0',
    ],
    [
      'deleted, completed',
      pod(
        { phase: 'Succeeded', containerStatuses: [exited('app', 0, 'Completed')] },
        {},
        { deletionTimestamp: '2026-01-01T01:00:00Z' },
      ),
      '0/1',
      'Completed',
      '0',
    ],
    [
      'node lost',
      pod({ phase: 'Running', reason: 'NodeLost' }, {}, { deletionTimestamp: '2026-01-01T01:00:00Z' }),
      '0/1',
      'Unknown',
      '0',
    ],
  ])('%s', (_name, subject, ready, shown, restarts) => {
    expect(podCells(subject, now).slice(0, 5)).toEqual(['web', ready, shown, restarts, '5m']);
  });

  it('shows address, node and readiness gates in the wide columns', () => {
    const subject = pod(
      { phase: 'Running', podIP: '10.0.0.7', conditions: [{ type: 'a', status: 'True' }] },
      { nodeName: 'node', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
    );
    expect(podCells(subject, now).slice(5)).toEqual(['10.0.0.7', 'node', '<none>', '1/2']);
    expect(podCells(pod({}), now).slice(5)).toEqual(['<none>', '<none>', '<none>', '<none>']);
  });
});

describe('humanDuration', () => {
  it.each([
    [-5_000, '<invalid>'],
    [-1_500, '0s'],
    [0, '0s'],
    [119_999, '119s'],
    [120_000, '2m'],
    [155_000, '2m35s'],
    [10 * 60_000, '10m'],
    [179 * 60_000, '179m'],
    [180 * 60_000, '3h'],
    [200 * 60_000, '3h20m'],
    [9 * 3_600_000, '9h'],
    [48 * 3_600_000, '2d'],
    [51 * 3_600_000, '2d3h'],
    [8 * 86_400_000, '8d'],
    [729 * 86_400_000, '729d'],
    [730 * 86_400_000, '2y'],
    [760 * 86_400_000, '2y30d'],
    [3_000 * 86_400_000, '8y'],
  ])('%d ms: %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });
});

describe('tableOf', () => {
  it('defines a column for each cell and includes as much of the object as requested', () => {
    const subject = pod({ phase: 'Pending' });
    const table = tableOf('Pod', [subject], { resourceVersion: '7' }, 'Metadata', instant(now)) as {
      columnDefinitions: { name: string; priority: number }[];
      rows: { cells: unknown[]; object: unknown }[];
    };
    expect(table).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '7' } });
    expect(table.columnDefinitions.map(({ name }) => name)).toEqual([
      'Name',
      'Ready',
      'Status',
      'Restarts',
      'Age',
      'IP',
      'Node',
      'Nominated Node',
      'Readiness Gates',
    ]);
    expect(table.rows[0]?.cells).toHaveLength(9);
    expect(table.rows[0]?.object).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: subject.metadata,
    });
    expect(tableOf('Pod', [subject], {}, 'None', now).rows).toEqual([{ cells: expect.any(Array), object: undefined }]);
    expect(tableOf('Pod', [subject], {}, 'Object', now).rows).toEqual([{ cells: expect.any(Array), object: subject }]);
  });

  it('shows events like kubectl', () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'web.1', namespace: 'default', uid: 'e' },
      involvedObject: { kind: 'Pod', name: 'web', fieldPath: 'spec.containers{app}' },
      reason: 'BackOff',
      message: 'Back-off\n',
      source: { component: 'kubelet', host: 'node' },
      firstTimestamp: '2026-01-01T00:50:00Z',
      lastTimestamp: '2026-01-01T00:59:30Z',
      count: 4,
      type: 'Warning' as const,
    };
    expect(tableOf('Event', [event], {}, 'None', now).rows).toMatchObject([
      {
        cells: [
          '30s',
          'Warning',
          'BackOff',
          'pod/web',
          'spec.containers{app}',
          'kubelet, node',
          'Back-off',
          '10m',
          4,
          'web.1',
        ],
      },
    ]);
  });
});
