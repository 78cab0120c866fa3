import type { Pod } from '@podscope/k8s';
import type { PodStatus } from '@podscope/kuberuntime';
import { SyncError } from '@podscope/kuberuntime';
import { background, type Context, EventLog, instant, Tracer, VirtualClock } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PodCache } from '../container/pod-cache.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { StrictClock } from '../util/strict-clock.ts';
import { TaskGroup } from '../util/task-group.ts';
import { WorkQueue } from '../util/work-queue.ts';
import { calculateEffectiveGracePeriod } from './pod-sync-status.ts';
import { PodWorkers } from './pod-workers.ts';
import { retryDelay } from './retry-delay.ts';
import type { SyncPodOutcome, UpdatePodOptions } from './types.ts';

const deleted = (pod: Pod, grace: number): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: grace },
});

describe('calculateEffectiveGracePeriod', () => {
  const pod = newPod('web');
  it.each<[string, number, Pod | undefined, number | undefined, number, boolean]>([
    ['uses the spec’s grace period without a deletion', 0, pod, undefined, 30, false],
    ['prefers the deletion’s grace period to the spec’s', 0, deleted(pod, 5), undefined, 5, false],
    ['prefers an override to the spec’s grace period', 0, pod, 7, 7, false],
    ['uses the shorter of deletion and override', 0, deleted(pod, 5), 7, 5, false],
    ['ignores a request for a longer grace period', 10, deleted(pod, 20), undefined, 10, false],
    ['shortens the current grace period', 30, deleted(pod, 30), 0, 1, true],
    ['uses at least one second', 0, undefined, undefined, 1, false],
  ])('%s', (_, current, given, override, gracePeriod, shortened) => {
    expect(calculateEffectiveGracePeriod(current, given, { gracePeriodSecondsOverride: override })).toEqual({
      gracePeriod,
      shortened,
    });
  });
});

const staticPod = (id: string): Pod =>
  newPod('web', {}, { uid: id, annotations: { 'kubernetes.io/config.source': 'file' } });

const half = (): number => 0.5;

describe('retryDelay', () => {
  const now = instant(1_000_000);
  it.each<[string, boolean, unknown, number]>([
    ['a phase transition', true, undefined, 0],
    ['no error', false, undefined, 75_000],
    ['the network is not ready', false, new Error('network is not ready: x'), 1250],
    ['any error', false, new Error('x'), 12_500],
    ['a back-off', false, new SyncError('CrashLoopBackOff', { backoffExpiration: now + 40_000 }), 50_000],
    ['a long back-off', false, new SyncError('CrashLoopBackOff', { backoffExpiration: now + 300_000 }), 75_000],
    ['an expired back-off', false, new SyncError('CrashLoopBackOff', { backoffExpiration: now - 5 }), 0],
  ])('returns the delay after %s', (_, transition, error, delay) => {
    expect(retryDelay(half, now, transition, error)).toBe(delay);
  });
});

