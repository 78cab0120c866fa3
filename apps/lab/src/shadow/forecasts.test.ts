/**
 * Compares forecasts about the pods of genuine kubelets with what these kubelets did next. The pods are observed
 * through recorded calls; a forecast is made after every change of a pod's status.
 */
import { join } from 'node:path';
import { type Recording, type ReplayOptions, replay } from '@podscope/observer';
import { forecastOfRun, snapshotOfRun } from '@podscope/pod-snapshot';
import { type Fact, judge } from '@podscope/pod-snapshot/testing';
import { readRecordingDirectory } from '@podscope/server/observe';
import { type PodTrack, RunFold, type TraceEvent } from '@podscope/trace';
import { describe, expect, it } from 'vitest';

const directory = join(import.meta.dirname, '../../../../packages/observer/recordings');

/**
 * Returns the exits of a pod's containers, at seconds after `now`. An exit that no call has shown yet counts as the
 * next action, because no forecast can know it.
 * @param whole the pod at the end of the session
 */
const endsOf = (whole: PodTrack, seen: PodTrack, now: number): readonly Fact[] =>
  whole.containers.flatMap(({ name, attempts }) =>
    attempts.flatMap(({ id, finishedAt }): Fact[] => {
      if (finishedAt === undefined) return [];
      const known = seen.containers.find((each) => each.name === name)?.attempts.find((each) => each.id === id);
      const after = (finishedAt - now) / 1_000;
      return [
        { after: known?.finishedAt === undefined ? Math.max(0.001, after) : after, kind: 'end', container: name },
      ];
    }),
  );

/** Returns the actions of the kubelet on a pod, at seconds after `now`. */
function actionsOf(uid: string, events: readonly TraceEvent[], now: number): readonly Fact[] {
  const pulls = new Set<number>();
  return events.flatMap((event): readonly Fact[] => {
    if (event.pod !== uid) return [];
    const after = (event.time - now) / 1_000;
    if (event.type === 'spanEnded' && event.outcome === 'error' && pulls.has(event.span))
      return [{ after, kind: 'failure', container: '' }];
    if (event.type !== 'spanStarted' || event.source !== 'cri') return [];
    const { container, attempt } = event.attributes;
    switch (event.point) {
      case 'cri.CreateContainer':
        return [{ after, kind: 'attempt', container: String(container), attempt: Number(attempt) }];
      case 'cri.StopContainer':
        return [{ after, kind: 'kill', container: String(container) }];
      case 'cri.PullImage':
        pulls.add(event.span);
        return [{ after, kind: 'pull', container: '' }];
      default:
        return [];
    }
  });
}

/** Returns the actions of people that affect a pod, and the end of the recording. */
const actionsOn = ({ actions }: Recording, name: string): Recording['actions'] =>
  actions.filter(
    ({ action, pod }) => action.startsWith('kubelet stopped') || name.startsWith(pod?.replace(/^\d+-/, '') ?? name),
  );

describe.each([
  ['a', 'v1.36', {}, 25],
  ['b', 'v1.36', {}, 15],
  ['c', 'v1.20', {}, 20],
  ['a', 'v1.36', { pods: false }, 35],
  ['b', 'v1.36', { pods: false }, 20],
  ['c', 'v1.20', { pods: false }, 5],
] as const)(
  'forecast of a pod that a genuine kubelet runs, session %s',
  (name, profile, options: ReplayOptions, atLeast) => {
    const source = options.pods === false ? 'specs inferred' : 'with /pods';
    it(`matches what the kubelet then did: ${profile}, ${source}`, async () => {
      const recording = readRecordingDirectory(directory, name);
      const { events } = await replay(recording, options);
      const [fold, session] = [new RunFold(), new RunFold()];
      session.applyAll(events);
      const misses: string[] = [];
      let compared = 0;
      for (const event of events) {
        fold.apply(event);
        const track = event.type === 'podStatus' && event.pod !== undefined ? fold.pod(event.pod) : undefined;
        const seen = track && snapshotOfRun(fold, track, event.time);
        if (!track || !seen) continue;
        const actions = actionsOn(recording, track.name);
        const isRemoved = actions.some(({ t, action }) => t <= event.time && action === 'manifest removed');
        // Without `/pods`, nothing shows that a pod is being deleted, or that a probe will make the kubelet kill it.
        if (options.pods === false && (isRemoved || track.name.startsWith('liveness-'))) continue;
        const until = ((actions.find(({ t }) => t > event.time)?.t ?? event.time) - event.time) / 1_000;
        const foreseen = await forecastOfRun(seen, { profile, limit: 6, horizon: until * 1_000 });
        const whole = session.pod(track.uid);
        const facts = [
          ...actionsOf(track.uid, events, event.time),
          ...(whole ? endsOf(whole, track, event.time) : []),
        ].toSorted((a, b) => a.after - b.after);
        const result = judge(seen.snapshot, foreseen, { facts, until }, profile);
        compared += result.compared;
        misses.push(
          ...result.misses.map(
            (miss) => `${track.name} at ${Math.round(event.time - recording.startedAt)} ms: ${miss}`,
          ),
        );
      }
      expect(misses).toEqual([]);
      expect(compared).toBeGreaterThanOrEqual(atLeast);
    });
  },
);

it.each([
  ['a', ['liveness-exec-twin-node', 'liveness-http-twin-node']],
  ['b', ['liveness-exec-twin-node']],
  ['c', ['liveness-exec-twin-node']],
] as const)(
  'a forecast is left out after the kubelet has restarted a container of an inferred spec, session %s',
  async (name, pods) => {
    const { events } = await replay(readRecordingDirectory(directory, name), { pods: false });
    const fold = new RunFold();
    const left = new Set<string>();
    for (const event of events) {
      fold.apply(event);
      const track = event.type === 'podStatus' && event.pod !== undefined ? fold.pod(event.pod) : undefined;
      const seen = track && snapshotOfRun(fold, track, event.time);
      if (!track || !seen || seen.unexplained.length === 0) continue;
      const { isSimulated, entries, notices } = await forecastOfRun(seen);
      const values = { containers: 'app' };
      expect({ isSimulated, entries, notices }).toEqual({
        isSimulated: false,
        entries: [],
        notices: [{ id: 'unexplainedRestarts', values }],
      });
      left.add(track.name);
    }
    expect([...left].toSorted()).toEqual(pods);
  },
);
