/** Reads the state of probes from a snapshot: which ones fail, since when, and how often in a row. */
import type { Container, Probe } from '@podscope/k8s';
import type { RestoredProbeFailures } from '@podscope/kubelet';
import type { Instant, Milliseconds } from '@podscope/trace';
import { killOf, pastKillOf, probeOfKill } from './kills.ts';
import { knownContainers, type PastInstance, type PastPod } from './past-instances.ts';
import type { PodSnapshot, SnapshotEvent } from './pod-snapshot.ts';

export type ProbeKind = 'liveness' | 'readiness' | 'startup';
export const probeKinds = ['startup', 'liveness', 'readiness'] as const;

export const probeOf = (container: Container, kind: ProbeKind): Probe | undefined =>
  ({ liveness: container.livenessProbe, readiness: container.readinessProbe, startup: container.startupProbe })[kind];

/** Returns the probes of a container that fail at the time of the snapshot. */
export function failingProbes({ pod, events }: PodSnapshot, name: string): ReadonlySet<ProbeKind> {
  const status = knownContainers(pod).find(({ container }) => container.name === name)?.status;
  const failing = new Set<ProbeKind>();
  const isReported = (word: string): boolean =>
    events.some(
      ({ reason, message, container }) =>
        reason === 'Unhealthy' &&
        message.startsWith(`${word} probe`) &&
        (container === undefined || container === name),
    );
  if (isReported('Liveness')) failing.add('liveness');
  if (isReported('Startup') && status?.started !== true) failing.add('startup');
  if (status?.state?.running && status.started !== false && !status.ready) failing.add('readiness');
  return failing;
}

/**
 * Returns how long a probe succeeds before it fails, in ms. It is estimated from the last instance that was killed
 * because of the probe. 0 means that the probe fails from the start.
 */
export function healthyTime(snapshot: PodSnapshot, past: PastPod, container: Container, kind: ProbeKind): Milliseconds {
  const { failureThreshold = 3, periodSeconds = 10 } = probeOf(container, kind) ?? {};
  const instances = past.instances.filter((instance) => instance.container.name === container.name);
  for (const instance of instances.toReversed()) {
    const kill = pastKillOf(snapshot, instance);
    // The kill follows the last failure. The first failure came failureThreshold - 1 periods earlier, and its cause
    // half a period before that on average.
    if (kill?.probe === kind)
      return Math.max(0, kill.at - instance.startedAt - (failureThreshold - 0.5) * periodSeconds * 1_000);
  }
  return 0;
}

/** Returns the running instance of a container, if any. */
const runningInstance = (past: PastPod, name: string): PastInstance | undefined =>
  past.instances.findLast(({ container, end }) => container.name === name && end === undefined);

/** Returns the failure events of a probe whose newest occurrence is in the running instance. */
function failuresNow({ events }: PodSnapshot, past: PastPod, name: string, kind: ProbeKind): readonly SnapshotEvent[] {
  const running = runningInstance(past, name);
  const words = `${kind[0]?.toUpperCase()}${kind.slice(1)} probe`;
  return events.filter(
    ({ reason, message, container, last }) =>
      running !== undefined &&
      reason === 'Unhealthy' &&
      message.startsWith(words) &&
      (container ?? name) === name &&
      last > running.startedAt,
  );
}

/** Returns whether the probe has failed in the running instance. */
export const hasFailedNow = (snapshot: PodSnapshot, past: PastPod, name: string, kind: ProbeKind): boolean =>
  failuresNow(snapshot, past, name, kind).length > 0;

/** Returns how many times in a row a probe has failed. The number is below the probe's threshold. */
function failuresInARow(
  snapshot: PodSnapshot,
  past: PastPod,
  container: Container,
  kind: 'liveness' | 'startup',
): number {
  const running = runningInstance(past, container.name);
  const { failureThreshold = 3, periodSeconds = 10 } = probeOf(container, kind) ?? {};
  if (!running) return 0;
  const kill = killOf(snapshot, running);
  // The kill is in progress. With one failure less than the threshold, the next failure makes the restored kubelet
  // repeat the kill.
  if (kill && probeOfKill(kill) === kind) return failureThreshold - 1;
  const failures = failuresNow(snapshot, past, container.name, kind);
  const period = periodSeconds * 1_000;
  const since = running.startedAt + healthyTime(snapshot, past, container, kind);
  const expected = (until: Instant): number => Math.max(0, 1 + Math.floor((until - since) / period));
  // Events may be dropped when they are frequent. Without events, the failures are estimated from the previous
  // instance.
  const wasKilledForIt = past.instances.some(
    (instance) => instance.container.name === container.name && pastKillOf(snapshot, instance)?.probe === kind,
  );
  if (failures.length === 0)
    return wasKilledForIt && failingProbes(snapshot, container.name).has(kind)
      ? Math.min(expected(snapshot.observedAt), failureThreshold - 1)
      : 0;
  const counted = failures.reduce((sum, { first, last, count }) => {
    if (first > running.startedAt) return sum + count;
    // The event's count includes failures of previous instances, so the number is estimated from the times.
    return sum + expected(last);
  }, 0);
  return Math.max(0, Math.min(counted, failureThreshold - 1));
}

/** Returns the failure counters of the kubelet's probe workers. */
export const readProbeFailures = (snapshot: PodSnapshot, past: PastPod): readonly RestoredProbeFailures[] =>
  knownContainers(snapshot.pod).flatMap(({ container, status }) =>
    (['liveness', 'startup'] as const).flatMap((type) => {
      const count = probeOf(container, type) ? failuresInARow(snapshot, past, container, type) : 0;
      const isStarting =
        type === 'startup' &&
        probeOf(container, type) !== undefined &&
        status.state?.running !== undefined &&
        status.started !== true;
      return count > 0 || isStarting ? [{ pod: snapshot.pod, container: container.name, type, count }] : [];
    }),
  );
