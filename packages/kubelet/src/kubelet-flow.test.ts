/** Tests the spans and decisions of a pod from its creation to its end, in both releases. */
import { kubeletPointsOf, kubeletSyncPodPoints } from '@podscope/flow';
import type { TraceEventOf } from '@podscope/trace';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, type KubeletHarnessOptions, newPod } from './testing/kubelet-harness.ts';

let harness: KubeletHarness;

async function start(options: KubeletHarnessOptions): Promise<void> {
  harness = new KubeletHarness({ simulator: { latencies: {} }, ...options });
  await harness.start();
}

afterEach(() => harness.stop());

const web = (command: string) =>
  newPod('web', { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', command] }] });
const spans = (): readonly TraceEventOf<'spanStarted'>[] => harness.ofType('spanStarted');

/**
 * Returns the points of a span and of its ancestors. The parent of a worker's sync is the span that caused the sync.
 */
function wayTo(span: TraceEventOf<'spanStarted'> | undefined): readonly string[] {
  const byID = new Map(spans().map((each) => [each.span, each]));
  const way: string[] = [];
  for (let at = span; at; at = byID.get(at.parent ?? Number(at.attributes['causedBy']))) way.unshift(at.point);
  return way;
}

/** Returns when a container was seen in a state, in seconds of the minute. */
const seen = (to: string): readonly number[] =>
  harness
    .ofType('runtimeStateChanged')
    .filter(({ object, to: state }) => object === 'container' && state === to)
    .map(({ time }) => (time % 60_000) / 1000);

describe.each(['v1.36', 'v1.20'] as const)('an exit between two relists, in %s', (profile) => {
  it('is seen at the next relist, although the runtime emits an event about it', async () => {
    await start({ profile });
    harness.api.apply(web('sleep 2.4; exit 1'));
    await harness.until(3.9);
    expect(seen('exited')).toEqual([3]);
  });
});

describe.each([
  ['v1.36', [], 'kubelet.podWorkerLoop'],
  ['v1.20', ['kubelet.dispatchWork'], 'kubelet.managePodLoop'],
] as const)('a run of a pod in %s', (profile, dispatch, workerLoop) => {
  const after = [
    ...dispatch,
    'kubelet.UpdatePod',
    workerLoop,
    'kubelet.SyncPod',
    'kubelet.syncPod.runtimeSyncPod',
    'kuberuntime.SyncPod',
  ];

  it('nests the runtime’s sync below iteration, handler and worker, for an added pod and a PLEG event', async () => {
    await start({ profile });
    harness.api.apply(web('sleep 3600'));
    await harness.until(3);
    const runtimeSyncs = spans().filter(({ point }) => point === 'kuberuntime.SyncPod');
    expect(wayTo(runtimeSyncs[0])).toEqual(['kubelet.syncLoopIteration', 'kubelet.HandlePodAdditions', ...after]);
    // The PLEG's event causes the second sync.
    expect(wayTo(runtimeSyncs[1])).toEqual(['kubelet.syncLoopIteration', 'kubelet.HandlePodSyncs', ...after]);
  });

  it('starts a sync with getNewerThan and ends it with the decision about the next sync', async () => {
    await start({ profile, random: () => 0.1234567 });
    harness.api.apply(web('sleep 3600'));
    await harness.until(3);
    const pass = spans().find(({ point }) => point === workerLoop);
    const children = spans().filter(({ parent }) => parent === pass?.span);
    expect(children.map(({ point }) => point)).toEqual(['kubelet.getNewerThan', 'kubelet.SyncPod']);
    const decisions = harness.ofType('decision').filter(({ span }) => span === pass?.span);
    expect(decisions.map(({ rule, outcome }) => `${rule}: ${String(outcome)}`)).toEqual([
      `podWorkers.${profile === 'v1.36' ? 'nextSync' : 'wrapUp'}: in 1m3.704s`,
    ]);
    // The second sync waits for the PLEG, and the wait is a span of its own.
    const waits = harness.ofType('spanEnded').flatMap((end) => {
      const begin = spans().find(({ span, point }) => span === end.span && point === 'kubelet.getNewerThan');
      return begin ? [end.time - begin.time] : [];
    });
    expect(waits[0]).toBe(0);
  });

  it('handles a status that returns from the API in an iteration, without a sync', async () => {
    await start({ profile });
    harness.api.apply(web('sleep 3600'));
    await harness.until(3);
    const reconciles = spans().filter(({ point }) => point === 'kubelet.HandlePodReconcile');
    expect(reconciles.length).toBeGreaterThan(0);
    for (const each of reconciles)
      expect(wayTo(each)).toEqual(['kubelet.syncLoopIteration', 'kubelet.HandlePodReconcile']);
    expect(spans().filter(({ parent }) => reconciles.some(({ span }) => span === parent))).toEqual([]);
  });

  it('lists every point that a run passes, and no point of the other release', async () => {
    await start({ profile });
    harness.api.apply(web('exit 1'));
    await harness.until(30);
    harness.api.delete('web');
    await harness.until(70);
    const listed = new Set(kubeletPointsOf(profile).map(({ id }) => id));
    const seen = [...new Set(spans().map(({ point }) => point))].filter((point) => point.startsWith('kubelet.'));
    expect(seen.filter((point) => !listed.has(point))).toEqual([]);
    expect(listed.has('kubelet.dispatchWork')).toBe(profile === 'v1.20');
    expect(listed.has('kubelet.podWorkerLoop')).toBe(profile === 'v1.36');
  });
});

describe('syncPod of v1.36', () => {
  const steps = (): readonly string[] => {
    const first = spans().find(({ point }) => point === 'kubelet.SyncPod');
    return spans()
      .filter(({ parent }) => parent === first?.span)
      .map(({ point }) => point.replace('kubelet.syncPod.', ''));
  };
  const outcome = () => {
    const first = spans().find(({ point }) => point === 'kubelet.SyncPod');
    return harness.ofType('spanEnded').find(({ span }) => span === first?.span);
  };
  const order = Object.keys(kubeletSyncPodPoints);
  const upTo = (last: string): readonly string[] =>
    order.slice(0, order.indexOf(last) + 1).filter((step) => step !== 'reconcileMirrorPod');

  it('runs all steps of a regular pod in order, without the mirror pod step', async () => {
    await start({});
    harness.api.apply(web('sleep 3600'));
    await harness.until(0.5);
    expect(steps()).toEqual(order.filter((step) => step !== 'reconcileMirrorPod'));
    expect(outcome()?.outcome).toBe('ok');
  });

  it('runs the mirror pod step of a static pod between its cgroup and its directories', async () => {
    await start({ sources: ['api', 'file'] });
    const annotations = { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': 'h' };
    harness.kubelet.podConfig.set('file', [newPod('web', {}, { annotations, creationTimestamp: undefined })]);
    await harness.until(0.5);
    expect(steps()).toEqual(order);
  });

  it.each<[string, () => void, string, string]>([
    [
      'the network is not ready',
      () => harness.runtime.conditions.splice(1, 1),
      'checkNetwork',
      'network is not ready: ',
    ],
    [
      'the directories can’t be made',
      () => void (harness.os.mkdirAll = () => Promise.reject(new Error('disk full'))),
      'makePodDataDirs',
      'disk full',
    ],
  ])('ends with an error where %s', async (_, prepare, last, message) => {
    harness = new KubeletHarness();
    await harness.start();
    prepare();
    await harness.until(6);
    harness.api.apply(newPod('web'));
    await harness.until(6.5);
    expect(steps()).toEqual(upTo(last));
    expect(outcome()).toMatchObject({ outcome: 'error', error: { message: expect.stringContaining(message) } });
  });

  it('returns the error of a back-off, with the time of its end', async () => {
    harness = new KubeletHarness();
    harness.runtime.scripts.set('app', { exitAfterMs: 0, exitCode: 1 });
    await harness.start();
    harness.api.apply(newPod('web'));
    await harness.until(5);
    const failed = harness
      .ofType('spanEnded')
      .filter(({ outcome: how, error }) => how === 'error' && error?.message.includes('CrashLoopBackOff'));
    expect(failed.length).toBeGreaterThan(0);
    // The container is restarted after 1 s and exits at once. The sync that finds the back-off schedules the next sync
    // for the end of the back-off, not for 10 s later.
    const begin = harness.clock.now() - 5000;
    const next = harness
      .ofType('decision')
      .find(({ rule, facts }) => rule === 'podWorkers.nextSync' && String(facts['error']).includes('CrashLoopBackOff'));
    expect(next && next.time - begin).toBe(2000);
    expect(next?.outcome).toBe('in 9s');
  });

  it('ends after the status step for a pod that has finished', async () => {
    harness = new KubeletHarness();
    harness.runtime.scripts.set('app', { exitAfterMs: 100, exitCode: 0 });
    await harness.start();
    harness.api.apply(newPod('web', { restartPolicy: 'Never' }));
    await harness.until(3);
    const last = spans().findLast(({ point }) => point === 'kubelet.SyncPod');
    const own = spans().filter(({ parent }) => parent === last?.span);
    expect(own.map(({ point }) => point)).toEqual(
      ['recordLatency', 'generateAPIPodStatus', 'setPodStatus'].map((step) => `kubelet.syncPod.${step}`),
    );
    expect(harness.ofType('spanStarted').some(({ point }) => point === 'kubelet.SyncTerminatedPod')).toBe(true);
  });
});
