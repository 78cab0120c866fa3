import type { Pod } from '@podscope/k8s';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { Storage } from '../storage/storage.ts';
import { eventTTL, maxEvents, StorageEventRecorder } from './event-recorder.ts';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'pod-uid', resourceVersion: '7' },
  spec: { initContainers: [{ name: 'setup' }], containers: [{ name: 'app' }] },
};

function setup() {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  const storage = new Storage();
  let uid = 0;
  const recorder = new StorageEventRecorder({ clock, storage, nodeName: 'node', newUid: () => `uid-${++uid}` });
  return { clock, log, storage, recorder, ctx: background(clock, new Tracer(log)) };
}

describe('StorageEventRecorder', () => {
  it('stores an event in the form of the kubelet and emits it to the log', () => {
    const { ctx, storage, recorder, log } = setup();
    recorder.event(ctx, pod, 'Warning', 'BackOff', 'Back-off restarting', pod.spec.initContainers?.[0]);
    expect(storage.list('Event')).toMatchObject([
      {
        metadata: { namespace: 'default', name: expect.stringMatching(/^web\.[0-9a-f]+$/) },
        involvedObject: {
          kind: 'Pod',
          namespace: 'default',
          name: 'web',
          uid: 'pod-uid',
          apiVersion: 'v1',
          fieldPath: 'spec.initContainers{setup}',
        },
        type: 'Warning',
        reason: 'BackOff',
        source: { component: 'kubelet', host: 'node' },
        count: 1,
        firstTimestamp: '2026-01-01T00:00:00Z',
      },
    ]);
    expect(log.after(0)).toMatchObject([
      {
        type: 'kubernetesEvent',
        pod: 'pod-uid',
        eventType: 'Warning',
        reason: 'BackOff',
        container: 'setup',
        count: 1,
      },
    ]);
  });

  it('increases the count of a repeated event', async () => {
    const { ctx, clock, storage, recorder, log } = setup();
    for (let index = 0; index < 3; index++) {
      recorder.event(ctx, pod, 'Normal', 'Pulled', 'present', pod.spec.containers[0]);
      await clock.advance(10_000);
    }
    expect(storage.list('Event')).toMatchObject([
      { count: 3, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:20Z' },
    ]);
    expect(log.after(0).map((event) => (event.type === 'kubernetesEvent' ? event.count : 0))).toEqual([1, 2, 3]);
  });

  it('combines more than ten events that differ only in their message', () => {
    const { ctx, storage, recorder } = setup();
    for (let index = 0; index < 15; index++) recorder.event(ctx, pod, 'Warning', 'Unhealthy', `probe failed: ${index}`);
    const events = storage.list('Event');
    expect(events).toHaveLength(10);
    expect(events.find(({ message }) => message?.startsWith('(combined'))).toMatchObject({
      message: '(combined from similar events): probe failed: 14',
      count: 6,
    });
  });

  it('combines similar events of all containers of a pod', () => {
    const { ctx, storage, recorder } = setup();
    const containers = [pod.spec.initContainers?.[0], pod.spec.containers[0]];
    for (let index = 0; index < 12; index++)
      recorder.event(ctx, pod, 'Warning', 'Failed', `Error: ${index}`, containers[index % 2]);
    expect(storage.list('Event')).toHaveLength(10);
    expect(storage.list('Event').at(-1)).toMatchObject({
      message: '(combined from similar events): Error: 11',
      count: 3,
    });
  });

  it('counts the events that the spam filter blocks, and stores one more every five minutes', async () => {
    const { ctx, clock, storage, recorder } = setup();
    for (let index = 0; index < 40; index++) recorder.event(ctx, pod, 'Warning', 'BackOff', 'again');
    expect(storage.list('Event')).toMatchObject([{ count: 25, lastTimestamp: '2026-01-01T00:00:00Z' }]);
    await clock.advance(300_000);
    recorder.event(ctx, pod, 'Warning', 'BackOff', 'again');
    recorder.event(ctx, pod, 'Warning', 'BackOff', 'again');
    expect(storage.list('Event')).toMatchObject([
      { count: 41, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:05:00Z' },
    ]);
  });

  it('stores at most 25 events of one pod in a burst, and those of other pods', () => {
    const { ctx, storage, recorder } = setup();
    for (let index = 0; index < 100; index++) recorder.event(ctx, pod, 'Normal', `Reason${index}`, 'x');
    expect(storage.list('Event')).toHaveLength(25);
    recorder.event(
      ctx,
      { ...pod, metadata: { ...pod.metadata, name: 'other', uid: 'other' } },
      'Normal',
      'Reason',
      'x',
    );
    expect(storage.list('Event')).toHaveLength(26);
  });

  it('removes an event after an hour and continues its count', async () => {
    const { ctx, clock, storage, recorder } = setup();
    recorder.event(ctx, pod, 'Normal', 'Started', 'x');
    await clock.advance(eventTTL - 1_000);
    recorder.prune();
    expect(storage.list('Event')).toHaveLength(1);
    await clock.advance(2_000);
    recorder.prune();
    expect(storage.list('Event')).toEqual([]);
    recorder.event(ctx, pod, 'Normal', 'Started', 'x');
    expect(storage.list('Event')).toMatchObject([{ count: 2, firstTimestamp: '2026-01-01T00:00:00Z' }]);
  });

  it('keeps at most `maxEvents` events', () => {
    const { ctx, storage, recorder } = setup();
    for (let index = 0; index < maxEvents + 50; index++) {
      recorder.event(
        ctx,
        { ...pod, metadata: { ...pod.metadata, name: `p${index}`, uid: `u${index}` } },
        'Normal',
        'Started',
        'x',
      );
    }
    recorder.prune();
    expect(storage.list('Event').length).toBeLessThanOrEqual(maxEvents);
  });

  it('records events of the node', () => {
    const { ctx, storage, recorder } = setup();
    recorder.nodeEvent(ctx, 'Normal', 'Starting', 'Starting kubelet.');
    expect(storage.list('Event')).toMatchObject([
      {
        metadata: { namespace: 'default' },
        involvedObject: { kind: 'Node', name: 'node', uid: 'node' },
        reason: 'Starting',
      },
    ]);
  });
});
