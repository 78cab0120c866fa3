import type { Pod } from '@podscope/k8s';
import { RunFold } from '@podscope/trace';
import { expect, it } from 'vitest';
import type { CallMessage, CallRecord } from '../inputs.ts';
import { Observer } from '../observer.ts';
import type { Recording } from '../recording/recording.ts';
import { replay, SortingSink } from '../recording/replay.ts';
import { figuresOf } from '../report.ts';
import { lastPods, recordedSession } from '../testing/recordings.ts';
import { objectAt, textAt } from './fields.ts';

const stream = 100_000;

/**
 * Returns a recording as it would be with EventedPLEG: instead of the kubelet's inspections and relists, the runtime
 * reports each status in a stream of events.
 */
async function withEvents(recording: Recording): Promise<Recording> {
  const { syncs } = await replay(recording);
  const inSyncs = new Set(syncs.flatMap(({ sync }) => sync.calls));
  const isInspection = ({ method, number }: CallRecord): boolean =>
    !inSyncs.has(number) && (method === 'PodSandboxStatus' || method === 'ContainerStatus');
  const traceOf = ({ metadata }: CallRecord): string | undefined => metadata['traceparent']?.split('-')[1];
  const collections = new Set(recording.calls.filter(({ method }) => method.startsWith('Remove')).map(traceOf));
  const isRelist = (call: CallRecord): boolean =>
    !inSyncs.has(call.number) && !collections.has(traceOf(call)) && isPlegs(call);
  const isPlegs = ({ method, request, t }: CallRecord): boolean =>
    method.startsWith('List') && textAt(request, 'filter', 'id') === '' && t > recording.startedAt + 5_000;
  const sandboxes = new Map<string, CallMessage>();
  const containers = new Map<string, CallMessage>();
  const owners = new Map<string, string>();
  const messages = recording.calls
    .filter(({ result }) => result?.status === 0)
    .toSorted((a, b) => (a.result?.end ?? 0) - (b.result?.end ?? 0))
    .flatMap((call): NonNullable<Recording['messages']> => {
      const { request, result, method } = call;
      const t = result?.end ?? call.t;
      if (method === 'CreateContainer')
        owners.set(textAt(result?.response, 'containerId'), textAt(request, 'podSandboxId'));
      if (method === 'RemoveContainer' || method === 'RemovePodSandbox') {
        const id = textAt(request, 'containerId') || textAt(request, 'podSandboxId');
        for (const known of [sandboxes, containers]) known.delete(id);
        const message = { containerId: id, containerEventType: 'CONTAINER_DELETED_EVENT', containersStatuses: [] };
        return [{ call: stream, t, message }];
      }
      const status = objectAt(result?.response, 'status');
      if (!status || !isInspection(call)) return [];
      const id = textAt(status, 'id');
      (method === 'PodSandboxStatus' ? sandboxes : containers).set(id, status);
      const sandbox = owners.get(id) ?? id;
      const podSandboxStatus = sandboxes.get(sandbox);
      const containersStatuses = [...containers].flatMap(([each, of]) => (owners.get(each) === sandbox ? [of] : []));
      const containerEventType = 'CONTAINER_STARTED_EVENT';
      return [
        { call: stream, t, message: { containerId: id, containerEventType, podSandboxStatus, containersStatuses } },
      ];
    });
  const opened: CallRecord = {
    number: stream,
    service: 'runtime.v1.RuntimeService',
    method: 'GetContainerEvents',
    metadata: {},
    t: recording.startedAt,
    deadline: undefined,
    request: {},
    result: undefined,
  };
  const calls = recording.calls.filter((call) => !isInspection(call) && !isRelist(call));
  return { ...recording, calls: [opened, ...calls], messages };
}

it('judges the syncs and shows the exits of a kubelet that gets events instead of relisting', async () => {
  const recording = await withEvents(recordedSession('b'));
  const { syncs, events } = await replay(recording);
  // An event has only one sandbox, so a kubelet that gets events decides otherwise about a pod with two.
  const figures = figuresOf(syncs.filter(({ sync }) => !sync.pod.name.startsWith('kill-sandbox')));
  expect(figures).toMatchObject({ counted: 22, agrees: 22 });
  const fold = new RunFold();
  fold.applyAll(events);
  for (const [uid, { status }] of lastPods(recording)) {
    const exits = (status?.containerStatuses ?? []).flatMap(({ name, lastState }) =>
      lastState?.terminated ? [{ name, exitCode: lastState.terminated.exitCode }] : [],
    );
    for (const { name, exitCode } of exits) {
      const track = fold.pod(uid)?.containers.find((each) => each.name === name);
      expect(track?.attempts.map((each) => each.exitCode)).toContain(exitCode);
    }
  }
  const shown = events.filter((event) => event.type === 'spanStarted' && event.point === 'cri.ContainerEvent');
  expect(shown.length).toBeGreaterThan(30);
});

