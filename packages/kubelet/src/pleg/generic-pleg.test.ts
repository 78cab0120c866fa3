import { Backoff } from '@podscope/kuberuntime';
import { background, EventLog, instant, Tracer, VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { PodCache } from '../container/pod-cache.ts';
import { FakeRuntime } from '../testing/fake-runtime.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { StrictClock } from '../util/strict-clock.ts';
import { generateEvents, type PlegState, type PodLifecycleEvent } from './events.ts';
import { GenericPleg } from './generic-pleg.ts';

describe('generateEvents', () => {
  it.each<[PlegState, PlegState, string[]]>([
    ['running', 'running', []],
    ['running', 'exited', ['ContainerDied']],
    ['running', 'unknown', ['ContainerChanged']],
    ['running', 'nonexistent', ['ContainerDied', 'ContainerRemoved']],
    ['exited', 'running', ['ContainerStarted']],
    ['exited', 'exited', []],
    ['exited', 'unknown', ['ContainerChanged']],
    ['exited', 'nonexistent', ['ContainerRemoved']],
    ['unknown', 'running', ['ContainerStarted']],
    ['unknown', 'exited', ['ContainerDied']],
    ['unknown', 'unknown', []],
    ['unknown', 'nonexistent', ['ContainerDied', 'ContainerRemoved']],
    ['nonexistent', 'running', ['ContainerStarted']],
    ['nonexistent', 'exited', ['ContainerDied']],
    ['nonexistent', 'unknown', ['ContainerChanged']],
    ['nonexistent', 'nonexistent', []],
  ])('%s → %s gives %j', (from, to, events) => {
    expect(generateEvents(from, to)).toEqual(events);
  });
});

describe('GenericPleg', () => {
  let clock: VirtualClock;
  let runtime: FakeRuntime;
  let cache: PodCache;
  let pleg: GenericPleg;
  let delivered: PodLifecycleEvent[];
  let log: EventLog;
  let lists: number;
  let reads: string[];
  const pod = newPod('web');

  beforeEach(() => {
    clock = new VirtualClock();
    runtime = new FakeRuntime(clock);
    cache = new PodCache();
    delivered = [];
    log = new EventLog(clock);
    lists = 0;
    reads = [];
    pleg = new GenericPleg({
      runtime: {
        getPods: (ctx, all) => {
          lists++;
          return runtime.getPods(ctx, all);
        },
        getPod: (ctx, uid) => {
          reads.push(uid);
          return runtime.getPod(ctx, uid);
        },
        getPodStatus: (ctx, found) => runtime.getPodStatus(ctx, found),
      },
      cache,
      strictClock: new StrictClock(),
      deliver: (event) => delivered.push(event),
      containerType: () => 'container',
    });
  });

  const context = () => background(clock, new Tracer(log), 'pleg');
  const sync = () =>
    runtime.syncPod(
      context(),
      pod,
      cache.get(pod.metadata.uid).status,
      [],
      new Backoff(clock, { initial: 10_000, max: 300_000 }),
    );
  const types = () => delivered.splice(0).map(({ type }) => type);

  it('emits ContainerStarted, ContainerDied and ContainerRemoved, for containers before sandboxes', async () => {
    await sync();
    await pleg.relist(context());
    expect(types()).toEqual(['ContainerStarted', 'ContainerStarted']);
    const container = runtime.pods.get(pod.metadata.uid)?.containers[0];
    runtime.exit(container?.id.id ?? '', 7);
    await pleg.relist(context());
    expect(types()).toEqual(['ContainerDied']);
    expect(cache.get(pod.metadata.uid).status.containerStatuses[0]).toMatchObject({ state: 'exited', exitCode: 7 });
    runtime.removeExternally(container?.id.id ?? '');
    await pleg.relist(context());
    expect(types()).toEqual(['ContainerRemoved']);
  });

  it('emits no event while the status can’t be read, and emits the events at the next relist', async () => {
    await sync();
    runtime.statusError = new Error('no answer');
    await pleg.relist(context());
    expect(types()).toEqual([]);
    expect(cache.get(pod.metadata.uid).error?.message).toBe('no answer');
    runtime.statusError = undefined;
    await pleg.relist(context());
    expect(types()).toEqual(['ContainerStarted', 'ContainerStarted']);
    expect(cache.get(pod.metadata.uid).error).toBeUndefined();
  });

  it('keeps the IP of a pod whose sandbox was stopped', async () => {
    await sync();
    await pleg.relist(context());
    await runtime.killPod(context(), pod, (await runtime.getPods(context(), true))[0] as never, 2);
    await pleg.relist(context());
    expect(cache.get(pod.metadata.uid).status.ips).toEqual(['10.0.0.7']);
  });

  it('emits PodSync for an unchanged pod after requestReinspect', async () => {
    await sync();
    await pleg.relist(context());
    types();
    pleg.requestReinspect(pod.metadata.uid);
    await pleg.relist(context());
    expect(types()).toEqual(['PodSync']);
  });

  it('relists one second after the end of the last relist, and a pod at once on request', async () => {
    const controller = new AbortController();
    const ctx = { ...context(), signal: controller.signal };
    const running = pleg.run(ctx);
    await clock.advance(3500);
    expect(lists).toBe(4);
    pleg.requestPodRelist(ctx, pod.metadata.uid);
    await clock.settle();
    expect(reads).toEqual([pod.metadata.uid]);
    expect(lists).toBe(4);
    await clock.advance(499);
    expect(lists).toBe(4);
    await clock.advance(1);
    expect(lists).toBe(5);
    controller.abort();
    await running;
  });

  it('leaves a requested pod that is gone to the next relist of all pods', async () => {
    const controller = new AbortController();
    const ctx = { ...context(), signal: controller.signal };
    await sync();
    const running = pleg.run(ctx);
    await clock.advance(1500);
    types();
    runtime.pods.clear();
    pleg.requestPodRelist(ctx, pod.metadata.uid);
    await clock.settle();
    expect(reads).toEqual([pod.metadata.uid]);
    expect(types()).toEqual([]);
    await clock.advance(500);
    expect(types()).toEqual(['ContainerDied', 'ContainerRemoved', 'ContainerDied', 'ContainerRemoved']);
    controller.abort();
    await running;
  });

  it('logs no event for relists that find no change', async () => {
    await sync();
    await pleg.relist(context());
    const before = log.lastSeq;
    for (let i = 0; i < 10; i++) await pleg.relist(context());
    expect(log.lastSeq).toBe(before);
  });

  it('is unhealthy before the first relist and more than three minutes after the last one', async () => {
    expect(pleg.health(clock.now())).toBe('pleg has yet to be successful');
    await pleg.relist(context());
    expect(pleg.health(clock.now())).toBeUndefined();
    runtime.listError = new Error('down');
    await clock.advance(181_000);
    await pleg.relist(context());
    expect(pleg.health(clock.now())).toBe('pleg was last seen active 3m1s ago; threshold is 3m0s');
  });
});

describe('PodCache', () => {
  it('getNewerThan resolves once a newer status is stored or all statuses are current', async () => {
    const cache = new PodCache();
    const { signal } = new AbortController();
    const waiting = cache.getNewerThan('a', instant(10), signal);
    let done = false;
    void waiting.then(() => (done = true));
    cache.updateTime(instant(10));
    await Promise.resolve();
    expect(done).toBe(false);
    cache.updateTime(instant(11));
    expect((await waiting).id).toBe('a');
    expect(await cache.getNewerThan('a', instant(5), signal)).toMatchObject({ id: 'a', containerStatuses: [] });
  });

  it('getNewerThan rejects with the stored error, or with the reason of an aborted signal', async () => {
    const cache = new PodCache();
    cache.set('a', undefined, new Error('boom'), instant(20));
    await expect(cache.getNewerThan('a', instant(10), new AbortController().signal)).rejects.toThrow('boom');
    const controller = new AbortController();
    const waiting = cache.getNewerThan('b', instant(10), controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('set returns false for an older status and keeps the newer one', () => {
    const cache = new PodCache();
    expect(cache.set('a', undefined, undefined, instant(20))).toBe(true);
    expect(cache.set('a', undefined, new Error('old'), instant(19))).toBe(false);
    expect(cache.get('a').error).toBeUndefined();
  });
});
