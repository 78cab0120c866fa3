/**
 * Reconstructs state that the kubelet had in memory at the time of a snapshot: back-offs, start failures, actuated
 * resources.
 */
import { parseGoDuration } from '@podscope/base';
import type { RestoredBackOff, RestoredStartFailure } from '@podscope/kubelet';
import { type ActuatedContainer } from '@podscope/kuberuntime';
import { addMilliseconds, type Milliseconds } from '@podscope/trace';
import type { ClusterFacts } from './diagnosis/pod-case.ts';
import { isKillForRestart, killsOf, pastKillOf } from './kills.ts';
import { knownContainers, type PastInstance, type PastPod } from './past-instances.ts';
import { instantOf, type PodSnapshot } from './pod-snapshot.ts';

const initial: Milliseconds = 10_000;
const max: Milliseconds = 300_000;
/**
 * A container that ran for more than this many ms starts with the initial back-off. Upstream: backOffExpiry (v1.36).
 */
const expiry: Milliseconds = 600_000;

/** The average time between two attempts, as a multiple of the back-off. */
const lateness = 1.25;

/**
 * Returns the back-off after `failures` consecutive failures. Upstream: Backoff.Next (client-go flowcontrol, v1.36).
 */
export const backOffAfter = (failures: number): Milliseconds =>
  Math.min(initial * 2 ** (Math.max(1, failures) - 1), max);

/** Returns the back-off in the message of a waiting container; undefined if the message contains none. */
export function messageBackOff(message = ''): Milliseconds | undefined {
  const [, text] = /back-off (\S+) restarting failed container/.exec(message) ?? [];
  return text === undefined ? undefined : parseGoDuration(text);
}

/**
 * Returns how many starts of a container have lengthened its back-off. A start does so if it finds an exited instance.
 * After a kill because of a probe or an edit, the kubelet restarts the container in the same sync, whose status still
 * shows the container as running. So the first restart of that kind doesn't count. Upstream: doBackOff (kuberuntime,
 * v1.20 and v1.36).
 */
function backOffSteps(snapshot: PodSnapshot, instances: readonly PastInstance[], attempt: number): number {
  const ended = instances.findLast(({ end }) => end !== undefined);
  const wasKilled = ended && pastKillOf(snapshot, ended)?.probe !== undefined;
  const [name = ''] = instances.map(({ container }) => container.name);
  const restarts = killsOf(snapshot, name).filter(isKillForRestart);
  return wasKilled || restarts.reduce((sum, { count }) => sum + count, 0) >= attempt ? attempt - 1 : attempt;
}

/** Returns the restart back-off of a container; undefined if it was never restarted. */
function restartBackOff(snapshot: PodSnapshot, past: PastPod, name: string): RestoredBackOff | undefined {
  const { pod } = snapshot;
  const instances = past.instances.filter(({ container }) => container.name === name);
  const newest = instances.at(-1);
  const status = knownContainers(pod).find(({ container }) => container.name === name)?.status;
  if (!newest || !status || newest.attempt === 0) return undefined;
  const before = instances.at(-2);
  const startedOver = before?.end !== undefined && before.end.at - before.startedAt > expiry;
  const fromMessage = messageBackOff(status.state?.waiting?.message);
  const times = backOffSteps(snapshot, instances, newest.attempt);
  if (fromMessage === undefined && times === 0) return undefined;
  const backoff = fromMessage ?? (startedOver ? initial : backOffAfter(times));
  return { kind: 'container', pod, container: name, backoff, lastUpdate: newest.startedAt };
}

const isPullFailure = (reason = ''): boolean =>
  ['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable', 'SignatureValidationFailed'].includes(reason);

/** Returns the pull back-off of a container's image, undefined if the container doesn't wait for its image. */
function pullBackOff({ pod, events, observedAt }: PodSnapshot, name: string): RestoredBackOff | undefined {
  const status = knownContainers(pod).find(({ container }) => container.name === name)?.status;
  if (!isPullFailure(status?.state?.waiting?.reason)) return undefined;
  const failure = events.findLast(
    ({ reason, message, container }) =>
      reason === 'Failed' && container === name && message.startsWith('Failed to pull image'),
  );
  if (failure)
    return { kind: 'image', pod, container: name, backoff: backOffAfter(failure.count), lastUpdate: failure.last };
  // Without an event, the number of failures is estimated: as many attempts as fit between the pod's start and now.
  let [count, last] = [1, instantOf(pod.status?.startTime) ?? observedAt];
  while (addMilliseconds(last, backOffAfter(count) * lateness) < observedAt)
    last = addMilliseconds(last, backOffAfter(count++) * lateness);
  return { kind: 'image', pod, container: name, backoff: backOffAfter(count), lastUpdate: last };
}

/**
 * Returns all back-offs of the pod.
 * @param known the active back-offs by container, if the kubelet reported them. They replace computed ones.
 */
export const readBackOffs = (
  snapshot: PodSnapshot,
  past: PastPod,
  known: ClusterFacts['backOffs'] = {},
): readonly RestoredBackOff[] =>
  knownContainers(snapshot.pod).flatMap(({ container: { name } }) => {
    const active = known[name];
    const restart = restartBackOff(snapshot, past, name);
    const pull: RestoredBackOff | undefined =
      active?.kind === 'image'
        ? {
            kind: 'image',
            pod: snapshot.pod,
            container: name,
            backoff: active.wait,
            lastUpdate: addMilliseconds(active.at, -active.wait),
          }
        : pullBackOff(snapshot, name);
    return [
      // The wait begins at the exit of the newest instance, so only its length is replaced.
      restart && active?.kind === 'container' ? { ...restart, backoff: active.wait } : restart,
      pull,
    ].filter((wait) => wait !== undefined);
  });

/** Returns the waiting reasons that mean a failed start, i.e. all except `ContainerCreating` and `PodInitializing`. */
export const readStartFailures = ({ pod }: PodSnapshot): readonly RestoredStartFailure[] =>
  knownContainers(pod).flatMap(({ container: { name }, status: { state } }) => {
    const { reason, message = '' } = state?.waiting ?? {};
    return reason === undefined || reason === 'ContainerCreating' || reason === 'PodInitializing'
      ? []
      : [{ pod, container: name, reason, message }];
  });

/**
 * Returns the resources of running containers. The resources are read from the status; if it contains none, from the
 * spec.
 */
export const readActuated = ({ pod }: PodSnapshot): readonly ActuatedContainer[] =>
  knownContainers(pod).flatMap(({ container: { name, resources }, status }) =>
    status.state?.running ? [{ pod, container: name, resources: status.resources ?? resources ?? {} }] : [],
  );
