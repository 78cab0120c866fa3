import { RunFold, type TraceEvent } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { RunLanes } from './lanes-from-run.ts';

interface Work {
  readonly thread: string;
  readonly title: string;
  readonly start: number;
  readonly end?: number;
  readonly parent?: number;
  readonly pod?: string;
}

/** Returns the events of calls of a genuine kubelet, in the order of their times. */
function eventsOf(calls: readonly Work[]): readonly TraceEvent[] {
  const events = calls.flatMap(({ thread, title, start, end, parent, pod }, at) => {
    const span = at + 1;
    const source = 'cri' as const;
    const attributes = end === undefined ? { deadline: start + 120_000 } : {};
    const started = {
      type: 'spanStarted',
      thread,
      span,
      parent,
      pod,
      point: `cri.${title}`,
      kind: 'cri',
      title,
    } as const;
    return [
      { ...started, source, attributes, time: start, seq: 0 },
      ...(end === undefined
        ? []
        : [{ type: 'spanEnded' as const, thread, span, pod, source, outcome: 'ok' as const, time: end, seq: 0 }]),
    ];
  });
  return events.toSorted((a, b) => a.time - b.time).map((event, at) => ({ ...event, seq: at + 1 }));
}

const relists = Array.from({ length: 60 }, (_, second) => [
  { thread: 'pleg', title: 'ListPodSandbox', start: second * 1_000, end: second * 1_000 + 5 },
  { thread: 'pleg', title: 'ListContainers', start: second * 1_000 + 6, end: second * 1_000 + 9 },
]).flat();
const status = { thread: 'runtimeCheck', title: 'Status', start: 50_000, end: 50_004 };

/** Returns the fold, which counts how many spans are read from it. */
function counting(fold: RunFold): { readonly source: RunFold; readonly reads: () => number } {
  let count = 0;
  const read = fold.span.bind(fold);
  fold.span = (id) => {
    count++;
    return read(id);
  };
  return { source: fold, reads: () => count };
}

