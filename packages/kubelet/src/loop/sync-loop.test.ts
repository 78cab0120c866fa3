/** Tests the sync loop alone: which handlers each channel calls, in which order and when, and which spans it emits. */
import type { Pod } from '@podscope/k8s';
import {
  addMilliseconds,
  background,
  type Context,
  EventLog,
  type Gate,
  openGate,
  type TraceEventOf,
  Tracer,
  VirtualClock,
} from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PodConfig } from '../config/pod-config.ts';
import { PodManager } from '../pod/pod-manager.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { WorkQueue } from '../util/work-queue.ts';
import type { SyncHandler } from './sync-handler.ts';
import { type LoopMessage, SyncLoop } from './sync-loop.ts';

let clock: VirtualClock;
let log: EventLog;
let ctx: Context;
let controller: AbortController;
let podConfig: PodConfig;
let podManager: PodManager;
let workQueue: WorkQueue;
let loop: SyncLoop;
let running: Promise<void>;
/** The handler calls in order, each as `seconds handler pods`. */
let calls: string[];
let errors: readonly string[];
let probesSync: boolean;
let cleanup: (ctx: Context) => Promise<void>;
let startTime: string | undefined;
let isTerminated: boolean;

const pod = newPod('web');
const { uid } = pod.metadata;
const id = { type: 'fake', id: 'c1' };

function start(gate: Partial<Gate> = {}): void {
  const begin = clock.now();
  const emit = (what: string): void => void calls.push(`${(clock.now() - begin) / 1000} ${what}`);
  const handle =
    (name: string) =>
    async (_ctx: Context, pods: readonly Pod[]): Promise<void> =>
      emit(`${name} ${pods.map(({ metadata }) => metadata.name).join(',')}`.trim());
  const handler: SyncHandler = {
    handlePodAdditions: handle('add'),
    handlePodUpdates: handle('update'),
    handlePodRemoves: handle('remove'),
    handlePodReconcile: handle('reconcile'),
    handlePodSyncs: async (inner, pods) => {
      if (pods.length > 0) inner.tracer.decide(inner, 'synced', {}, pods.length);
      if (pods.length > 0) await handle('sync')(inner, pods);
    },
    handlePodCleanups: async (inner) => {
      emit('cleanup');
      await cleanup(inner);
    },
    handlePlegEvent: (_ctx, { type }) => emit(`pleg ${type}`),
    probeSyncsPod: () => probesSync,
    isPodKnownTerminated: () => isTerminated,
  };
  ctx = background(clock, new Tracer(log, { ...openGate, ...gate }), 'syncLoop', controller.signal);
  loop = new SyncLoop({
    handler,
    podConfig,
    podManager,
    workQueue,
    statusManager: {
      getPodStatus: () => (startTime === undefined ? undefined : { startTime }),
      setContainerReadiness: (_ctx, _uid, _id, ready) => emit(`readiness ${ready}`),
      setContainerStartup: (_ctx, _uid, _id, started) => emit(`startup ${started}`),
    },
    runtimeErrors: () => errors,
  });
  podConfig.start(ctx, (update) => loop.post({ channel: 'config', update }));
  running = loop.run(ctx);
}

beforeEach(() => {
  clock = new VirtualClock();
  log = new EventLog(clock);
  controller = new AbortController();
  podConfig = new PodConfig(['api', 'file'], { event: () => undefined, nodeEvent: () => undefined });
  podManager = new PodManager();
  workQueue = new WorkQueue();
  calls = [];
  errors = [];
  probesSync = true;
  cleanup = async () => undefined;
  startTime = undefined;
  isTerminated = false;
});

afterEach(async () => {
  controller.abort();
  await running;
});

const iterations = (): readonly TraceEventOf<'spanStarted'>[] =>
  log
    .after(0)
    .filter(
      (event): event is TraceEventOf<'spanStarted'> =>
        event.type === 'spanStarted' && event.point === 'kubelet.syncLoopIteration',
    );
