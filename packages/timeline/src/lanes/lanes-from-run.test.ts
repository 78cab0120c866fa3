import { RunFold, RunHistory, type TraceEvent } from '@podscope/trace';
import { crashLoop, crashLoopPod, EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import type { Item, Lane } from '../model.ts';
import { RunLanes } from './lanes-from-run.ts';

const foldOf = (events: readonly TraceEvent[]): RunFold => {
  const fold = new RunFold();
  fold.applyAll(events);
  return fold;
};

const laneNamed = (lanes: readonly Lane[], label: string): Lane => {
  const lane = lanes.find((candidate) => candidate.label === label);
  if (!lane) throw new Error(`no lane ${label}`);
  return lane;
};

const rowOf = (lane: Lane, row = 0): readonly Item[] => lane.items.filter((item) => item.row === row);
const said = (lane: Lane): string[] => rowOf(lane).map(({ state, label }) => `${state}: ${label}`);

describe('lanes of a crash loop', () => {
  const story = crashLoop(3);
  const { lanes, origin, live } = new RunLanes().model(foldOf(story.events));

  it('are in the order of the pod', () => {
    expect(lanes.map(({ label, kind }) => `${label} ${kind}`)).toEqual([
      'Pod phase',
      'Pod worker worker',
      'Sandbox sandbox',
      'migrate init',
      'proxy sidecar',
      'app container',
      'Image pulls pulls',
      'Events events',
    ]);
    expect([origin, live]).toEqual([story.startedAt, true]);
  });

  it('show pull, create, start, run, exit and back-off without a gap', () => {
    const app = laneNamed(lanes, 'app');
    expect(said(app)).toEqual([
      'waiting: PodInitializing',
      'pulling: pull',
      'creating: create',
      'creating: start',
      'running: running',
      'error: exit 1',
      'creating: create',
      'creating: start',
      'running: running  #1',
      'backoff: back-off 10s',
      'waiting: next sync',
      'creating: create',
      'creating: start',
      'running: running  #2',
      'backoff: back-off 20s',
      'waiting: next sync',
    ]);
    const items = rowOf(app);
    // Gaps of a few milliseconds between two calls of one start are the kubelet's own work.
    const holes = items
      .slice(1)
      .map((next, at) => next.start - (items[at]?.end ?? 0) - (items[at]?.span === undefined ? 0 : 20));
    expect(Math.max(...holes)).toBeLessThanOrEqual(0);
    expect(app.markers.map(({ kind, badge }) => `${kind} ${badge}`)).toEqual(['failure 1', 'failure 1', 'failure 1']);
    expect(app.note).toBe('↻ 2');
  });

  it('count down only the back-off that is running', () => {
    const backOffs = laneNamed(lanes, 'app').items.filter(({ state }) => state === 'backoff');
    expect(backOffs.map(({ countdownTo }) => countdownTo !== undefined)).toEqual([false, true]);
  });

  it('end the back-off of a deleted pod at the deletion request', () => {
    const deleted = crashLoop(3);
    const at = deleted.now + 1_000;
    deleted.wait(1_000).emit({
      type: 'podChanged',
      operation: 'MODIFIED',
      object: {
        ...crashLoopPod,
        metadata: { ...crashLoopPod.metadata, deletionTimestamp: new Date(at + 30_000).toISOString() },
      },
    });
    const app = laneNamed(new RunLanes().model(foldOf(deleted.events)).lanes, 'app');
    const last = app.items.findLast(({ state }) => state === 'backoff');
    expect(last).toMatchObject({ end: at, countdownTo: undefined });
  });

  it('show the init container as completed and the sidecar as running', () => {
    expect(said(laneNamed(lanes, 'migrate')).at(-1)).toBe('succeeded: exit 0');
    expect(said(laneNamed(lanes, 'proxy')).at(-1)).toBe('running: running');
    expect(said(laneNamed(lanes, 'Pod'))).toEqual(['pending: Pending', 'running: Running']);
    expect(laneNamed(lanes, 'Sandbox').note).toBe('10.88.0.7');
  });

  it('nest steps and calls under their sync', () => {
    const worker = laneNamed(lanes, 'Pod worker');
    expect([0, 1, 2, 3].map((row) => new Set(rowOf(worker, row).map(({ state }) => state)))).toEqual([
      new Set(['worker']),
      new Set(['step', 'sync']),
      new Set(['step', 'call']),
      new Set(['call']),
    ]);
    expect(rowOf(worker, 3).map(({ label }) => label)).toContain('startContainer app');
  });

  it('never overlap within a row', () => {
    const overlaps = lanes.flatMap((lane) =>
      Array.from({ length: lane.rows }, (_, row) => rowOf(lane, row)).flatMap((items) =>
        items.slice(1).filter((next, at) => next.start < (items[at]?.end ?? Number.POSITIVE_INFINITY)),
      ),
    );
    expect(overlaps).toEqual([]);
  });

  it('have unique item ids', () => {
    const ids = lanes.flatMap(({ items, markers }) =>
      [
        ...items.filter(({ id }) => !id.startsWith('span:')),
        ...markers.filter(({ id }) => !id.startsWith('span:')),
      ].map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('RunLanes', () => {
  it('builds the same lanes event by event as all at once', () => {
    const { events } = crashLoop(3);
    const fold = new RunFold();
    const stepwise = new RunLanes();
    for (const event of events) {
      fold.apply(event);
      stepwise.model(fold);
    }
    expect(JSON.stringify(stepwise.model(fold).lanes)).toBe(JSON.stringify(new RunLanes().model(fold).lanes));
  });

  it('keeps unchanged lanes and settled items', () => {
    const story = crashLoop(2);
    const fold = foldOf(story.events);
    const lanes = new RunLanes();
    const before = lanes.model(fold).lanes;
    story.emit({ type: 'kubernetesEvent', eventType: 'Normal', reason: 'Hello', message: 'hello', count: 1 });
    fold.applyAll(story.events);
    const after = lanes.model(fold).lanes;
    expect(after.filter((lane) => before.includes(lane)).map(({ label }) => label)).toEqual([
      'Pod',
      'Sandbox',
      'migrate',
      'proxy',
      'app',
      'Image pulls',
    ]);
    expect(laneNamed(after, 'Pod worker').settled).toBe(laneNamed(after, 'Pod worker').items.length);
  });

  it('settles old items of a container and builds the same lane', () => {
    const { events } = crashLoop(60);
    const fold = new RunFold();
    const stepwise = new RunLanes();
    for (const [at, event] of events.entries()) {
      fold.apply(event);
      if (at % 7 === 0) stepwise.model(fold);
    }
    const { lanes } = stepwise.model(fold);
    const app = laneNamed(lanes, 'app');
    expect(app.settled).toBeGreaterThan(100);
    expect(app.settled).toBeLessThan(app.items.length);
    expect(app.items.every((item, at) => at === 0 || item.start >= (app.items[at - 1]?.start ?? 0))).toBe(true);
    expect(app.markers).toHaveLength(60);
    expect(JSON.stringify(new RunLanes().model(fold).lanes)).toBe(JSON.stringify(lanes));
    const ids = new Set(app.items.map(({ id }) => id));
    expect(ids.size).toBe(app.items.length);
    const holes = rowOf(app)
      .slice(1)
      .map((next, at) => next.start - (rowOf(app)[at]?.end ?? 0) - (rowOf(app)[at]?.span === undefined ? 0 : 20));
    expect(Math.max(...holes)).toBeLessThanOrEqual(0);
  });

  it('continues with a pod whose record a keyframe replaced, and starts again when the fold went back', () => {
    const { events } = crashLoop(6);
    const history = new RunHistory([], { keyframeInterval: 50 });
    const lanes = new RunLanes();
    const first: Item[] = [];
    for (const event of events) {
      history.append([event]);
      const worker = lanes.model(history.newest).lanes.find(({ kind }) => kind === 'worker');
      if (first.length === 0 && worker && worker.settled > 0) first.push(...worker.items.slice(0, worker.settled));
    }
    const after = lanes.model(history.newest).lanes;
    expect(JSON.stringify(after)).toBe(JSON.stringify(new RunLanes().model(history.newest).lanes));
    expect(first.length).toBeGreaterThan(0);
    for (const [at, item] of first.entries()) expect(laneNamed(after, 'Pod worker').items[at]).toBe(item);
    const past = history.seek(events.length - 10);
    const travelling = new RunLanes();
    for (const seq of [events.length - 10, 120, 90, 260]) {
      history.seek(seq, past);
      expect(JSON.stringify(travelling.model(past).lanes)).toBe(JSON.stringify(new RunLanes().model(past).lanes));
    }
  });

  it('groups lanes by pod when there are several pods', () => {
    const fold = foldOf(crashLoop(1).events);
    fold.seedPods([{ metadata: { uid: 'other', name: 'db-0', creationTimestamp: '2026-01-05T09:00:00Z' } }]);
    expect(new Set(new RunLanes().model(fold).lanes.map(({ group }) => group))).toEqual(new Set(['web-0', 'db-0']));
    expect(new RunLanes().model(fold, ['other']).lanes[0]?.group).toBeUndefined();
  });

  it('shows a stop as a paused range below its span', () => {
    const log = new EventScript('u');
    log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    log.open('kuberuntime.SyncPod');
    const step = log.open('syncPod.createPodSandbox');
    log.emit({ type: 'stopped', reason: 'breakpoint', point: 'syncPod.createPodSandbox', phase: 'before' });
    log.wait(900).emit({ type: 'continued' });
    const worker = laneNamed(new RunLanes().model(foldOf(log.events)).lanes, 'Pod worker');
    expect(worker.items.find(({ state }) => state === 'paused')).toMatchObject({
      row: 2,
      span: step,
      label: '❚❚ breakpoint',
      start: log.now - 900,
      end: log.now,
    });
    expect(worker.markers).toMatchObject([{ kind: 'stop' }]);
  });

  it('cuts the phase at the deletion, and everything else at the removal of the pod', () => {
    const story = crashLoop(1).wait(1000);
    const asked = story.now;
    const object = {
      ...crashLoopPod,
      metadata: { ...crashLoopPod.metadata, deletionTimestamp: '2026-01-05T09:01:00Z' },
    };
    story.emit({ type: 'podChanged', operation: 'MODIFIED', object });
    story
      .wait(500)
      .call('StopContainer', 300, { containerId: 'proxy-0', timeout: 30 })
      .call('StopPodSandbox', 90, { podSandboxId: 'f00d' });
    story.wait(10).emit({ type: 'podChanged', operation: 'DELETED', object });
    const model = new RunLanes().model(foldOf(story.events));
    expect(laneNamed(model.lanes, 'Pod').items.at(-1)).toMatchObject({
      state: 'stopping',
      label: 'Terminating',
      start: asked,
      end: story.now,
    });
    expect(model.live).toBe(false);
    const proxy = laneNamed(model.lanes, 'proxy');
    expect(rowOf(proxy, 1).map(({ label }) => label)).toEqual(['stop']);
    for (const lane of model.lanes) for (const item of lane.items) expect(item.end).toBeDefined();
  });
});