describe('the lane of an observed node', () => {
  it('collapses relists and checks of the runtime to one lane, and expands it to a lane for each thread', () => {
    const fold = new RunFold();
    fold.applyAll(eventsOf([...relists, status]));
    const lanes = new RunLanes();
    const [node, ...others] = lanes.node(fold, false);
    expect(others).toEqual([]);
    expect(node).toMatchObject({ kind: 'node', label: 'Node', rows: 2 });
    expect(node?.items).toHaveLength(121);
    expect(node?.items.find(({ row }) => row === 1)?.label).toBe('Runtime status: Status');
    expect(lanes.node(fold, true).map(({ label, items }) => [label, items.length])).toEqual([
      ['PLEG', 120],
      ['Runtime status', 1],
    ]);
  });

  it('keeps items that no longer change, and updates the others', () => {
    const events = eventsOf([...relists, status]);
    const whole = new RunFold();
    whole.applyAll(events);
    const fold = new RunFold();
    const lanes = new RunLanes();
    let settled = 0;
    for (const event of events) {
      fold.apply(event);
      const [node] = lanes.node(fold, false);
      expect(node?.settled).toBeGreaterThanOrEqual(settled);
      settled = node?.settled ?? 0;
    }
    expect(settled).toBeGreaterThan(80);
    const items = lanes.node(fold, false)[0]?.items ?? [];
    expect(items).toEqual(new RunLanes().node(whole, false)[0]?.items);
    expect(items.map(({ start }) => start)).toEqual(items.map(({ start }) => start).toSorted((a, b) => a - b));
  });

  it('puts calls at the same time into rows, and counts down to the deadline of a call in flight', () => {
    const fold = new RunFold();
    fold.applyAll(
      eventsOf([
        { thread: 'pleg', title: 'ContainerStatus', start: 1_000, end: 1_500 },
        { thread: 'pleg', title: 'ContainerStatus', start: 1_100, end: 1_200 },
        { thread: 'pleg', title: 'ListContainers', start: 2_000 },
      ]),
    );
    const [pleg] = new RunLanes().node(fold, true);
    expect(pleg?.items.map(({ row, end, countdownTo }) => [row, end, countdownTo])).toEqual([
      [0, 1_500, undefined],
      [1, 1_200, undefined],
      [0, undefined, 122_000],
    ]);
  });

  it('reads only new spans while a call that began with the run never ends', () => {
    const { source, reads } = counting(new RunFold());
    const events = eventsOf([{ thread: 'runtimeCheck', title: 'Status', start: 0 }, ...relists]);
    const lanes = new RunLanes();
    for (const event of events) {
      source.apply(event);
      const before = reads();
      lanes.node(source, false);
      // Relists of the last 15 s may still change: two calls per second.
      expect(reads() - before).toBeLessThan(40);
    }
    const [node] = lanes.node(source, false);
    expect(node?.items.at(0)).toMatchObject({ label: 'Runtime status: Status', end: undefined });
    expect(node?.settled).toBeGreaterThan(80);
  });

  it('ends a call that was open for longer than earlier spans can arrive, in another list of items', () => {
    const hung = { thread: 'pleg', title: 'ContainerStatus', start: 10_500, end: 55_500 };
    const events = eventsOf([...relists, hung]);
    const fold = new RunFold();
    const lanes = new RunLanes();
    const seen = new Set<readonly unknown[]>();
    for (const event of events) {
      fold.apply(event);
      for (const { items } of lanes.node(fold, true)) seen.add(items);
      lanes.node(fold, false);
    }
    expect(seen.size).toBe(2);
    for (const isExpanded of [true, false]) {
      const stepwise = lanes.node(fold, isExpanded).map(({ items }) => items);
      expect(stepwise).toEqual(new RunLanes().node(fold, isExpanded).map(({ items }) => items));
      expect(stepwise[0]?.find(({ start }) => start === hung.start)).toMatchObject({ end: hung.end });
    }
  });

  it('reads only new events of a stream, and sorts events of another stream', () => {
    const { source, reads } = counting(new RunFold());
    const event = (start: number, parent = 1) =>
      ({ thread: 'containerEvents', title: 'CONTAINER_STARTED_EVENT', start, end: start, parent, pod: 'u1' }) as const;
    const stream = { thread: 'containerEvents', title: 'GetContainerEvents', start: 1_000 } as const;
    const checks = Array.from({ length: 100 }, (_, at) => ({ ...status, start: at * 5_000, end: at * 5_000 + 1 }));
    const started = Array.from({ length: 100 }, (_, at) => event(1_001 + at * 5_000));
    const lanes = new RunLanes();
    const markers = () => lanes.node(source, false).at(-1)?.markers ?? [];
    for (const each of eventsOf([stream, ...started, ...checks])) {
      source.apply(each);
      const before = reads();
      markers();
      expect(reads() - before).toBeLessThan(20);
    }
    const before = markers();
    expect(before).toHaveLength(100);
    const [again, late] = eventsOf([{ ...stream, start: 1_500 }, event(2_000, 900)]);
    for (const [at, each] of [again, late].entries())
      if (each?.type === 'spanStarted') source.apply({ ...each, span: 900 + at, seq: source.lastSeq + 1 });
    const after = markers();
    expect(after).not.toBe(before);
    expect(after.map(({ time }) => time).slice(0, 3)).toEqual([1_001, 2_000, 6_001]);
  });

  it('shows the events of a stream as markers of a lane of their own', () => {
    const fold = new RunFold();
    fold.applyAll(
      eventsOf([
        { thread: 'containerEvents', title: 'GetContainerEvents', start: 1_000 },
        { thread: 'containerEvents', title: 'CONTAINER_STARTED_EVENT', start: 2_000, end: 2_000, parent: 1, pod: 'u1' },
      ]),
    );
    expect(new RunLanes().node(fold, false)).toMatchObject([
      { label: 'Container events', markers: [{ time: 2_000, label: 'CONTAINER_STARTED_EVENT' }] },
    ]);
  });

  it('is absent for work of a pod worker and for the kubelet here', () => {
    const fold = new RunFold();
    const [own] = eventsOf([{ thread: 'pleg', title: 'ListContainers', start: 1_000 }]);
    fold.applyAll(eventsOf([{ thread: 'u1', title: 'StartContainer', start: 1_000, end: 1_100, pod: 'u1' }]));
    if (own) fold.apply({ ...own, seq: 9, source: undefined });
    expect(new RunLanes().node(fold, false)).toEqual([]);
  });
});
