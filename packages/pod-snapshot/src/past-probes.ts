/** What is known of a container's probes: which of them fail, since when, and how often in a row. */
import type { Container, Probe } from '@podscope/k8s';
import type { RestoredProbeFailures } from '@podscope/kubelet';
import type { Instant, Milliseconds } from '@podscope/trace';
import { killOf, pastKillOf, probeOfKill } from './kills.ts';
import { knownContainers, type PastLife, type PastPod } from './past-lives.ts';
import type { PodSnapshot, SnapshotEvent } from './read-snapshots.ts';

export type ProbeKind = 'liveness' | 'readiness' | 'startup';
export const probeKinds = ['startup', 'liveness', 'readiness'] as const;

export const probeOf = (container: Container, kind: ProbeKind): Probe | undefined =>
  ({ liveness: container.livenessProbe, readiness: container.readinessProbe, startup: container.startupProbe })[kind];

/** Which probes of a container failed when it was looked at. */
export function failingProbes({ pod, events }: PodSnapshot, name: string): ReadonlySet<ProbeKind> {
  const status = knownContainers(pod).find(({ container }) => container.name === name)?.status;
  const failing = new Set<ProbeKind>();
  const said = (word: string): boolean =>
    events.some(
      ({ reason, message, container }) => reason === 'Unhealthy' && message.startsWith(`${word} probe`) && (container === undefined || container === name),
    );
  if (said('Liveness')) failing.add('liveness');
  if (said('Startup') && status?.started !== true) failing.add('startup');
  if (status?.state?.running && status.started !== false && !status.ready) failing.add('readiness');
  return failing;
}

/** How long a probe of an instance goes well before it fails: as long as for the one before, that was killed for it. Zero: it fails from its start. */
export function wellFor(snapshot: PodSnapshot, past: PastPod, container: Container, kind: ProbeKind): Milliseconds {
  const { failureThreshold = 3, periodSeconds = 10 } = probeOf(container, kind) ?? {};
  const lives = past.lives.filter((life) => life.container.name === container.name);
  for (const life of lives.toReversed()) {
    const kill = pastKillOf(snapshot, life);
    // The last failure led to the kill; the first came so many periods earlier, and what it fails of some time in the period before that.
    if (kill?.probe === kind) return Math.max(0, kill.at - life.startedAt - (failureThreshold - 0.5) * periodSeconds * 1_000);
  }
  return 0;
}

/** The instance that runs, if one does. */
const runningLife = (past: PastPod, name: string): PastLife | undefined =>
  past.lives.findLast(({ container, end }) => container.name === name && end === undefined);

/** The failures of a probe, of the instance that runs: the last of them at least is of that one. */
function failuresNow({ events }: PodSnapshot, past: PastPod, name: string, kind: ProbeKind): readonly SnapshotEvent[] {
  const running = runningLife(past, name);
  const words = `${kind[0]?.toUpperCase()}${kind.slice(1)} probe`;
  return events.filter(
    ({ reason, message, container, last }) =>
      running !== undefined && reason === 'Unhealthy' && message.startsWith(words) && (container ?? name) === name && last > running.startedAt,
  );
}

/** It has failed in the instance that runs. */
export const hasFailedNow = (snapshot: PodSnapshot, past: PastPod, name: string, kind: ProbeKind): boolean =>
  failuresNow(snapshot, past, name, kind).length > 0;

/** How often in a row a probe has failed that has yet to come to its threshold. */
function failuresInARow(snapshot: PodSnapshot, past: PastPod, container: Container, kind: 'liveness' | 'startup'): number {
  const running = runningLife(past, container.name);
  const { failureThreshold = 3, periodSeconds = 10 } = probeOf(container, kind) ?? {};
  if (!running) return 0;
  const kill = killOf(snapshot, running);
  // Its kill is under way: the next failure will tell the kubelet that goes on from here.
  if (kill && probeOfKill(kill) === kind) return failureThreshold - 1;
  const failures = failuresNow(snapshot, past, container.name, kind);
  const period = periodSeconds * 1_000;
  const since = running.startedAt + wellFor(snapshot, past, container, kind);
  const expected = (until: Instant): number => Math.max(0, 1 + Math.floor((until - since) / period));
  // Events of failures that come often are throttled: then it fails when the instance before did.
  const wasKilledForIt = past.lives.some((life) => life.container.name === container.name && pastKillOf(snapshot, life)?.probe === kind);
  if (failures.length === 0)
    return wasKilledForIt && failingProbes(snapshot, container.name).has(kind) ? Math.min(expected(snapshot.observedAt), failureThreshold - 1) : 0;
  const counted = failures.reduce((sum, { first, last, count }) => {
    if (first > running.startedAt) return sum + count;
    // Those of instances before are counted with them.
    return sum + expected(last);
  }, 0);
  return Math.max(0, Math.min(counted, failureThreshold - 1));
}

/** What the kubelet's probes had counted. */
export const readProbeFailures = (snapshot: PodSnapshot, past: PastPod): readonly RestoredProbeFailures[] =>
  knownContainers(snapshot.pod).flatMap(({ container, status }) =>
    (['liveness', 'startup'] as const).flatMap((type) => {
      const count = probeOf(container, type) ? failuresInARow(snapshot, past, container, type) : 0;
      const isStarting = type === 'startup' && probeOf(container, type) !== undefined && status.state?.running !== undefined && status.started !== true;
      return count > 0 || isStarting ? [{ pod: snapshot.pod, container: container.name, type, count }] : [];
    }),
  );
