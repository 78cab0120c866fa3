import { describePodForPeople, type PodTrack, RunFold } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { replay } from '../recording/replay.ts';
import { lastPods, recordedSession, sessions } from '../testing/recordings.ts';
import { CallSpans } from './call-spans.ts';
import { podTraces, type StoredSpan } from './pod-traces.ts';

/** Returns the spans that a relay exports while it observes a recorded session. */
async function exported(session: (typeof sessions)[number]) {
  const recording = recordedSession(session);
  let last = 0;
  const spans = new CallSpans((bytes) => (++last).toString(16).padStart(bytes * 2, '0'));
  const resource = { 'service.name': 'podscope-relay', 'k8s.node.name': 'node-a' };
  const stored: StoredSpan[] = [];
  await replay(recording, {
    onCall: (call) => {
      const span = spans.ofCall(call);
      if (span) stored.push({ ...span, resource });
    },
  });
  return { recording, stored };
}

function foldOf(stored: readonly StoredSpan[], name: string, until = Number.POSITIVE_INFINITY): RunFold {
  const fold = new RunFold();
  const { events } = podTraces(stored, { namespace: 'default', name });
  fold.applyAll(events.filter(({ time }) => time <= until));
  return fold;
}

const exitsOf = (track: PodTrack | undefined) =>
  track?.containers.map(({ name, attempts }) => ({ name, exits: attempts.map(({ exitCode }) => exitCode) }));

describe.each(sessions)('the exported spans of session %s', (session) => {
  it('show the attempts and exits of each pod as its kubelet reports them', async () => {
    const { recording, stored } = await exported(session);
    for (const [uid, { metadata, status }] of lastPods(recording)) {
      const track = foldOf(stored, metadata.name).pod(uid);
      for (const { name, restartCount, containerID, state, lastState } of status?.containerStatuses ?? []) {
        if (containerID === undefined) continue;
        const attempts = track?.containers.find((each) => each.name === name)?.attempts ?? [];
        expect([metadata.name, name, attempts.length]).toEqual([metadata.name, name, restartCount + 1]);
        for (const exit of [state?.terminated, lastState?.terminated]) {
          if (!exit) continue;
          const attempt = attempts.find(({ id }) => exit.containerID?.endsWith(id));
          expect([metadata.name, name, attempt?.exitCode]).toEqual([metadata.name, name, exit.exitCode]);
        }
      }
    }
  });

  it('yield the phase that the last answer of /pods has, except for pods with restart rules', async () => {
    const { recording, stored } = await exported(session);
    for (const [uid, { metadata, spec, status }] of lastPods(recording)) {
      // No attribute contains the restart policy rules, so the inferred phase follows from the pod's restart policy.
      if (spec.containers.some(({ restartPolicyRules }) => restartPolicyRules)) continue;
      const at = recording.pods.findLast(({ pods }) => pods.some((pod) => pod.metadata.uid === uid))?.t ?? 0;
      const track = foldOf(stored, metadata.name, at).pod(uid);
      expect([metadata.name, track?.status?.['phase']]).toEqual([metadata.name, status?.phase]);
    }
  });
});

describe('a crash loop that was read back', () => {
  it('shows its restarts, its exit code and its probes instead of Pending', async () => {
    const { recording, stored } = await exported('a');
    const crashing = [...lastPods(recording).values()].find(({ metadata }) => metadata.name.startsWith('crash'));
    const { uid = '', name = '' } = crashing?.metadata ?? {};
    const end = recording.pods.findLast(({ pods }) => pods.some((pod) => pod.metadata.uid === uid))?.t ?? 0;
    const track = foldOf(stored, name, end).pod(uid);
    expect(exitsOf(track)?.[0]?.exits.slice(0, 2)).toEqual([1, 1]);
    expect(track && describePodForPeople(track, end)).toMatchObject({ status: 'Error', total: 1, ready: 0 });
    const probed = [...lastPods(recording).values()].find(({ metadata }) => metadata.name.startsWith('liveness-exec'));
    const probes = foldOf(stored, probed?.metadata.name ?? '').pod(probed?.metadata.uid ?? '')?.probes ?? [];
    expect(probes.slice(0, 3).map(({ type, result }) => [type, result])).toEqual([
      ['liveness', 'success'],
      ['liveness', 'success'],
      ['liveness', 'failure'],
    ]);
  });

  it('exports neither environment variables nor messages of containers', async () => {
    const { stored } = await exported('a');
    const names = new Set(stored.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter((name) => /env|message|log|cmd|command/i.test(name))).toEqual([]);
  });
});
