/** Tests the lanes that don't belong to containers: probes, image pulls, stops and faults. */
import { RunFold, type TraceEvent } from '@podscope/trace';
import { crashLoop, crashLoopPod, EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import type { Item, Lane } from '../model.ts';
import { englishWords, type TimelineWords } from '../words/words.ts';
import { RunLanes, type RunSource } from './lanes-from-run.ts';

const lanesOf = (log: EventScript): readonly Lane[] => {
  const fold = new RunFold();
  fold.applyAll(log.events);
  return new RunLanes().model(fold).lanes;
};
const ofKind = (lanes: readonly Lane[], kind: Lane['kind']): Lane => lanes.find((lane) => lane.kind === kind) as Lane;

const probed = {
  ...crashLoopPod,
  spec: { containers: [{ name: 'app', image: 'shop/web:2.4.1', readinessProbe: {}, livenessProbe: {} }] },
};

function probe(
  log: EventScript,
  type: string,
  result: string | undefined,
  error?: { reason: string; message: string },
): void {
  log.open('kubelet.probe', { kind: 'probe', attributes: { type, container: 'app', containerID: 'x' } });
  log.wait(30).close(result ? { result, output: `HTTP ${result}` } : undefined, error);
}

describe('a worker lane', () => {
  it('has the titles of steps and of stops in the language of the words', () => {
    const log = new EventScript(crashLoopPod.metadata.uid).emit({
      type: 'podChanged',
      operation: 'ADDED',
      object: crashLoopPod,
    });
    log.open('kuberuntime.SyncPod');
    log.open('syncPod.createPodSandbox');
    log.emit({ type: 'stopped', reason: 'breakpoint', point: 'syncPod.createPodSandbox', phase: 'before' });
    const fold = new RunFold();
    fold.applyAll(log.events);
    const words: TimelineWords = {
      ...englishWords,
      step: (point) => `<${point}>`,
      stopReason: (reason) => `<${reason}>`,
      stopPlace: (phase, step) => `<${phase}> ${step}`,
    };
    const { lanes } = new RunLanes(words).model(fold);
    expect(ofKind(lanes, 'worker').items.map(({ label }) => label)).toEqual([
      '<kuberuntime.SyncPod>',
      '<syncPod.createPodSandbox>',
      '❚❚ <breakpoint>',
    ]);
    expect(ofKind(lanes, 'debug').markers).toMatchObject([{ detail: '<before> <syncPod.createPodSandbox>' }]);
  });

  it('marks the syncs of a genuine kubelet whose bounds are inferred, and not the observed calls in them', () => {
    const log = new EventScript(crashLoopPod.metadata.uid).emit({
      type: 'podChanged',
      operation: 'ADDED',
      object: crashLoopPod,
    });
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    log.open('cri.StartContainer', { kind: 'cri' });
    log.wait(30).close();
    log.close();
    const fold = new RunFold();
    fold.applyAll(
      log.events.map((event) => ({
        ...event,
        source: 'cri' as const,
        ...(event.type === 'spanStarted' && event.kind === 'worker' ? { inferred: true } : {}),
      })),
    );
    const worker = ofKind(new RunLanes().model(fold).lanes, 'worker');
    expect(worker.items.map(({ state, inferred }) => [state, inferred])).toEqual([
      ['worker', true],
      ['call', false],
    ]);
  });
});

describe('the lanes of a genuine kubelet’s pod', () => {
  it('name the source of attempts, exits, back-offs and events', () => {
    const fold = new RunFold();
    const { events } = crashLoop(2);
    fold.applyAll(
      events.map((event) => ({
        ...event,
        source: event.type === 'kubernetesEvent' ? ('api' as const) : ('cri' as const),
        ...(event.type === 'backOff' ? { source: 'shadow' as const, inferred: true } : {}),
      })),
    );
    const { lanes } = new RunLanes().model(fold);
    const app = lanes.find(({ label }) => label === 'app');
    const ofState = (state: Item['state']) => app?.items.find((item) => item.state === state);
    expect(ofState('running')).toMatchObject({ source: 'cri', inferred: false });
    expect(ofState('backoff')).toMatchObject({ source: 'shadow', inferred: true });
    expect(app?.markers[0]).toMatchObject({ kind: 'failure', source: 'cri' });
    expect(ofKind(lanes, 'events').markers[0]).toMatchObject({ source: 'api', inferred: false });
  });
});

describe('the lane of a genuine kubelet’s container', () => {
  it('marks only the exit of a container as inferred that was stopped and removed without a status', () => {
    const uid = crashLoopPod.metadata.uid;
    const log = new EventScript(uid).emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    log.call('RunPodSandbox', 10, { config: { metadata: { attempt: 0, uid } } }, { podSandboxId: 's' });
    const config = { metadata: { name: 'app', attempt: 0 } };
    log.call('CreateContainer', 10, { podSandboxId: 's', config }, { containerId: 'c' });
    log.call('StartContainer', 10, { containerId: 'c' });
    log.wait(1_000).call('StopContainer', 10, { containerId: 'c' });
    log.wait(1_000).call('RemoveContainer', 10, { containerId: 'c' });
    const fold = new RunFold();
    fold.applyAll(log.events.map((event) => ({ ...event, source: 'cri' as const })));
    const app = ofKind(new RunLanes().model(fold).lanes, 'container');
    const inferredOf = (kind: string) => app.items.find(({ id }) => id.startsWith(kind))?.inferred;
    expect([inferredOf('attempt:'), inferredOf('exited:')]).toEqual([false, true]);
    expect(app.markers).toMatchObject([{ kind: 'exit', source: 'cri', inferred: true }]);
  });
});

describe('a worker lane with syncs that overlap', () => {
  const call = { pod: 'u1', title: 'sync', attributes: {}, source: 'otlp' } as const;
  const point = 'kubelet.podWorkerLoop';
  type Span = readonly [span: number, parent: number | undefined, start: number, end: number | undefined];

  /** Returns the events of spans in the order of time. */
  const logOf = (spans: readonly Span[]): readonly TraceEvent[] => {
    type Unnumbered<E> = E extends TraceEvent ? Omit<E, 'seq'> : never;
    return spans
      .flatMap(([span, parent, start, end]): Unnumbered<TraceEvent>[] => {
        const kind = parent === undefined ? 'worker' : 'cri';
        const place = { ...call, thread: `${parent ?? span}`, span } as const;
        return [
          { ...place, type: 'spanStarted', time: start, parent, kind, point },
          ...(end === undefined ? [] : [{ ...place, type: 'spanEnded', time: end, outcome: 'ok' } as const]),
        ];
      })
      .toSorted((a, b) => a.time - b.time)
      .map((event, at) => ({ ...event, seq: at + 1 }));
  };

  /** Applies events one after the other, and returns the last lane and how many spans each update read. */
  function grow(events: readonly TraceEvent[]) {
    const fold = new RunFold();
    const reads: number[] = [];
    const source: RunSource = {
      pods: () => fold.pods(),
      pod: (uid) => fold.pod(uid),
      span: (id) => {
        reads[reads.length - 1] = (reads.at(-1) ?? 0) + 1;
        return fold.span(id);
      },
      get lastTime() {
        return fold.lastTime;
      },
    };
    const lanes = new RunLanes();
    let lane: Lane | undefined;
    let lists = 0;
    for (const event of events) {
      fold.apply(event);
      reads.push(0);
      const next = ofKind(lanes.model(source).lanes, 'worker');
      if (next.items !== lane?.items) lists++;
      lane = next;
    }
    return { lane, lists, mostReads: Math.max(...reads), whole: ofKind(new RunLanes().model(fold).lanes, 'worker') };
  }

  /** Returns `count` syncs of 1 s, one every 4 s, each with a call. */
  const syncs = (count: number, length = 1_000): readonly Span[] =>
    Array.from({ length: count }, (_, at): readonly Span[] => [
      [at * 2 + 1, undefined, at * 4_000, at * 4_000 + length],
      [at * 2 + 2, at * 2 + 1, at * 4_000 + length - 500, at * 4_000 + length - 100],
    ]).flat();

  it.each<readonly [string, readonly Span[]]>([
    [
      'once',
      [
        [9_001, undefined, 3_000, 7_000],
        [9_002, 9_001, 6_000, 6_500],
      ],
    ],
    ['with an earlier sync that never ends', [[9_001, undefined, 3_000, undefined]]],
  ])('reads the spans of few syncs at each update if they overlap %s', (_how, overlapping) => {
    const { lane, lists, mostReads, whole } = grow(logOf([...syncs(200), ...overlapping]));
    expect(mostReads).toBeLessThan(40);
    expect(lane?.items).toEqual(whole.items);
    expect(lists).toBe(1);
  });

  it('settles all but the newest syncs', () => {
    const overlapping: readonly Span[] = [
      [9_001, undefined, 3_000, 7_000],
      [9_002, 9_001, 6_000, 6_500],
    ];
    const { lane } = grow(logOf([...syncs(200), ...overlapping]));
    expect(lane?.settled).toBeGreaterThan(390);
  });

  it('settles all but the newest syncs if each overlaps with the next one', () => {
    const { lane, lists, mostReads, whole } = grow(logOf(syncs(200, 5_000)));
    expect(mostReads).toBeLessThan(40);
    expect(lane?.settled).toBeGreaterThan(390);
    expect(lane?.items).toEqual(whole.items);
    expect(lists).toBe(1);
  });
});

describe('the worker lane of a log that begins inside a sync', () => {
  it('has the sync without its pod worker, and each later sync', () => {
    const log = new EventScript(crashLoopPod.metadata.uid);
    const fold = new RunFold();
    const lanes = new RunLanes();
    const roots = (): readonly (number | undefined)[] => {
      fold.applyAll(log.events);
      return ofKind(lanes.model(fold).lanes, 'worker').items.map(({ span }) => span);
    };
    log.open('kuberuntime.SyncPod');
    expect(roots()).toEqual([1]);
    log.wait(10).close();
    for (const known of [[1], [1, 2], [1, 2, 3]]) {
      expect(roots()).toEqual(known);
      log.wait(10).open('kubelet.podWorkerLoop', { kind: 'worker' });
      roots();
      log.wait(10).close();
    }
    expect(roots()).toEqual([1, 2, 3, 4]);
  });
});

describe('the worker lane of a genuine kubelet', () => {
  it('sorts a sync that the log received late, and draws its exact bounds', () => {
    const base = { thread: 'u1', pod: 'u1', kind: 'worker', title: 'sync', attributes: {} } as const;
    const point = 'kubelet.podWorkerLoop';
    const ended = { type: 'spanEnded', thread: 'u1', pod: 'u1', outcome: 'ok' } as const;
    const events: readonly TraceEvent[] = [
      { ...base, seq: 1, time: 5_000, type: 'spanStarted', span: 1, point, source: 'cri', inferred: true },
      { ...ended, seq: 2, time: 6_000, span: 1, source: 'otlp', start: 4_900 },
      { ...base, seq: 3, time: 7_000, at: 1_000, type: 'spanStarted', span: 2, point, source: 'otlp' },
      { ...ended, seq: 4, time: 7_000, at: 2_000, span: 2, source: 'otlp' },
    ];
    const fold = new RunFold();
    const lanes = new RunLanes();
    const worker = (): Lane => ofKind(lanes.model(fold).lanes, 'worker');
    fold.applyAll(events.slice(0, 2));
    expect(worker()).toMatchObject({ settled: 0 });
    fold.applyAll(events);
    expect(worker().items.map(({ start, end, inferred }) => [start, end, inferred])).toEqual([
      [1_000, 2_000, false],
      [4_900, 6_000, false],
    ]);
  });
});

describe('the worker lane of a genuine kubelet that reports a sync late', () => {
  const base = { thread: 'u1', pod: 'u1', kind: 'worker', title: 'sync', attributes: {} } as const;
  const point = 'kubelet.podWorkerLoop';
  /** Returns the events of a sync of 1 s that the log received at `received`. */
  const sync = (span: number, start: number, received: number): readonly TraceEvent[] => [
    {
      ...base,
      seq: span * 2,
      time: received,
      at: start,
      type: 'spanStarted',
      span,
      point,
      source: 'otlp',
    },
    {
      type: 'spanEnded',
      thread: 'u1',
      pod: 'u1',
      outcome: 'ok',
      seq: span * 2 + 1,
      time: received,
      at: start + 1_000,
      span,
      source: 'otlp',
    },
  ];

  it.each([
    ['before any of them is settled', true, [sync(1, 5_000, 6_000), sync(2, 1_000, 7_000), sync(3, 31_000, 32_000)]],
    [
      'after others are settled, in another list of items',
      false,
      [sync(1, 5_000, 6_000), sync(3, 31_000, 32_000), sync(4, 1_000, 33_000)],
    ],
  ])('keeps the lane sorted if it arrives %s', (_when, isSameList, syncs) => {
    const fold = new RunFold();
    const lanes = new RunLanes();
    const worker = (): Lane => ofKind(lanes.model(fold).lanes, 'worker');
    const lists = syncs.map((events) => {
      fold.applyAll(events);
      return worker().items;
    });
    const { items, settled } = worker();
    expect(items.map(({ start }) => start)).toEqual([1_000, 5_000, 31_000]);
    expect(settled).toBe(2);
    expect(items === lists[0]).toBe(isSameList);
  });
});

describe('the lane of a container that never ran', () => {
  it('has a wait until the pod fails, and none if the kubelet refused the pod at once', () => {
    const log = new EventScript(crashLoopPod.metadata.uid).emit({
      type: 'podChanged',
      operation: 'ADDED',
      object: crashLoopPod,
    });
    const refuse = { type: 'podStatus', status: { phase: 'Failed', reason: 'NodeAffinity' } } as const;
    const waits = () => ofKind(lanesOf(log), 'container').items.map(({ start, end }) => end && end - start);
    expect(waits()).toEqual([undefined]);
    log.wait(500).emit(refuse);
    expect(waits()).toEqual([500]);
    const atOnce = new EventScript(crashLoopPod.metadata.uid)
      .emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod })
      .emit(refuse);
    expect(ofKind(lanesOf(atOnce), 'container').items).toEqual([]);
  });
});