const channels = (): readonly unknown[] => iterations().map(({ attributes }) => attributes['channel']);
const withoutCleanups = (): readonly string[] => calls.filter((call) => !call.endsWith('cleanup'));

describe('a message to the sync loop', () => {
  const died: LoopMessage = { channel: 'pleg', event: { uid, type: 'ContainerDied', id: 'c1' } };
  const probe = (type: 'liveness' | 'readiness' | 'startup', result: 'success' | 'failure'): LoopMessage => ({
    channel: 'probe',
    probe: { type, uid, id, result },
  });
  const config = (
    operation: 'ADD' | 'UPDATE' | 'DELETE' | 'REMOVE' | 'RECONCILE',
    pods: readonly Pod[] = [pod],
  ): LoopMessage => ({
    channel: 'config',
    update: { operation, pods, source: 'api' },
  });
  it.each<[string, LoopMessage, readonly string[]]>([
    ['ADD', config('ADD'), ['0.3 add web']],
    ['UPDATE', config('UPDATE'), ['0.3 update web']],
    ['DELETE', config('DELETE'), ['0.3 update web']],
    ['REMOVE', config('REMOVE'), ['0.3 remove web']],
    ['RECONCILE', config('RECONCILE'), ['0.3 reconcile web']],
    ['a first ADD of nothing', config('ADD', []), ['0.3 add']],
    [
      'ContainerStarted',
      { channel: 'pleg', event: { uid, type: 'ContainerStarted', id: 'c1' } },
      ['0.3 sync web', '0.3 pleg ContainerStarted'],
    ],
    ['ContainerDied', died, ['0.3 sync web', '0.3 pleg ContainerDied']],
    [
      'ContainerRemoved',
      { channel: 'pleg', event: { uid, type: 'ContainerRemoved', id: 'c1' } },
      ['0.3 pleg ContainerRemoved'],
    ],
    [
      'ContainerDied of an unknown pod',
      { channel: 'pleg', event: { uid: 'other', type: 'ContainerDied', id: 'c1' } },
      ['0.3 pleg ContainerDied'],
    ],
    ['a liveness failure', probe('liveness', 'failure'), ['0.3 sync web']],
    ['a liveness success', probe('liveness', 'success'), []],
    ['readiness', probe('readiness', 'success'), ['0.3 readiness true', '0.3 sync web']],
    ['a readiness failure', probe('readiness', 'failure'), ['0.3 readiness false', '0.3 sync web']],
    ['startup', probe('startup', 'success'), ['0.3 startup true', '0.3 sync web']],
  ])('%s is handled at once, in an iteration of its own', async (_, message, expected) => {
    podManager.update(pod);
    start();
    await clock.advance(300);
    loop.post(message);
    await clock.advance(1);
    expect(calls).toEqual(expected);
    expect(iterations()).toHaveLength(1);
    const { channel } = message;
    expect(channels()).toEqual([channel === 'probe' ? message.probe.type : channel]);
  });

  it('from a readiness or startup probe syncs no pod when the release only updates the status', async () => {
    probesSync = false;
    podManager.update(pod);
    start();
    loop.post(probe('readiness', 'success'));
    loop.post(probe('startup', 'failure'));
    await clock.advance(1);
    expect(calls).toEqual(['0 readiness true', '0 startup false']);
  });

  it('for an unknown pod is dropped', async () => {
    start();
    loop.post(probe('readiness', 'success'));
    await clock.advance(1);
    expect(calls).toEqual([]);
  });

  it('is handled after all earlier messages, each in its own iteration', async () => {
    podManager.update(pod);
    start();
    for (const message of [died, config('UPDATE'), probe('liveness', 'failure'), config('REMOVE')]) loop.post(message);
    await clock.advance(1);
    expect(calls).toEqual(['0 sync web', '0 pleg ContainerDied', '0 update web', '0 sync web', '0 remove web']);
    expect(channels()).toEqual(['pleg', 'config', 'liveness', 'config']);
    const ends = log.after(0).filter((event) => event.type === 'spanStarted' || event.type === 'spanEnded');
    expect(ends.map(({ type }) => type)).toEqual(iterations().flatMap(() => ['spanStarted', 'spanEnded']));
  });

  it('continues the loop when its handler fails', async () => {
    start();
    podConfig.set('api', [pod]);
    cleanup = () => Promise.reject(new Error('no list'));
    podConfig.set('file', []);
    await clock.advance(2001);
    expect(log.after(0).filter((event) => event.type === 'output')).toMatchObject([
      { level: 'error', message: 'SyncLoop: no list' },
    ]);
    podConfig.set('api', []);
    await clock.advance(1);
    expect(calls.at(-1)).toBe('2.001 remove web');
  });
});

