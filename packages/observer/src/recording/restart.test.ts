/**
 * Tests which state an observation has after a restart of the debugger: the recorded conversations are cut at some
 * instant, and a second observer continues some seconds later with the state that the first one saved.
 */
import { RunFold } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import type { CallMessage, CallRecord } from '../inputs.ts';
import { figuresOf } from '../report.ts';
import { readSavedState } from '../shadow/saved-memories.ts';
import { listAt, textAt } from '../state/fields.ts';
import type { SyncReport } from '../sync-judge.ts';
import { recordedSession, sessions } from '../testing/recordings.ts';
import type { Recording } from './recording.ts';
import { replay, type Tracing } from './replay.ts';

/** Returns the part of a recording before an instant. Calls in flight have no result. */
const before = (recording: Recording, at: number): Recording => ({
  ...recording,
  calls: recording.calls
    .filter(({ t }) => t < at)
    .map((call) => (call.result && call.result.end < at ? call : { ...call, result: undefined })),
  pods: recording.pods.filter(({ t }) => t < at),
  spans: recording.spans.filter(({ end }) => end < at),
});

/**
 * Returns the calls with which the relay reads the runtime when a debugger connects: the lists, and the status of each
 * item.
 */
function readByRelay({ calls }: Recording, at: number): readonly CallRecord[] {
  const answered = calls.filter(({ result }) => result !== undefined && result.end <= at && result.status === 0);
  const isWhole = ({ request }: CallRecord): boolean => Object.keys(request?.['filter'] ?? {}).length === 0;
  const own: CallRecord[] = [];
  const add = (call: CallRecord, request: CallMessage): void => {
    const metadata = { 'user-agent': 'podscope-relay' };
    const result = call.result && { ...call.result, end: at + own.length / 1000 };
    own.push({ ...call, number: 1_000_000 + own.length, metadata, t: at, request, result });
  };
  for (const [list, field, status, id] of [
    ['ListPodSandbox', 'items', 'PodSandboxStatus', 'podSandboxId'],
    ['ListContainers', 'containers', 'ContainerStatus', 'containerId'],
  ] as const) {
    const newest = answered.findLast((call) => call.method === list && isWhole(call));
    if (!newest) continue;
    add(newest, {});
    for (const item of listAt(newest.result?.response, field)) {
      const of = textAt(item, 'id');
      const read = answered.findLast(({ method, request }) => method === status && textAt(request, id) === of);
      if (read) add(read, { [id]: of });
    }
  }
  return own;
}

/** Returns the part of a recording from an instant on. A span is exported after its end. */
const after = (recording: Recording, at: number, readAt = at): Recording => ({
  ...recording,
  calls: [...readByRelay(recording, readAt), ...recording.calls.filter(({ t }) => t > at)],
  pods: recording.pods.filter(({ t }) => t > at),
  spans: recording.spans.filter(({ end }) => end > at),
});

/**
 * Returns the syncs that were judged before and after a restart of the debugger.
 * @param readAfter how long after that the relay reads the runtime, in seconds
 */
async function restarted(recording: Recording, seconds: number, gap: number, tracing: Tracing, readAfter = 0) {
  const ended = recording.startedAt + seconds * 1000;
  const first = await replay(before(recording, ended), { tracing });
  const state = readSavedState(JSON.parse(JSON.stringify(first.state)));
  const earlier = { at: ended, pods: first.observer.currentPods, spans: first.events.length, state };
  const resumed = ended + gap * 1000;
  const second = await replay(after(recording, resumed, resumed + readAfter * 1000), { tracing, earlier });
  return { first: first.syncs, second: second.syncs, resumed };
}

/** Returns the pods of the syncs that can't be decided because something from before the observation is missing. */
const undecided = (syncs: readonly SyncReport[], from: number): readonly string[] =>
  syncs
    .filter(({ judged, sync }) => judged.counts && judged.verdict === 'unknown' && sync.start > from)
    .filter(({ judged }) => judged.missing?.input !== 'probeResult')
    .map(({ sync }) => sync.pod.name);

describe.each([
  ['with spans', 'spans'],
  ['without tracing', 'none'],
] as const)('a restart of the debugger, %s', (_name, tracing) => {
  it.each(sessions)('leaves at most one later sync of each pod in session %s undecided', async (session) => {
    const recording = recordedSession(session);
    for (const [seconds, gap] of [
      [12, 0.5],
      [20, 4],
      [31, 8],
      [45, 12],
    ] as const) {
      const { first, second, resumed } = await restarted(recording, seconds, gap, tracing);
      const { differs, agrees, counted } = figuresOf([...first, ...second]);
      expect({ seconds, gap, differs }).toEqual({ seconds, gap, differs: 0 });
      expect(agrees / counted).toBeGreaterThan(0.75);
      const pods = undecided(second, resumed);
      expect(pods).toEqual([...new Set(pods)]);
    }
  });

  it('decides the syncs of a crash loop with the saved back-offs', async () => {
    const { second, resumed } = await restarted(recordedSession('a'), 20, 4, tracing);
    const crashing = second.filter(({ sync }) => sync.pod.name.startsWith('crash-exit1') && sync.start > resumed);
    expect(crashing.filter(({ judged }) => judged.counts).map(({ judged }) => judged.verdict)).not.toContain('unknown');
    expect(crashing.some(({ judged }) => judged.counts && judged.verdict === 'agrees')).toBe(true);
  });
});

it.each([
  [39, 'a sync whose pod the runtime has not shown yet'],
  [60, 'a sync before the first list of all sandboxes'],
])('reports no difference after a restart at %i s because of %s', async (seconds) => {
  const { first, second } = await restarted(recordedSession('a'), seconds, 0.5, 'spans', 6);
  expect(figuresOf([...first, ...second]).differs).toBe(0);
});

it('remembers the back-offs of a deleted pod for ten minutes, as a static pod can return with its UID', async () => {
  const recording = recordedSession('a');
  const ended = recording.startedAt + 75_000;
  const { observer, state } = await replay(before(recording, ended));
  const uid = '00000000-0000-4000-8000-000000000010';
  expect(observer.currentPods.map(({ metadata }) => metadata.uid)).not.toContain(uid);
  const saved = readSavedState(JSON.parse(JSON.stringify(state)));
  const earlier = { at: ended, pods: observer.currentPods, spans: 1_000, state: saved };
  const { observer: second } = await replay(after(recording, ended + 500), { earlier });
  const remembered = (minutes: number): boolean => {
    second.tick(ended + minutes * 60_000);
    return second.state().memories.some((memory) => memory.uid === uid && memory.backOffs.length > 0);
  };
  expect([remembered(9), remembered(12)]).toEqual([true, false]);
});

it('reads nothing from a saved state of another form', () => {
  expect(readSavedState({ at: 1 })).toBeUndefined();
  expect(readSavedState(null)).toBeUndefined();
});

it('draws no failure for a call that the kubelet did not make', async () => {
  const recording = recordedSession('a');
  const { events } = await replay(after(recording, recording.startedAt + 35_000));
  const fold = new RunFold();
  fold.applyAll(events);
  const failures = fold
    .pods()
    .flatMap(({ containers }) => containers.flatMap(({ activities }) => activities))
    .filter(({ outcome }) => outcome === 'error');
  const unmade = (id: number): boolean => {
    const span = fold.span(id);
    if (!span) return false;
    const isUnmade = span.point.startsWith('shadow.') && span.outcome === 'error';
    return (isUnmade && span.attributes['followedBy'] === undefined) || span.children.some(unmade);
  };
  expect(failures.filter(({ span }) => unmade(span))).toEqual([]);
});