describe('probes', () => {
  it('have a row for each probe type of the spec and a mark for each attempt', () => {
    const log = new EventScript(crashLoopPod.metadata.uid).emit({
      type: 'podChanged',
      operation: 'ADDED',
      object: probed,
    });
    expect(ofKind(lanesOf(log), 'probes')).toMatchObject({
      label: 'app probes',
      rowLabels: ['readiness', 'liveness'],
      markers: [],
    });
    probe(log, 'readiness', 'failure');
    probe(log, 'liveness', 'success');
    probe(log, 'liveness', undefined, { reason: 'ProbeMissed', message: 'stopped' });
    probe(log, 'liveness', undefined, { reason: 'Error', message: 'refused' });
    log.open('kubelet.probe', { kind: 'probe', attributes: { type: 'readiness', container: 'app' } });
    const lane = ofKind(lanesOf(log), 'probes');
    expect(lane.markers.map(({ kind, row }) => `${kind} ${row}`)).toEqual([
      'probeFailure 0',
      'probeSuccess 1',
      'probeMissed 1',
      'probeError 1',
    ]);
    expect(lane.markers[0]).toMatchObject({
      label: 'readiness: failure',
      detail: 'HTTP failure',
      from: log.now - 120,
      time: log.now - 90,
    });
    expect(lane.items).toMatchObject([{ state: 'probe', row: 0, end: undefined }]);
    expect(lane.note).toBe('3 of 4 failed');
  });
});

