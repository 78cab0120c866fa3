/** Tests the lanes that don't belong to containers: probes, image pulls, stops and faults. */
import { RunFold, type TraceEvent } from '@podscope/trace';
import { crashLoop, crashLoopPod, EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import type { Item, Lane } from '../model.ts';
import { englishWords, type TimelineWords } from '../words/words.ts';
import { RunLanes } from './lanes-from-run.ts';

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
