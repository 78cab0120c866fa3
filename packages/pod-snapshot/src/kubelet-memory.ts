/** What the kubelet had in its memory when the pod was looked at, waits above all, reckoned from what it told of them. */
import type { RestoredBackOff, RestoredStartFailure } from '@podscope/kubelet';
import { type ActuatedContainer, parseGoDuration } from '@podscope/kuberuntime';
import { addMilliseconds, type Milliseconds } from '@podscope/trace';
import { isKillForRestart, killsOf, pastKillOf } from './kills.ts';
import { knownContainers, type PastLife, type PastPod } from './past-lives.ts';
import { instantOf, type PodSnapshot } from './read-snapshots.ts';

const initial: Milliseconds = 10_000;
const max: Milliseconds = 300_000;
/** A container that ran longer starts over. Upstream: backOffExpiry of the kubelet's container back-off, 10 minutes (v1.36). */
const forgotten: Milliseconds = 600_000;

/** How much longer than its wait a kubelet takes to try again, on the average. */
const lateness = 1.25;

/** The length after so many failures in a row. Upstream: Backoff.Next (client-go flowcontrol, v1.36). */
export const backOffAfter = (failures: number): Milliseconds => Math.min(initial * 2 ** (Math.max(1, failures) - 1), max);

/** The length that a waiting container's message names; undefined when it names none. */
export function toldBackOff(message = ''): Milliseconds | undefined {
  const [, text] = /back-off (\S+) restarting failed container/.exec(message) ?? [];
  return text === undefined ? undefined : parseGoDuration(text);
}

/**
 * How often a container's starts have lengthened its wait: each start does that finds an instance that has ended. The kubelet that kills for a
 * probe or an edit starts again in the same sync, from a status in which that instance ran: the first of such starts finds none.
 * Upstream: doBackOff (kuberuntime, v1.20 and v1.36).
 */
function armings(snapshot: PodSnapshot, lives: readonly PastLife[], attempt: number): number {
  const ended = lives.findLast(({ end }) => end !== undefined);
  const wasKilled = ended && pastKillOf(snapshot, ended)?.probe !== undefined;
  const [name = ''] = lives.map(({ container }) => container.name);
  const restarts = killsOf(snapshot, name).filter(isKillForRestart);
  return wasKilled || restarts.reduce((sum, { count }) => sum + count, 0) >= attempt ? attempt - 1 : attempt;
}

/** The wait that a container's newest start armed; none for one that was never started again. */
function restartBackOff(snapshot: PodSnapshot, past: PastPod, name: string): RestoredBackOff | undefined {
  const { pod } = snapshot;
  const lives = past.lives.filter(({ container }) => container.name === name);
  const newest = lives.at(-1);
  const status = knownContainers(pod).find(({ container }) => container.name === name)?.status;
  if (!newest || !status || newest.attempt === 0) return undefined;
  const before = lives.at(-2);
  const startedOver = before?.end !== undefined && before.end.at - before.startedAt > forgotten;
  const told = toldBackOff(status.state?.waiting?.message);
  const times = armings(snapshot, lives, newest.attempt);
  if (told === undefined && times === 0) return undefined;
  const backoff = told ?? (startedOver ? initial : backOffAfter(times));
  return { kind: 'container', pod, container: name, backoff, lastUpdate: newest.startedAt };
}

const isPullFailure = (reason = ''): boolean => ['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable', 'SignatureValidationFailed'].includes(reason);

/** The wait of an image that could not be pulled. */
function pullBackOff({ pod, events, observedAt }: PodSnapshot, name: string): RestoredBackOff | undefined {
  const status = knownContainers(pod).find(({ container }) => container.name === name)?.status;
  if (!isPullFailure(status?.state?.waiting?.reason)) return undefined;
  const failure = events.findLast(({ reason, message, container }) => reason === 'Failed' && container === name && message.startsWith('Failed to pull image'));
  if (failure) return { kind: 'image', pod, container: name, backoff: backOffAfter(failure.count), lastUpdate: failure.last };
  // Nothing tells of its failures: as many as there was time for since the pod came, each a little after its wait.
  let [count, last] = [1, instantOf(pod.status?.startTime) ?? observedAt];
  while (addMilliseconds(last, backOffAfter(count) * lateness) < observedAt) last = addMilliseconds(last, backOffAfter(count++) * lateness);
  return { kind: 'image', pod, container: name, backoff: backOffAfter(count), lastUpdate: last };
}

/** Every wait of the pod. */
export const readBackOffs = (snapshot: PodSnapshot, past: PastPod): readonly RestoredBackOff[] =>
  knownContainers(snapshot.pod).flatMap(({ container: { name } }) =>
    [restartBackOff(snapshot, past, name), pullBackOff(snapshot, name)].filter((wait) => wait !== undefined),
  );

/** Why the kubelet said that containers wait; `ContainerCreating` and `PodInitializing` are said where nothing failed. */
export const readStartFailures = ({ pod }: PodSnapshot): readonly RestoredStartFailure[] =>
  knownContainers(pod).flatMap(({ container: { name }, status: { state } }) => {
    const { reason, message = '' } = state?.waiting ?? {};
    return reason === undefined || reason === 'ContainerCreating' || reason === 'PodInitializing' ? [] : [{ pod, container: name, reason, message }];
  });

/** The resources of containers that run: as the status tells them, else as they were asked for. */
export const readActuated = ({ pod }: PodSnapshot): readonly ActuatedContainer[] =>
  knownContainers(pod).flatMap(({ container: { name, resources }, status }) =>
    status.state?.running ? [{ pod, container: name, resources: status.resources ?? resources ?? {} }] : [],
  );