describe('PodWorkers', () => {
  let clock: VirtualClock;
  let ctx: Context;
  let cache: PodCache;
  let workers: PodWorkers;
  let workQueue: WorkQueue;
  let tasks: TaskGroup;
  let controller: AbortController;
  let calls: string[];
  let sync: (ctx: Context, pod: Pod) => Promise<SyncPodOutcome>;
  let terminating: (ctx: Context) => Promise<void>;
  const pod = newPod('web');
  const { uid } = pod.metadata;

  beforeEach(() => {
    clock = new VirtualClock();
    controller = new AbortController();
    ctx = background(clock, new Tracer(new EventLog(clock)), 'main', controller.signal);
    cache = new PodCache();
    // All statuses are current at any time, so workers never wait for the PLEG in this file.
    cache.updateTime(instant(Number.MAX_SAFE_INTEGER));
    workQueue = new WorkQueue();
    calls = [];
    sync = async () => ({ isTerminal: false });
    terminating = async () => undefined;
    tasks = new TaskGroup((error) => {
      throw error;
    });
    workers = new PodWorkers({
      cache,
      workQueue,
      random: () => 0,
      strictClock: new StrictClock(),
      tasks,
      recorder: { event: (_ctx, _pod, _type, reason) => calls.push(`event ${reason}`), nodeEvent: () => undefined },
      syncer: {
        syncPod: (inner, type, given) => {
          calls.push(`sync ${type}`);
          return sync(inner, given);
        },
        syncTerminatingPod: (inner, _pod, _status, grace) => {
          calls.push(`terminating ${grace}`);
          return terminating(inner);
        },
        syncTerminatingRuntimePod: async () => void calls.push('terminating runtime pod'),
        syncTerminatedPod: async () => void calls.push('terminated'),
      },
    });
    workers.start(ctx);
  });

  afterEach(async () => {
    controller.abort();
    await clock.settle();
    await tasks.settled();
  });

  const update = (options: Partial<UpdatePodOptions>): void =>
    void workers.updatePod(ctx, { updateType: 'update', startTime: clock.now(), pod, ...options });
  const questions = () => ({
    running: workers.couldHaveRunningContainers(uid),
    requested: workers.isPodTerminationRequested(uid),
    terminated: workers.isPodKnownTerminated(uid),
    contentGone: workers.shouldPodContentBeRemoved(uid),
    finished: workers.shouldPodBeFinished(uid),
  });

  it('runs the syncs of the types sync, terminating and terminated, in this order', async () => {
    update({ updateType: 'create' });
    await clock.settle();
    expect(questions()).toEqual({
      running: true,
      requested: false,
      terminated: false,
      contentGone: false,
      finished: false,
    });
    update({ pod: deleted(pod, 5) });
    expect(questions()).toMatchObject({ requested: true, terminated: false });
    await clock.settle();
    expect(calls).toEqual(['sync create', 'terminating 5', 'terminated']);
    expect(questions()).toEqual({
      running: false,
      requested: true,
      terminated: true,
      contentGone: true,
      finished: true,
    });
    update({ updateType: 'sync' });
    await clock.settle();
    expect(calls).toHaveLength(3);
  });

  it('merges updates that arrive during a sync into one', async () => {
    const { promise, resolve } = Promise.withResolvers<SyncPodOutcome>();
    sync = () => promise;
    update({ updateType: 'create' });
    await clock.settle();
    for (let i = 0; i < 5; i++) update({ updateType: 'sync' });
    sync = async () => ({ isTerminal: false });
    resolve({ isTerminal: false });
    await clock.settle();
    expect(calls).toEqual(['sync create', 'sync sync']);
  });

  it('cancels the current sync when the pod is deleted, and terminates the pod next', async () => {
    sync = (inner) =>
      new Promise((_resolve, reject) =>
        inner.signal.addEventListener('abort', () => reject(inner.signal.reason as Error), { once: true }),
      );
    update({ updateType: 'create' });
    await clock.settle();
    update({ pod: deleted(pod, 5) });
    await clock.settle();
    expect(calls).toEqual(['sync create', 'terminating 5', 'terminated']);
  });

  it('terminates a pod whose sync reports that it has ended', async () => {
    sync = async () => ({ isTerminal: true });
    update({ updateType: 'create' });
    await clock.settle();
    expect(calls).toEqual(['sync create', 'terminating undefined', 'terminated']);
    expect(questions()).toMatchObject({ finished: true, contentGone: false });
  });

  it('retries a sync after an error', async () => {
    sync = () => Promise.reject(new Error('not now'));
    update({ updateType: 'create' });
    await clock.settle();
    expect(workQueue.dueTime(uid)).toBe(clock.now() + 10_000);
  });

  it('records FailedSync with the reason when the status could not be read', async () => {
    cache = new PodCache();
    cache.set(uid, undefined, new Error('no answer'), instant(Number.MAX_SAFE_INTEGER));
    workers = new PodWorkers({
      cache,
      workQueue,
      random: () => 0,
      strictClock: new StrictClock(),
      tasks,
      recorder: {
        event: (_ctx, _pod, _type, reason, message) => calls.push(`${reason}: ${message}`),
        nodeEvent: () => undefined,
      },
      syncer: {
        syncPod: async () => ({ isTerminal: false }),
        syncTerminatingPod: async () => undefined,
        syncTerminatingRuntimePod: async () => undefined,
        syncTerminatedPod: async () => undefined,
      },
    });
    workers.start(ctx);
    update({ updateType: 'create' });
    await clock.settle();
    expect(calls).toEqual(['FailedSync: error determining status: no answer']);
  });

  it('notifies the requester of a kill when all containers have stopped', async () => {
    let completed = 0;
    update({ updateType: 'create' });
    await clock.settle();
    update({
      updateType: 'kill',
      killPodOptions: { evict: true, gracePeriodSecondsOverride: 3, completed: () => completed++ },
    });
    expect(completed).toBe(0);
    await clock.settle();
    expect(completed).toBe(1);
    expect(calls).toEqual(['sync create', 'terminating 3', 'terminated']);
    expect(workers.shouldPodContentBeRemoved(uid)).toBe(true);
  });

  it('starts a pod that ended before the kubelet’s restart as terminated', async () => {
    update({ updateType: 'create', pod: { ...pod, status: { phase: 'Succeeded' } } });
    await clock.settle();
    expect(calls).toEqual(['terminated']);
  });

  it('terminates a pod that only the runtime has and removes its worker', async () => {
    const runningPod = {
      id: 'stray',
      name: 'stray',
      namespace: 'default',
      createdAt: clock.now(),
      containers: [],
      sandboxes: [],
    };
    update({ pod: undefined, runningPod, updateType: 'sync' });
    update({ pod: undefined, runningPod, updateType: 'kill', killPodOptions: { gracePeriodSecondsOverride: 1 } });
    await clock.settle();
    expect(calls).toEqual(['terminating runtime pod']);
    expect(workers.states(new Set()).size).toBe(0);
  });

  it('terminates orphans, removes finished workers and syncs a UID that is created again', async () => {
    update({ updateType: 'create' });
    await clock.settle();
    workers.syncKnownPods(ctx, []);
    await clock.settle();
    expect(calls).toEqual(['sync create', 'terminating undefined', 'terminated']);
    expect(workers.syncKnownPods(ctx, []).size).toBe(0);
    update({ updateType: 'create' });
    await clock.settle();
    expect(calls.at(-1)).toBe('sync create');
  });

  it('restarts a pod that was created again while it was terminating', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    terminating = () => promise;
    update({ updateType: 'create' });
    await clock.settle();
    update({ updateType: 'kill' });
    await clock.settle();
    update({ updateType: 'create' });
    resolve();
    await clock.settle();
    expect(workers.shouldPodBeFinished(uid)).toBe(true);
    expect(workers.syncKnownPods(ctx, [pod]).size).toBe(0);
  });

  describe('static pods with one name', () => {
    it('run one after the other', async () => {
      update({ updateType: 'create', pod: staticPod('one') });
      update({ updateType: 'create', pod: staticPod('two') });
      await clock.settle();
      expect(calls).toEqual(['sync create']);
      expect(workQueue.dueTime('two')).toBe(clock.now() + 10_000);
      update({ updateType: 'kill', pod: staticPod('one') });
      await clock.settle();
      update({ updateType: 'sync', pod: staticPod('two') });
      await clock.settle();
      expect(calls).toEqual(['sync create', 'terminating 30', 'terminated', 'sync sync']);
    });

    it('don’t start if they are terminated while they wait', async () => {
      update({ updateType: 'create', pod: staticPod('one') });
      update({ updateType: 'create', pod: staticPod('two') });
      await clock.settle();
      update({ updateType: 'kill', pod: staticPod('two') });
      await clock.settle();
      expect(calls).toEqual(['sync create']);
      expect(workers.shouldPodBeFinished('two')).toBe(true);
    });
  });

  it('a worker waits for a status newer than its last sync', async () => {
    const own = new PodCache();
    own.updateTime(clock.now());
    const seen: PodStatus[] = [];
    const slow = new PodWorkers({
      cache: own,
      workQueue,
      random: () => 0,
      strictClock: new StrictClock(),
      tasks,
      recorder: { event: () => undefined, nodeEvent: () => undefined },
      syncer: {
        syncPod: async (_ctx, _type, _pod, _mirror, status) => {
          seen.push(status);
          return { isTerminal: false };
        },
        syncTerminatingPod: async () => undefined,
        syncTerminatingRuntimePod: async () => undefined,
        syncTerminatedPod: async () => undefined,
      },
    });
    slow.start(ctx);
    void slow.updatePod(ctx, { updateType: 'create', startTime: clock.now(), pod });
    await clock.settle();
    void slow.updatePod(ctx, { updateType: 'sync', startTime: clock.now(), pod });
    await clock.settle();
    expect(seen).toHaveLength(1);
    own.updateTime(instant(clock.now() + 1000));
    await clock.settle();
    expect(seen).toHaveLength(2);
  });
});
