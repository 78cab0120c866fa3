import type { TimelineModel } from '@podscope/timeline';
import { RunFold, type TraceEvent } from '@podscope/trace';
import { crashLoopPod, EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { stepTree, syncRowOf } from '../../../node/syncs/step-tree.ts';
import { bothOnAxis, correspondingSync, counterpartOf } from './compared-runs.ts';
import { treeDifferences } from './tree-differences.ts';

const { uid } = crashLoopPod.metadata;

/**
 * Returns a sync in which these steps of SyncPod ran.
 * @param steps duration of each step, in milliseconds
 */
function syncWith(worker: string, steps: Readonly<Record<string, number>>): EventScript {
  const log = new EventScript(uid);
  log.open(worker, { kind: 'worker' });
  log.open('kubelet.SyncPod');
  log.open('kubelet.syncPod.runtimeSyncPod', { kind: 'kubeletStep' });
  log.open('kuberuntime.SyncPod');
  for (const [step, milliseconds] of Object.entries(steps)) {
    log.open(`syncPod.${step}`);
    log.wait(milliseconds).close();
  }
  return log.close().close().close().close();
}

function treeOf(log: EventScript, release: 'v1.36' | 'v1.20') {
  const run = new RunFold();
  run.applyAll(log.events);
  const pod = run.pod(uid);
  const sync = pod?.syncs.at(-1);
  if (!pod || !sync) throw new Error('the log has no sync');
  return syncRowOf(
    stepTree({ release, runtime: 'simulated' }, sync, (id) => (id === undefined ? undefined : run.span(id)), pod),
  );
}

/** Returns the state of a run with these pods on `node1`, each with its source. */
function runWith(pods: Readonly<Record<string, 'file' | 'api'>>): RunFold {
  const run = new RunFold();
  const events: TraceEvent[] = [];
  for (const [name, source] of Object.entries(pods)) {
    const log = new EventScript(name);
    const annotations = { 'kubernetes.io/config.source': source };
    const metadata = { name, namespace: 'default', uid: name, annotations };
    log.emit({ type: 'podChanged', operation: 'ADDED', object: { metadata, spec: { nodeName: 'node1' } } });
    events.push(...log.events);
  }
  run.applyAll(events.map((event, index) => ({ ...event, seq: index + 1 })));
  return run;
}

describe('counterpartOf', () => {
  it.each([
    ['web', runWith({ 'web-node1': 'file' }), 'web-node1'],
    ['web', runWith({ 'web-node1': 'file', web: 'api' }), 'web'],
    ['web', runWith({ 'web-node1': 'api' }), undefined],
  ])('of %s in another run is the pod with this name or, for a static pod, this manifest', (name, run, found) => {
    const own = { namespace: 'default', name, object: { metadata: { name, namespace: 'default' } } };
    expect(counterpartOf(own, run)?.name).toBe(found);
  });

  it('of a static pod is the pod of its manifest', () => {
    const [own] = runWith({ 'web-node1': 'file' }).pods();
    expect(own && counterpartOf(own, runWith({ web: 'api' }))?.name).toBe('web');
  });
});

describe('treeDifferences', () => {
  const modern = treeOf(
    syncWith('kubelet.podWorkerLoop', { computePodActions: 1, createPodSandbox: 300, onPodSandboxReady: 1 }),
    'v1.36',
  );
  const old = treeOf(
    syncWith('kubelet.managePodLoop', { computePodActions: 1, killContainers: 1, createPodSandbox: 100 }),
    'v1.20',
  );
  const inWords = (differences: ReturnType<typeof treeDifferences>): readonly string[] =>
    [...differences].map(
      ([key, difference]) =>
        `${key.split('/').at(-1)}: ${difference.kind === 'state' ? difference.other : difference.kind}`,
    );

  it('names the steps that only one release has, those with another state, and slower ones', () => {
    const found = inWords(treeDifferences(modern, old));
    expect(found).toContain('syncPod.onPodSandboxReady: only');
    expect(found).toContain('syncPod.resizePodInPlace: only');
    expect(found).toContain('kubelet.syncPod.addPodProbes: only');
    expect(found).toContain('syncPod.killContainers: done');
    expect(found).toContain('syncPod.createPodSandbox: slower');
    expect(found).not.toContain('syncPod.computePodActions: only');
  });

  it('names the same steps from the view of the other tree', () => {
    const found = inWords(treeDifferences(old, modern));
    expect(found).toContain('kubelet.syncPod.canRunPod: only');
    expect(found).toContain('syncPod.killContainers: skipped');
    expect(found).not.toContain('syncPod.createPodSandbox: slower');
  });

  it('finds no differences between equal trees', () => {
    expect(treeDifferences(modern, modern).size).toBe(0);
  });
});

describe('correspondingSync', () => {
  /** Returns a pod with syncs at these seconds after its first event. Syncs at negative seconds do nothing. */
  const podWith = (seconds: readonly number[]) => {
    const script = new EventScript(uid).emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    const begin = script.now;
    for (const second of seconds) {
      script.wait(Math.abs(second) * 1_000 - (script.now - begin));
      script.open('kubelet.podWorkerLoop', { kind: 'worker' });
      if (second >= 0) script.call('CreateContainer', 1, {});
      script.close();
    }
    const run = new RunFold();
    run.applyAll(script.events);
    const pod = run.pod(uid);
    if (!pod) throw new Error('no pod');
    return pod;
  };
  const pod = podWith([0, 10, 40, -41]);
  const other = podWith([1, -2, 9, 12, 20, 38, 39]);
  const counterpart = (number: number): number | undefined => {
    const sync = pod.syncs.find((each) => each.number === number);
    return sync && correspondingSync(pod, sync, other)?.number;
  };

  it.each([
    ['the latest sync that did something', 3, 7],
    ['an earlier sync', 2, 3],
    ['the first sync', 1, 1],
  ])('of %s is the one at the same instant, no matter how many syncs both pods had', (_, number, found) => {
    expect(counterpart(number)).toBe(found);
  });
});

describe('bothOnAxis', () => {
  it('shows two rows of a pod worker, so that the lanes of both runs are in view', () => {
    const item = (row: number) => ({ id: `${row}`, start: 0, end: 5, row, state: 'step' as const, label: 'step' });
    const worker = { id: 'w', kind: 'worker' as const, label: 'Pod worker', rows: 4, items: [0, 1, 2, 3].map(item) };
    const model: TimelineModel = { lanes: [{ ...worker, markers: [], settled: 0 }], origin: 0, end: 10, live: false };
    const both = bothOnAxis({ name: 'A', model, startedAt: 0 }, { name: 'B', model, startedAt: 0 });
    expect(both.lanes.map(({ rows, items }) => [rows, items.length])).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });

  it('moves the second run to the start of the first', () => {
    const model = (start: number): TimelineModel => ({
      lanes: [
        {
          id: 'a',
          kind: 'container',
          label: 'app',
          rows: 1,
          items: [{ id: 'x', start, end: start + 5, row: 0, state: 'running', label: 'app' }],
          markers: [{ id: 'm', time: start + 5, kind: 'exit', label: 'exit' }],
          settled: 1,
        },
      ],
      origin: start,
      end: start + 10,
      live: true,
    });
    const both = bothOnAxis(
      { name: 'A', model: model(1_000), startedAt: 1_000 },
      { name: 'B', model: model(9_000), startedAt: 9_000 },
    );
    expect(
      both.lanes.map(({ id, group, items, markers }) => [id, group, items[0]?.start, items[0]?.end, markers[0]?.time]),
    ).toEqual([
      ['a', 'A', 1_000, 1_005, 1_005],
      ['other/a', 'B', 1_000, 1_005, 1_005],
    ]);
    expect(both).toMatchObject({ origin: 1_000, end: 1_010 });
  });

  it.each([
    ['a live run lasts up to the present', true, 1_075],
    ['a run that is over ends with its last event', false, 1_050],
  ])('%s, and so do its open items', (_case, live, end) => {
    const model: TimelineModel = {
      lanes: [
        {
          id: 'a',
          kind: 'sandbox',
          label: 'Sandbox',
          rows: 1,
          items: [{ id: 'x', start: 1_000, end: undefined, row: 0, state: 'running', label: 'ready' }],
          markers: [],
          settled: 0,
        },
      ],
      origin: 1_000,
      end: 1_050,
      live,
    };
    const other = { name: 'B', model: { ...model, lanes: [], end: 1_010 }, startedAt: 1_000 };
    const both = bothOnAxis({ name: 'A', model, startedAt: 1_000, present: 1_075 }, other);
    expect(both.lanes[0]?.items[0]?.end).toBe(end);
    expect(both.end).toBe(end);
  });
});