it('keeps at most 20,000 calls while a stream of events stays open', () => {
  const facts = { version: 'v1.36.2', nodeName: undefined, featureGates: {}, maxContainerRestartPeriod: undefined };
  const observer = new Observer({ sink: new SortingSink(), facts });
  const call = { service: 'runtime.v1.RuntimeService', metadata: {}, deadline: undefined, request: {} };
  observer.callStarted({ ...call, number: 0, method: 'GetContainerEvents', t: 1 });
  for (let number = 1; number <= 20_100; number++) {
    observer.callStarted({ ...call, number, method: 'Status', t: number });
    observer.callEnded(number, { end: number, response: {}, status: 0, message: '' });
  }
  expect(observer.keptCalls).toBeLessThanOrEqual(20_000);
  expect(observer.openCall(0)).toBeDefined();
});

it('masks the values of variables in messages of events and statuses, in spans, and in what it predicts', async () => {
  const facts = { version: 'v1.36.2', nodeName: undefined, featureGates: {}, maxContainerRestartPeriod: undefined };
  const sink = new SortingSink();
  const observer = new Observer({ sink, facts });
  const traceparent = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';
  const common = { service: 'runtime.v1.RuntimeService', metadata: { traceparent }, deadline: undefined };
  const metadata = { name: 'web', namespace: 'default', uid: 'u', attempt: 0 };
  const done = { status: 0, message: '' };
  const maps = { labels: {}, annotations: {} };
  const error = 'exec: "tr0ub4dor&3": executable file not found';
  observer.callStarted({ ...common, metadata: {}, number: 1, method: 'GetContainerEvents', t: 1, request: {} });
  observer.callStarted({ ...common, number: 2, method: 'RunPodSandbox', t: 2, request: { config: { metadata } } });
  observer.callEnded(2, { ...done, end: 3, response: { podSandboxId: 's' } });
  const config = { metadata: { name: 'app', attempt: 0 }, envs: [{ key: 'PASSWORD', value: 'tr0ub4dor&3' }] };
  const request = { podSandboxId: 's', config, sandboxConfig: { metadata } };
  observer.callStarted({ ...common, number: 3, method: 'CreateContainer', t: 4, request });
  observer.span({
    t: 4,
    end: 5,
    name: 'create task',
    trace: traceparent.slice(3, 35),
    id: '1111111111111111',
    parent: traceparent.slice(36, 52),
    scope: 'containerd',
    attributes: { command: error, args: ['sh', error], process: { args: [error] } },
    error,
  });
  observer.callEnded(3, { ...done, end: 6, response: { containerId: 'c' } });
  observer.callStarted({ ...common, number: 4, method: 'StartContainer', t: 6.2, request: { containerId: 'c' } });
  observer.callEnded(4, { status: 2, message: error, end: 6.4, response: undefined });
  const times = { createdAt: 1n, startedAt: 2n, finishedAt: 3n };
  const exit = { image: { image: 'busybox' }, imageRef: 'busybox', exitCode: 1 };
  const status = {
    id: 'c',
    metadata: config.metadata,
    state: 'CONTAINER_EXITED',
    message: error,
    ...exit,
    ...times,
    ...maps,
  };
  observer.callMessage(1, 7, {
    containerId: 'c',
    containerEventType: 'CONTAINER_STOPPED_EVENT',
    podSandboxStatus: { id: 's', metadata, state: 'SANDBOX_READY', createdAt: 1n, ...maps },
    containersStatuses: [status],
  });
  const waiting = { reason: 'CrashLoopBackOff', message: error };
  const terminated = { exitCode: 1, message: error };
  const ofContainer = { ready: false, restartCount: 1, image: 'busybox', imageID: 'busybox' };
  const { name, namespace, uid } = metadata;
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, uid },
    spec: { containers: [{ name: 'app', image: 'busybox' }] },
    status: {
      message: error,
      initContainerStatuses: [{ ...ofContainer, name: 'init', state: { terminated } }],
      containerStatuses: [{ ...ofContainer, name: 'app', state: { waiting }, lastState: { terminated } }],
    },
  };
  observer.pods({ t: 8, pods: [pod] });
  const event = { eventType: 'Warning', reason: 'Failed', message: error, count: 1 } as const;
  observer.podEvent(9, uid, event);
  await observer.finish(10);
  const events = sink.sorted();
  const shown = JSON.stringify([events, observer.currentPods], (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  for (const type of ['podChanged', 'podStatus', 'kubernetesEvent'])
    expect(events.map((each) => each.type)).toContain(type);
  expect(shown).toContain('CONTAINER_STOPPED_EVENT');
  expect(shown).toContain('create task');
  expect(shown).toContain('executable file not found');
  expect(shown).not.toContain('tr0ub4dor');
});