describe('image pulls', () => {
  it('have a bar with the bytes of all layers and one bar per layer', () => {
    const lane = ofKind(lanesOf(crashLoop(1)), 'pulls');
    const [summary] = lane.items.filter(({ label }) => label === 'shop/web:2.4.1');
    expect(summary).toMatchObject({ state: 'pulling', detail: '46 MB · 2 layers' });
    const layers = lane.items.filter(({ span, label }) => span === summary?.span && label.endsWith('download'));
    expect(layers.map(({ row, detail }) => [row - (summary?.row ?? 0), detail])).toEqual([
      [1, '6 MB'],
      [2, '40 MB'],
    ]);
    for (const row of new Set(lane.items.map((item) => item.row))) {
      const items = lane.items.filter((item) => item.row === row);
      expect(items.slice(1).filter((next, at) => next.start < (items[at]?.end ?? Number.POSITIVE_INFINITY))).toEqual(
        [],
      );
    }
  });
});

describe('stops and faults', () => {
  it('get their own lane once there are any, and mark the spans they changed', () => {
    const log = new EventScript(crashLoopPod.metadata.uid).emit({
      type: 'podChanged',
      operation: 'ADDED',
      object: crashLoopPod,
    });
    expect(lanesOf(log).some(({ kind }) => kind === 'debug')).toBe(false);
    log.open('kuberuntime.SyncPod');
    const span = log.open('syncPod.createPodSandbox');
    log
      .emit({ type: 'stopped', reason: 'breakpoint', point: 'syncPod.createPodSandbox', phase: 'before' })
      .wait(900)
      .emit({ type: 'continued' });
    log.emit({ type: 'intervention', id: 1, action: 'fail', origin: 'fault', text: 'it fails' });
    const lanes = lanesOf(log);
    expect(ofKind(lanes, 'debug').markers).toMatchObject([
      { kind: 'stop', until: log.now, time: log.now - 900 },
      { kind: 'fault', id: `span:${span}`, detail: 'it fails' },
    ]);
    expect(ofKind(lanes, 'worker').items.find((item) => item.span === span && item.state === 'step')).toMatchObject({
      injected: true,
    });
  });
});
