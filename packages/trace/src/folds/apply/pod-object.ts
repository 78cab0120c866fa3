/** Applies API objects to the track of a pod: its containers in order, and their states before the log begins. */
import type { Attributes } from '../../events/event.ts';
import { listAt, numberAt, objectAt, textAt, timeAt } from '../attribute-values.ts';
import type { FoldState } from '../state/fold-state.ts';
import { type MutableContainer, type MutablePod, newContainerTrack, touch } from '../state/mutable-tracks.ts';
import type { ContainerTrack } from '../tracks.ts';
import { observe } from './runtime-observations.ts';

/**
 * Returns the names and types of containers in the order in which they are displayed: init containers and sidecars, app
 * containers, ephemeral containers.
 */
export function containersOfSpec(
  object: unknown,
): readonly { readonly name: string; readonly type: ContainerTrack['type'] }[] {
  const named = (field: string, type: (container: Attributes) => ContainerTrack['type']) =>
    listAt(object, 'spec', field).flatMap((container) => {
      const name = textAt(container, 'name');
      return name ? [{ name, type: type(container) }] : [];
    });
  return [
    ...named('initContainers', (container) => (textAt(container, 'restartPolicy') === 'Always' ? 'sidecar' : 'init')),
    ...named('containers', () => 'container'),
    ...named('ephemeralContainers', () => 'ephemeral'),
  ];
}

/**
 * Applies an object to a track: the name of the pod, and its containers in the order of the spec. Containers that
 * aren't in the spec stay at the end.
 */
export function applyPodObject(pod: MutablePod, object: Attributes): void {
  pod.object = object;
  pod.name = textAt(object, 'metadata', 'name') ?? pod.name;
  pod.namespace = textAt(object, 'metadata', 'namespace') ?? pod.namespace;
  const specified = containersOfSpec(object);
  const isSame =
    specified.length === pod.containers.length &&
    specified.every(({ name, type }, at) => pod.containers[at]?.name === name && pod.containers[at].type === type);
  if (isSame) return;
  const rest = new Map(pod.containers.map((track) => [track.name, track]));
  const ordered: MutableContainer[] = specified.map(({ name, type }) => {
    const track = rest.get(name) ?? newContainerTrack(name, type);
    rest.delete(name);
    track.type = type;
    touch(track);
    return track;
  });
  pod.containers = [...ordered, ...rest.values()];
}

/** Applies a v1.PodStatus: the phase, and the reasons of waiting containers. */
export function applyPodStatus(pod: MutablePod, status: Attributes, time: number): void {
  pod.status = status;
  const phase = textAt(status, 'phase');
  const reason = textAt(status, 'reason');
  const last = pod.phases.at(-1);
  if (phase && (last?.phase !== phase || last.reason !== reason)) pod.phases.push({ time, phase, reason });
  for (const container of containerStatusesOf(status)) {
    const track = pod.containers.find(({ name }) => name === container['name']);
    if (!track) continue;
    const waiting = objectAt(container, 'state', 'waiting');
    const why = { reason: textAt(waiting, 'reason'), message: textAt(waiting, 'message') };
    const before = track.waits.at(-1);
    if (before?.reason === why.reason && before?.message === why.message) continue;
    track.waits.push({ time, ...why });
    touch(track);
  }
}

/** Returns the statuses of init, app and ephemeral containers. */
const containerStatusesOf = (status: unknown): readonly Attributes[] => [
  ...listAt(status, 'initContainerStatuses'),
  ...listAt(status, 'containerStatuses'),
  ...listAt(status, 'ephemeralContainerStatuses'),
];

/** Returns a container id such as `docker://4f5e…` without the scheme. */
const bareId = (id: string | undefined): string | undefined =>
  id?.slice(id.indexOf('://') < 0 ? 0 : id.indexOf('://') + 3) || undefined;

/**
 * Returns when a pod was created. A static pod in the kubelet's own answers has no creationTimestamp. For such a pod it
 * is the earliest time that the object names: when the kubelet saw the pod, or when a container started.
 */
function creationOf(object: Attributes): number {
  const created = timeAt(object, 'metadata', 'creationTimestamp');
  if (created !== undefined) return created;
  const starts = containerStatusesOf(objectAt(object, 'status')).flatMap((container) => [
    timeAt(container, 'lastState', 'terminated', 'startedAt'),
    timeAt(container, 'state', 'terminated', 'startedAt'),
    timeAt(container, 'state', 'running', 'startedAt'),
  ]);
  const times = [
    timeAt(object, 'metadata', 'annotations', 'kubernetes.io/config.seen'),
    timeAt(object, 'status', 'startTime'),
    ...starts,
  ].filter((time) => time !== undefined);
  return times.length === 0 ? 0 : Math.min(...times);
}

/**
 * Creates a track from an object alone, with the containers in the object's status. Returns undefined for an object
 * that isn't a pod.
 */
export function seedPod(state: FoldState, object: Attributes): MutablePod | undefined {
  const uid = textAt(object, 'metadata', 'uid');
  if (!uid) return undefined;
  const created = creationOf(object);
  const pod = state.podOf(uid, created);
  applyPodObject(pod, object);
  const status = objectAt(object, 'status');
  if (status && !pod.status) applyPodStatus(pod, status, timeAt(status, 'startTime') ?? created);
  for (const container of containerStatusesOf(status)) {
    const name = textAt(container, 'name');
    if (!name) continue;
    const attempt = numberAt(container, 'restartCount') ?? 0;
    const image = textAt(container, 'image');
    const current = bareId(textAt(container, 'containerID'));
    const last = objectAt(container, 'lastState', 'terminated');
    // A container that waits for its back-off is the one that terminated last.
    const isCurrent = current !== undefined && bareId(textAt(last, 'containerID')) === current;
    const lives = [
      [last, isCurrent ? attempt : attempt - 1, undefined],
      [objectAt(container, 'state', 'terminated'), attempt, current],
      [objectAt(container, 'state', 'running'), attempt, current],
    ] as const;
    for (const [life, number, ownId] of lives) {
      const id = bareId(textAt(life, 'containerID')) ?? ownId;
      const startedAt = timeAt(life, 'startedAt');
      if (!life || !id) continue;
      const finishedAt = timeAt(life, 'finishedAt');
      observe(
        state,
        pod,
        {
          id,
          name,
          image,
          startedAt,
          finishedAt,
          attempt: Math.max(0, number),
          to: finishedAt === undefined ? 'running' : 'exited',
          exitCode: numberAt(life, 'exitCode'),
          reason: textAt(life, 'reason'),
          message: textAt(life, 'message'),
        },
        startedAt ?? created,
      );
    }
  }
  pod.version++;
  return pod;
}
