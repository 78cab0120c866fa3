import { describe, expect, it } from 'vitest';
import type { Recording, SeenStatus } from '../recording.ts';
import type { Comparison } from './comparison.ts';
import { compareStatuses } from './statuses.ts';

const status = (t: number, phase: string, reason = '', restartCount = 0): SeenStatus => ({
  t,
  uid: 'a',
  phase,
  containerStatuses: [
    {
      name: 'app',
      ready: phase === 'Running',
      restartCount,
      state: reason ? { waiting: { reason } } : { running: {} },
      lastState: {},
    },
  ],
});
const gone = (t: number): SeenStatus => ({ t, uid: 'a', gone: true });

const differences = (theirs: readonly SeenStatus[], ours: readonly SeenStatus[], crashes = false) => {
  const events = crashes
    ? [{ t: 0, type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container' }]
    : [];
  const recording = { pod: { uids: ['a'] }, statuses: theirs, events } as unknown as Recording;
  const statuses = ours.map((seen) => ({ t: seen.t, uid: 'b', status: seen.gone ? undefined : seen }));
  return compareStatuses({ recording, seen: { uids: ['b'], statuses } } as unknown as Comparison);
};

describe('compareStatuses', () => {
  it('accepts the same sequence at different times', () => {
    const theirs = [status(0, 'Pending', 'ContainerCreating'), status(1000, 'Running'), gone(20_000)];
    expect(
      differences(theirs, [status(0, 'Pending', 'ContainerCreating'), status(4000, 'Running'), gone(21_000)]),
    ).toEqual([]);
  });

  it('ignores a status that lasted less than three seconds', () => {
    const theirs = [
      status(0, 'Running'),
      status(5000, 'Pending', 'ErrImagePull'),
      status(6000, 'Running', '', 1),
      gone(20_000),
    ];
    expect(differences(theirs, [status(0, 'Running'), status(5000, 'Running', '', 1), gone(20_000)])).toEqual([]);
  });

  it('reports a status that lasted only in one run', () => {
    const theirs = [status(0, 'Running'), gone(20_000)];
    expect(differences(theirs, [status(0, 'Running'), status(5000, 'Pending', 'ErrImagePull'), gone(20_000)])).toEqual([
      expect.stringContaining('status only here, for 15 s: Pending'),
    ]);
  });

  it('reports a different order', () => {
    const [a, b] = [status(0, 'Pending', 'A'), status(0, 'Pending', 'B')];
    expect(differences([a, { ...b, t: 10_000 }, gone(20_000)], [b, { ...a, t: 10_000 }, gone(20_000)])).not.toEqual([]);
  });

  it('accepts one more restart in a crash loop', () => {
    const theirs = [status(0, 'Running'), status(10_000, 'Running', '', 1), gone(30_000)];
    const ours = [
      status(0, 'Running'),
      status(10_000, 'Running', '', 1),
      status(20_000, 'Running', '', 2),
      gone(30_000),
    ];
    expect(differences(theirs, ours, true)).toEqual([]);
    expect(differences(theirs, ours)).not.toEqual([]);
  });

  describe('of a crash loop', () => {
    const ended = { terminated: { exitCode: 1, reason: 'Error' } };
    const backOff = { waiting: { reason: 'CrashLoopBackOff' } };
    const running = { running: {} };
    type State = NonNullable<SeenStatus['containerStatuses']>[number]['state'];
    const container = (name: string, state: State, lastState: State, restartCount: number) => ({
      name,
      ready: state === running,
      restartCount,
      state,
      lastState,
    });
    const loop = (t: number, restarts: number, state: State, other: State = running): SeenStatus => ({
      t,
      uid: 'a',
      phase: 'Running',
      containerStatuses: [
        container('app', state, restarts > 0 ? ended : {}, restarts),
        container('other', other, {}, 0),
      ],
    });

    it('accepts that an exited container is shown as terminated in one run and as waiting in the other', () => {
      const theirs = [loop(0, 1, backOff), loop(10_000, 2, ended), gone(30_000)];
      const ours = [loop(0, 1, backOff), loop(10_000, 2, backOff), gone(30_000)];
      expect(differences(theirs, ours, true)).toEqual([]);
      expect(differences(theirs, ours)).not.toEqual([]);
    });

    it('accepts a restart before instead of after the exit of another container', () => {
      const done = { terminated: { exitCode: 0, reason: 'Completed' } };
      const theirs = [loop(0, 1, backOff), loop(10_000, 1, backOff, done), loop(20_000, 2, ended, done), gone(30_000)];
      const ours = [loop(0, 1, backOff), loop(10_000, 2, ended), loop(20_000, 2, ended, done), gone(30_000)];
      expect(differences(theirs, ours, true)).toEqual([]);
    });

    it('reports a back-off with another exit code', () => {
      const other = { terminated: { exitCode: 2, reason: 'Error' } };
      const theirs = [loop(0, 1, backOff), loop(10_000, 2, ended), gone(30_000)];
      const ours = [loop(0, 1, backOff), loop(10_000, 2, other), gone(30_000)];
      expect(differences(theirs, ours, true)).toEqual([
        expect.stringContaining('only in the recording'),
        expect.stringContaining('only here'),
      ]);
    });

    it('reports a container that is never shown in its back-off', () => {
      const theirs = [loop(0, 1, backOff), gone(30_000)];
      expect(differences(theirs, [loop(0, 1, ended), gone(30_000)], true)).toEqual([
        'app is never shown in CrashLoopBackOff here',
      ]);
    });
  });

  it('reports a pod that is still listed', () => {
    expect(differences([status(0, 'Running'), gone(5000)], [status(0, 'Running')])).toEqual([
      'the pod is still listed here',
    ]);
  });
});
