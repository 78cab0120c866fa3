/**
 * Finds the containers that the kubelet stopped because of a probe, from the CRI calls and probes of a run. It is used
 * for runs without the kubelet's events, such as the runs of an observed kubelet whose API server isn't connected.
 * Upstream: computePodActions (v1.20 to v1.36).
 */
import type { Container, Pod, Probe } from '@podscope/k8s';
import {
  type AttemptRecord,
  type ContainerTrack,
  type PodTrack,
  type ProbeRecord,
  type RunFold,
  type SpanRecord,
  textAt,
} from '@podscope/trace';
import type { ProbeKill } from './pod-case.ts';

/** The resolution of the times in a pod's status, in ms. */
const resolution = 1_000;

const kinds = ['liveness', 'startup'] as const;
type Kind = (typeof kinds)[number];

const hashAnnotation = 'io.kubernetes.container.hash';

/** Returns the spans of a track's activities of one kind, the oldest first. */
const spansOf = (fold: RunFold, { activities }: ContainerTrack, kind: 'create' | 'stop'): readonly SpanRecord[] =>
  activities.flatMap((activity) => {
    const span = activity.kind === kind ? fold.span(activity.span) : undefined;
    return span ? [span] : [];
  });

/** Returns the hash of the spec with which an attempt was created; undefined if its creation isn't in the log. */
function hashOf(creations: readonly SpanRecord[], { id }: AttemptRecord): string | undefined {
  const created = creations.find(({ endAttributes }) => textAt(endAttributes, 'response', 'containerId') === id);
  return textAt(created?.attributes, 'request', 'config', 'annotations', hashAnnotation);
}

/** Returns how often a probe failed in a row up to its newest result. */
export function failuresAtEnd(probes: readonly ProbeRecord[]): number {
  const lastGood = probes.findLastIndex(({ result }) => result === 'success' || result === 'warning');
  return probes.slice(lastGood + 1).filter(({ result }) => result === 'failure' || result === 'error').length;
}

/** Returns true if something other than a probe may have made the kubelet stop and recreate the container. */
const mayHaveOtherCause = ({ lifecycle, resizePolicy }: Container): boolean =>
  lifecycle?.postStart !== undefined ||
  (resizePolicy ?? []).some(({ restartPolicy }) => restartPolicy === 'RestartContainer');

/**
 * Returns the probe without visible attempts that most likely failed. The kubelet makes HTTP, TCP and gRPC probes
 * itself, so no CRI call shows them. As long as the liveness probe can't have failed yet, the startup probe is
 * returned.
 */
function unseenProbe({ liveness, startup }: Partial<Record<Kind, Probe>>, ran: number): Kind | undefined {
  if (!liveness || !startup) return liveness ? 'liveness' : startup ? 'startup' : undefined;
  const { periodSeconds = 10, initialDelaySeconds = 0, failureThreshold = 3 } = startup;
  return ran <= (initialDelaySeconds + periodSeconds * (failureThreshold + 1)) * 1_000 ? 'startup' : 'liveness';
}

/** A kill after which the kubelet creates the container again in the same sandbox, from the same spec. */
interface RestartKill {
  readonly stop: SpanRecord;
  readonly startedAt: number;
}

/** Returns how the kubelet ended an attempt to restart its container; undefined if the attempt ended otherwise. */
function restartKillOf(
  fold: RunFold,
  track: PodTrack,
  own: ContainerTrack,
  ended: AttemptRecord,
): RestartKill | undefined {
  const { startedAt, finishedAt } = ended;
  if (startedAt === undefined || finishedAt === undefined) return undefined;
  const stop = spansOf(fold, own, 'stop').find(
    ({ attributes, start }) =>
      textAt(attributes, 'request', 'containerId') === ended.id && start <= finishedAt + resolution,
  );
  if (!stop) return undefined;
  const sandbox = track.sandbox.attempts.at(-1);
  if (ended.sandbox !== undefined && (sandbox?.id !== ended.sandbox || sandbox.state !== 'running')) return undefined;
  const next = own.attempts[own.attempts.indexOf(ended) + 1];
  const isPending = own.waits.at(-1)?.reason === 'CrashLoopBackOff' || own.backOffs.at(-1)?.waiting === true;
  if (next ? next.sandbox !== ended.sandbox : !isPending) return undefined;
  const creations = spansOf(fold, own, 'create');
  const [before, after] = [hashOf(creations, ended), next && hashOf(creations, next)];
  if (before !== undefined && after !== undefined && before !== after) return undefined;
  return { stop, startedAt };
}

/** Returns true for an attempt that had ended at a time. */
const hadEnded =
  (now: number) =>
  ({ finishedAt }: AttemptRecord): boolean =>
    finishedAt !== undefined && finishedAt <= now;

function killOf(
  fold: RunFold,
  track: PodTrack,
  own: ContainerTrack,
  spec: Container,
  now: number,
): ProbeKill | undefined {
  const ended = own.attempts.findLast(hadEnded(now));
  const kill = ended && restartKillOf(fold, track, own, ended);
  if (!kill) return undefined;
  const { stop, startedAt } = kill;
  const unseen: Partial<Record<Kind, Probe>> = {};
  for (const kind of kinds) {
    const probe = spec[`${kind}Probe`];
    if (!probe) continue;
    const attempts = track.probes.filter(
      (each) =>
        each.container === spec.name && each.type === kind && each.start >= startedAt && each.start <= stop.start,
    );
    const failures = failuresAtEnd(attempts);
    if (failures > 0) return { kind, failures };
    if (attempts.length === 0) unseen[kind] = probe;
  }
  if (mayHaveOtherCause(spec)) return undefined;
  const kind = unseenProbe(unseen, stop.start - startedAt);
  return kind && { kind, failures: undefined };
}

/**
 * Returns the containers whose newest ended instance the kubelet stopped because of a probe, by name: StopContainer
 * came before the exit, the sandbox stayed, and the container was or will be created again in it. Omits containers
 * with a `Killing` event, because the event names the cause.
 * @param now in milliseconds since the Unix epoch
 */
export function probeKillsOf(
  fold: RunFold,
  track: PodTrack,
  { spec }: Pod,
  now: number,
): Readonly<Record<string, ProbeKill>> {
  if (track.deletionRequestedAt !== undefined) return {};
  return Object.fromEntries(
    [...(spec.initContainers ?? []), ...spec.containers].flatMap((container) => {
      const own = track.containers.find(({ name }) => name === container.name);
      const isTold = track.events.some(
        (event) => event.reason === 'Killing' && (event.container ?? container.name) === container.name,
      );
      const kill = own && !isTold ? killOf(fold, track, own, container, now) : undefined;
      return kill ? [[container.name, kill]] : [];
    }),
  );
}

/**
 * Returns the names of the containers of which the kubelet has ended an instance to restart it. The cause can be a
 * probe, a hook or a resize.
 * @param now in milliseconds since the Unix epoch
 */
export const restartedByKubelet = (fold: RunFold, track: PodTrack, now: number): readonly string[] =>
  track.containers
    .filter((own) => own.attempts.filter(hadEnded(now)).some((ended) => restartKillOf(fold, track, own, ended)))
    .map(({ name }) => name);