describe('the tickers', () => {
  it('sync due pods once a second, and run housekeeping every two seconds before the syncs', async () => {
    podManager.update(pod);
    podConfig.set('api', [pod]);
    podConfig.set('file', []);
    start();
    workQueue.enqueue(clock, uid, 1500);
    workQueue.enqueue(clock, 'unknown', 100);
    await clock.advance(4500);
    expect(calls).toEqual(['0 add web', '0 add', '2 cleanup', '2 sync web', '4 cleanup']);
  });

  it('sync pods past their deadline every second until their worker is done', async () => {
    podManager.update(newPod('web', { activeDeadlineSeconds: 2 }));
    startTime = new Date(addMilliseconds(clock.now(), 0)).toISOString();
    start();
    await clock.advance(3500);
    expect(withoutCleanups()).toEqual(['2 sync web', '3 sync web']);
    isTerminated = true;
    await clock.advance(2000);
    expect(withoutCleanups()).toHaveLength(2);
  });

  it('run no housekeeping until every source has sent its pods', async () => {
    podConfig.set('api', [pod]);
    start();
    await clock.advance(5000);
    expect(calls).toEqual(['0 add web']);
    podConfig.set('file', []);
    await clock.advance(1001);
    expect(calls.slice(1)).toEqual(['5 add', '6 cleanup']);
  });

  it('emit no events without work, and one iteration each with work', async () => {
    podManager.update(pod);
    podConfig.set('api', [pod]);
    podConfig.set('file', []);
    start();
    await clock.advance(10_500);
    expect(channels()).toEqual(['config', 'config']);
    workQueue.enqueue(clock, uid, 100);
    cleanup = async (inner) => inner.tracer.decide(inner, 'found', {}, true);
    await clock.advance(1500);
    expect(channels()).toEqual(['config', 'config', 'sync', 'housekeeping']);
    expect(iterations().at(-1)).toMatchObject({
      time: addMilliseconds(clock.now(), 0),
      attributes: { allSourcesReady: true },
    });
  });

  it('emit an iteration each time when the debugger watches their point', async () => {
    const seen: unknown[] = [];
    start({
      watches: (_ctx, { id: point }) => point === 'kubelet.syncLoopIteration',
      before: (_ctx, { values }) => void seen.push(values['channel']),
    });
    await clock.advance(2000);
    expect(seen).toEqual(['sync', 'housekeeping', 'sync']);
    expect(channels()).toEqual(seen);
  });
});

it('skips all messages while the runtime has errors, waits 100 ms, 200 ms … 5 s, and logs once', async () => {
  errors = ['container runtime is down'];
  const looks: number[] = [];
  start();
  const begin = clock.now();
  podConfig.set('api', [pod]);
  await clock.advance(12_000);
  expect(calls).toEqual([]);
  errors = [];
  await clock.advance(5000);
  for (const event of log.after(0)) if (event.type === 'output') looks.push(event.time - begin);
  // The loop sleeps 0.1 + 0.2 + … + 3.2 = 6.3 s in all, then 5 s each time. So the first check after 12 s is at 16.3 s.
  expect(looks).toEqual([0, 16_300]);
  expect(calls.find((call) => call.endsWith('add web'))).toBe('16.3 add web');
});
