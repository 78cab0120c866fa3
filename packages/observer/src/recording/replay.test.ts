import type { ContainerStatus, Pod } from '@podscope/k8s';
import { type PodTrack, RunFold } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { lastPods, recordedSession, sessions } from '../testing/recordings.ts';
import type { Recording } from './recording.ts';
import { type Replayed, replay } from './replay.ts';

const loaded = new Map<
  string,
  { readonly recording: Recording; readonly replayed: Replayed; readonly fold: RunFold }
>();

async function sessionOf(session: (typeof sessions)[number]) {
  const known = loaded.get(session);
  if (known) return known;
  const recording = recordedSession(session);
  const replayed = await replay(recording);
  const fold = new RunFold();
  fold.applyAll(replayed.events);
  const result = { recording, replayed, fold };
  loaded.set(session, result);
  return result;
}

const statusesOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/**
 * Returns each container in two versions: as the kubelet's last answer reports it, and as the observer reconstructed
 * it.
 */
function compared(pod: Pod, track: PodTrack | undefined) {
  return statusesOf(pod)
    .filter(({ containerID }) => containerID !== undefined)
    .map(({ name, restartCount, state, lastState }) => {
      const attempts = track?.containers.find((each) => each.name === name)?.attempts ?? [];
      const exits = [lastState?.terminated, state?.terminated].filter((each) => each !== undefined);
      return {
        container: name,
        kubelet: {
          attempts: restartCount + 1,
          exits: exits.map(({ containerID, exitCode }) => [containerID?.replace(/^.*:\/\//, ''), exitCode]),
        },
        observed: {
          attempts: attempts.length,
          exits: exits.map(({ containerID }) => {
            const attempt = attempts.find(({ id }) => containerID?.endsWith(id));
            return [attempt?.id, attempt?.exitCode];
          }),
        },
      };
    });
}

describe.each(sessions)('session %s', (session) => {
  it('yields the pods, attempts and exits that the kubelet reports in /pods', async () => {
    const { recording, fold } = await sessionOf(session);
    const pods = lastPods(recording);
    expect(fold.pods().map(({ uid }) => uid)).toEqual([...pods.keys()]);
    for (const [uid, pod] of pods)
      for (const { container, kubelet, observed } of compared(pod, fold.pod(uid)))
        expect({ pod: pod.metadata.name, container, ...observed }).toEqual({
          pod: pod.metadata.name,
          container,
          ...kubelet,
        });
  });

  it('yields the back-offs that the statuses name', async () => {
    const { recording, fold } = await sessionOf(session);
    for (const { pods } of recording.pods)
      for (const pod of pods)
        for (const { name, state } of statusesOf(pod)) {
          const seconds = /^back-off (\d+)s/.exec(state?.waiting?.message ?? '')?.[1];
          if (seconds === undefined) continue;
          const track = fold.pod(pod.metadata.uid)?.containers.find((each) => each.name === name);
          expect(track?.backOffs.map((each) => each.seconds)).toContain(Number(seconds));
        }
  });

  it('yields a pod for each manifest, and deletes it when its manifest is removed', async () => {
    const { recording, fold } = await sessionOf(session);
    const removed = recording.actions.filter(({ action }) => action === 'manifest removed');
    expect(removed.length).toBeGreaterThan(3);
    expect(fold.pods()).toHaveLength(removed.length);
    const deletedAt = fold.pods().map((pod) => pod.deletedAt ?? 0);
    // The deletions are observed in the order of the actions. Each takes at most two polls of `/pods`, plus one second
    // until the kubelet checks the manifest files again.
    for (const [index, at] of deletedAt.toSorted((a, b) => a - b).entries()) {
      const action = removed[index]?.t ?? 0;
      expect(at).toBeGreaterThan(action);
      expect(at - action).toBeLessThan(7_000);
    }
  });
});

describe('session a', () => {
  it('yields each sync that the kubelet has a span for', async () => {
    const { recording, fold } = await sessionOf('a');
    for (const pod of fold.pods()) {
      const spans = recording.spans.filter(
        ({ name, attributes }) => /^sync.*Pod$/.test(name) && attributes['k8s.pod.uid'] === pod.uid,
      );
      expect([pod.name, pod.syncs.length]).toEqual([pod.name, spans.length]);
    }
  });

  it('gives each sync the exact bounds of its span, which are not inferred', async () => {
    const { recording, fold } = await sessionOf('a');
    const exact = new Set(
      recording.spans
        .filter(({ name }) => /^sync.*Pod$/.test(name))
        .map(({ t, end, attributes }) => `${String(attributes['k8s.pod.uid'])} ${t} ${end}`),
    );
    // At the end of the recording, the kubelet hadn't exported its last spans.
    const inexact = fold.pods().flatMap(({ uid, syncs }) =>
      syncs.filter(({ span, start, end = start }) => {
        const { inferred, endAttributes } = fold.span(span) ?? {};
        const isExact = exact.has(`${uid} ${start} ${end}`) || endAttributes?.['held'] !== undefined;
        return inferred !== false || !isExact;
      }),
    );
    expect(inexact).toEqual([]);
  });

  it("shows the kubelet's garbage collections and HTTP requests on the threads of the node", async () => {
    const { replayed } = await sessionOf('a');
    const spans = replayed.events.filter(
      (event) => event.type === 'spanStarted' && event.point.startsWith('otlp.') && event.parent === undefined,
    );
    const titles = new Map(spans.map((event) => [event.type === 'spanStarted' ? event.title : '', event.thread]));
    expect(titles.get('Containers/GarbageCollect')).toBe('garbageCollection');
    expect(titles.get('/stats/summary')).toBe('kubeletAPI');
    expect(titles).not.toContain('/pods/');
  });

  it('yields three pulls that fail, with back-offs of 10, 20 and 40 seconds', async () => {
    const { fold } = await sessionOf('a');
    const app = fold.pods().find(({ name }) => name === 'pull-fail-twin-node')?.containers[0];
    expect(app?.activities.map(({ kind, outcome }) => [kind, outcome])).toEqual(
      Array.from({ length: 3 }, () => ['pull', 'error']),
    );
    expect(app?.backOffs.map(({ seconds, kind }) => [kind, seconds])).toEqual([
      ['image', 10],
      ['image', 20],
      ['image', 40],
    ]);
  });

  it('matches probes and hooks with the spec', async () => {
    const { fold } = await sessionOf('a');
    const named = (name: string) => fold.pods().find((pod) => pod.name === `${name}-twin-node`);
    const liveness = named('liveness-exec')?.probes ?? [];
    expect(liveness.slice(0, 6).map(({ type, result }) => [type, result])).toEqual([
      ['liveness', 'success'],
      ['liveness', 'success'],
      ['liveness', 'failure'],
      ['liveness', 'failure'],
      expect.anything(),
      expect.anything(),
    ]);
    expect(named('sidecar-always')?.probes.map(({ type, container }) => [type, container])).toEqual([
      ['startup', 'side'],
      ['startup', 'side'],
    ]);
    const hooks = named('prestop-exec')?.containers[0]?.activities.map(({ kind }) => kind);
    expect(hooks).toContain('preStop');
  });

  it('marks every event with its source, and what was inferred', async () => {
    const { replayed } = await sessionOf('a');
    expect(replayed.events.filter(({ source }) => source === undefined)).toEqual([]);
    expect(replayed.events.filter(({ source, inferred }) => source === 'shadow' && !inferred)).toEqual([]);
    expect([...replayed.observer.sources].toSorted()).toEqual(['cri', 'otlp', 'pods']);
  });
});

describe('session d', () => {
  it('shows a call that the kubelet canceled as failed, and how long it was held', async () => {
    const { fold } = await sessionOf('d');
    const pod = fold.pods().find(({ name }) => name === 'hold-create-twin-node');
    const creates = pod?.containers[0]?.activities.filter(({ kind }) => kind === 'create') ?? [];
    expect(creates.map(({ outcome }) => outcome)).toEqual(['error', 'ok']);
    const span = fold.span(creates[0]?.span ?? 0);
    expect(span?.error?.reason).toBe('DeadlineExceeded');
    expect(span?.endAttributes?.['held']).toBeGreaterThan(40_000);
  });
});

describe('a recording with few sources', () => {
  it('infers pods, phases and exits from the calls without /pods', async () => {
    const recording = recordedSession('b');
    const { events } = await replay(recording, { pods: false });
    const pods = lastPods(recording);
    const at = Math.min(
      ...[...pods.keys()].map(
        (uid) => recording.pods.findLast((answer) => answer.pods.some(({ metadata }) => metadata.uid === uid))?.t ?? 0,
      ),
    );
    const fold = new RunFold();
    fold.applyAll(events.filter(({ time }) => time <= at));
    const answer = recording.pods.findLast(({ t }) => t <= at);
    for (const { metadata, status } of answer?.pods ?? []) {
      const track = fold.pod(metadata.uid);
      if (!status?.containerStatuses?.some(({ containerID }) => containerID)) continue;
      for (const { name, restartCount } of status.containerStatuses) {
        const attempts = track?.containers.find((each) => each.name === name)?.attempts.length;
        expect([metadata.name, track?.name, name, attempts]).toEqual([
          metadata.name,
          metadata.name,
          name,
          restartCount + 1,
        ]);
      }
      const running = { name: metadata.name, phase: 'Running' };
      expect(status.phase === 'Running' ? { name: metadata.name, phase: track?.status?.['phase'] } : running).toEqual(
        running,
      );
    }
    const changes = events.filter(({ type }) => type === 'podChanged' || type === 'podStatus');
    expect(changes.filter(({ source, inferred }) => source !== 'cri' || !inferred)).toEqual([]);
  });

  it('reports syncs as unknown without /pods', async () => {
    const { syncs } = await replay(recordedSession('b'), { pods: false });
    const counted = syncs.filter(({ judged }) => judged.counts);
    expect(counted.length).toBeGreaterThan(20);
    expect(new Set(counted.map(({ judged }) => judged.missing?.input))).toEqual(new Set(['podSpec']));
  });
});
