import { RunHistory } from '@podscope/trace';
import { crashLoop, crashLoopPod } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import type { Welcome } from '../connection/connection.ts';
import { nodeInfo } from '../connection/testing/fake-node.ts';
import { RunStore, type RunStoreOptions } from './run-store.ts';

const story = crashLoop(2);

function setUp(options: RunStoreOptions = {}) {
  const frames: (() => void)[] = [];
  const delayed: (() => void)[] = [];
  const clock = { now: 1_000 };
  const store = new RunStore({
    ...options,
    frame: (task) => frames.push(task),
    later: (_, task) => delayed.push(task),
    now: () => clock.now,
  });
  const heard = { run: 0, pod: 0 };
  const drawn = { frames: 0 };
  store.subscribe(() => heard.run++);
  store.subscribeFrames(() => drawn.frames++);
  store.subscribePod(story.pod, () => heard.pod++);
  const runAll = (tasks: (() => void)[]): void => {
    for (const task of tasks.splice(0)) task();
  };
  return { store, heard, drawn, clock, frames, delayed, draw: () => runAll(frames), pause: () => runAll(delayed) };
}

const welcome = (lastSeq: number, pods: Welcome['pods'] = []): Welcome => ({
  type: 'welcome',
  protocol: 1,
  node: nodeInfo(),
  firstSeq: 1,
  lastSeq,
  after: 0,
  now: 5_000,
  pods,
});

describe('RunStore', () => {
  it('notifies once per frame, however many batches arrive', () => {
    const { store, heard, draw } = setUp();
    store.begin(welcome(0), false);
    store.events(story.events.slice(0, 20));
    store.events(story.events.slice(20, 40));
    expect(heard).toEqual({ run: 0, pod: 0 });
    draw();
    expect(heard).toEqual({ run: 1, pod: 1 });
    expect(store.pod(story.pod)?.name).toBe('web-0');
  });

  it('shows a recording as soon as its node answers, without events', () => {
    const { store, heard } = setUp({ history: new RunHistory(story.events) });
    store.begin({ ...welcome(story.events.length), after: story.events.length }, false);
    expect(heard).toEqual({ run: 1, pod: 1 });
    expect(store.uids).toEqual([story.pod]);
    expect(store.pod(story.pod)?.name).toBe('web-0');
  });

  it("doesn't notify the readers of a pod when only other pods change", () => {
    const { store, heard, clock, draw } = setUp();
    store.begin(welcome(0), false);
    store.events(story.events.slice(0, 20));
    draw();
    clock.now += 1_000;
    const seq = 21;
    store.events([{ type: 'output', level: 'info', message: 'relist', thread: 'pleg', seq, time: story.now }]);
    draw();
    expect(heard).toEqual({ run: 2, pod: 1 });
  });

  it('notifies canvases every frame and text a few times a second during a burst', () => {
    const { store, heard, drawn, draw, pause } = setUp();
    store.begin(welcome(0), false);
    for (let at = 0; at < 40; at += 10) {
      store.events(story.events.slice(at, at + 10));
      draw();
    }
    expect(drawn.frames).toBe(4);
    expect(heard).toEqual({ run: 1, pod: 1 });
    pause();
    expect(heard).toEqual({ run: 2, pod: 2 });
    expect(store.version).toBe(2);
  });

  it('notifies of a stop at once during a burst', () => {
    const { store, heard, draw, pause } = setUp();
    store.begin(welcome(0), false);
    store.events(story.events.slice(0, 20));
    draw();
    store.events(story.events.slice(20, 30));
    draw();
    const base = { seq: 31, time: story.now, thread: story.pod, pod: story.pod } as const;
    store.events([{ ...base, type: 'stopped', reason: 'breakpoint', point: 'kuberuntime.SyncPod', phase: 'before' }]);
    draw();
    expect(heard).toEqual({ run: 2, pod: 2 });
    // The timer already announced the change, so this frame doesn't.
    pause();
    expect(heard).toEqual({ run: 2, pod: 2 });
  });

  it('announces a run in the turn in which the last of its events so far arrives', () => {
    const { store, heard, drawn, draw, pause } = setUp();
    store.begin(welcome(40), false);
    expect(heard.run).toBe(1);
    store.events(story.events.slice(0, 20));
    draw();
    pause();
    expect(heard.run).toBe(1);
    expect(drawn.frames).toBe(1);
    store.events(story.events.slice(20, 40));
    expect(heard.run).toBe(2);
    expect(store.uids).toEqual([story.pod]);
  });

  it('draws ten times a second when more arrives than anyone can read, and a stop at once', () => {
    const { store, drawn, clock, frames, draw, pause } = setUp();
    store.begin(welcome(0), false);
    draw();
    clock.now += 16;
    store.events(story.events.slice(0, 80));
    draw();
    expect(drawn.frames).toBe(2);
    clock.now += 16;
    store.events(story.events.slice(80, 90));
    expect(frames).toHaveLength(0);
    pause();
    expect(frames).toHaveLength(1);
    const base = { seq: 91, time: story.now, thread: story.pod, pod: story.pod } as const;
    draw();
    clock.now += 4;
    store.events(story.events.slice(90, 90));
    store.events([{ ...base, type: 'stopped', reason: 'breakpoint', point: 'kuberuntime.SyncPod', phase: 'before' }]);
    draw();
    expect(drawn.frames).toBe(4);
  });

  it("computes the time from the node's clock", () => {
    const { store } = setUp();
    store.begin(welcome(0), false);
    expect(store.now()).toBe(5_000);
  });

  it('resets when another run begins and adopts its pods', () => {
    const { store, draw } = setUp();
    store.begin(welcome(0), false);
    store.events(story.events);
    draw();
    store.begin(
      welcome(0, [{ ...crashLoopPod, metadata: { ...crashLoopPod.metadata, uid: 'other', name: 'db-0' } }]),
      true,
    );
    draw();
    expect(store.uids).toEqual(['other']);
    expect(store.restartedAt).toBe(1_000);
  });
});
