/** Tests which calls of a kubelet with tracing form one sync. */
import { expect, it } from 'vitest';
import type { CallRecord } from '../inputs.ts';
import { SyncAssembler } from './assembler.ts';

const pod = { uid: 'uid-1', namespace: 'default', name: 'web' };
const trace = 'a'.repeat(32);

it('assigns a second stop of the same sandbox to no sync, because it repeats a kill', () => {
  const records = new Map<number, CallRecord>();
  const syncs = new SyncAssembler((number) => records.get(number));
  syncs.listsAfterSync = false;
  const stop = (number: number, t: number): ReturnType<SyncAssembler['started']> => {
    const call: CallRecord = {
      number,
      service: 'runtime.v1alpha2.RuntimeService',
      method: 'StopPodSandbox',
      metadata: {},
      t,
      deadline: undefined,
      request: { podSandboxId: 's' },
      result: { end: t + 500, response: {}, status: 0, message: '' },
    };
    records.set(number, call);
    return syncs.started(call, pod, 'worker');
  };
  const kill = stop(1, 0);
  syncs.stopped('s');
  expect(stop(2, 1_600)).toBeUndefined();
  expect(kill).toMatchObject({ calls: [1] });
});

it("keeps a sync together whose calls another pod's Version call interrupts, and a kill apart from another one", () => {
  const records = new Map<number, CallRecord>();
  const syncs = new SyncAssembler((number) => records.get(number));
  syncs.listsAfterSync = false;
  let number = 0;
  const start = (method: string, t: number, end: number, request = {}): ReturnType<SyncAssembler['started']> => {
    const service = 'runtime.v1alpha2.RuntimeService';
    const result = { end, response: {}, status: 0, message: '' };
    const call = { number: ++number, service, method, metadata: {}, t, deadline: undefined, request, result };
    records.set(number, call);
    return syncs.started(call, method === 'Version' ? undefined : pod, method === 'Version' ? 'node' : 'worker');
  };
  const sync = start('RunPodSandbox', 0, 1_400);
  start('Version', 1_410, 1_412);
  expect(start('CreateContainer', 1_420, 1_440)).toBe(sync);
  const kill = start('StopPodSandbox', 9_000, 9_500, { podSandboxId: 's' });
  expect(kill).not.toBe(sync);
  const second = start('StopContainer', 9_200, 9_210, { containerId: 'c' });
  expect(second).not.toBe(kill);
  expect(start('StopPodSandbox', 9_215, 9_500, { podSandboxId: 's' })).toBe(second);
});

it('keeps a sync together whose requests for an image began before the Version call of another pod', () => {
  const records = new Map<number, CallRecord>();
  const syncs = new SyncAssembler((number) => records.get(number));
  const call = (number: number, method: string, t: number, end: number, request = {}): CallRecord => {
    const service = 'runtime.v1.RuntimeService';
    const result = { end, response: {}, status: 0, message: '' };
    const made = { number, service, method, metadata: {}, t, deadline: undefined, request, result };
    records.set(number, made);
    return made;
  };
  const sync = syncs.started(call(1, 'StopContainer', 0, 2_000, { containerId: 'c' }), pod, 'worker');
  const image = call(2, 'ImageStatus', 2_001, 2_004);
  syncs.started(call(3, 'Version', 2_003, 2_004), undefined, 'node');
  const create = call(4, 'CreateContainer', 2_018, 2_030);
  syncs.claimed = (_pod, { number }) => (number === create.number ? [image] : []);
  expect(syncs.started(create, pod, 'worker')).toBe(sync);
});

it('keeps a sync together that makes no call for three seconds, while its span has not arrived', () => {
  const records = new Map<number, CallRecord>();
  const syncs = new SyncAssembler((number) => records.get(number));
  const start = (number: number, method: string, t: number): ReturnType<SyncAssembler['started']> => {
    const call: CallRecord = {
      number,
      service: 'runtime.v1.RuntimeService',
      method,
      metadata: { traceparent: `00-${trace}-${'b'.repeat(16)}-01` },
      t,
      deadline: undefined,
      request: {},
      result: { end: t + 10, response: {}, status: 0, message: '' },
    };
    records.set(number, call);
    return syncs.started(call, pod, 'worker');
  };
  // The span of another pod shows that the kubelet exports spans.
  const span = { t: 0, end: 1, name: 'syncPod', id: 'd'.repeat(16), parent: '', scope: 'kubelet', error: undefined };
  syncs.span({ ...span, trace: 'c'.repeat(32), attributes: { 'k8s.pod.uid': 'uid-2' } });

  const sync = start(1, 'StartContainer', 10);
  expect(syncs.due(2_500).map((each) => each.pod.uid)).toEqual(['uid-2']);
  expect(start(2, 'CreateContainer', 3_010)).toBe(sync);
  expect(sync).toMatchObject({ calls: [1, 2], end: undefined });
  expect(syncs.openSync(pod.uid)).toBe(sync);

  // After its span, calls with the same trace come from a probe worker that the sync started.
  syncs.span({ ...span, trace, attributes: { 'k8s.pod.uid': pod.uid }, end: 3_100 });
  expect(start(3, 'StopContainer', 3_200)).toBeUndefined();
});
