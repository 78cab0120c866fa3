/**
 * Reconstructs log events from pod statuses. The first version of a pod yields events for all recorded times in its
 * status. Each newer version yields events for the changes.
 */
import type { ContainerStatus, Pod } from '@podscope/k8s';
import type { Attributes, EventPayload, Instant } from '@podscope/trace';
import { backOffAfter, messageBackOff, readBackOffs } from './kubelet-state.ts';
import { knownContainers, type PastInstance, type PastPod, readPast } from './past-instances.ts';
import { instantOf, type PodSnapshot, type SnapshotEvent } from './pod-snapshot.ts';

/** A reconstructed event of a pod. */
export interface HistoryEvent {
  readonly at: Instant;
  readonly pod: string;
  readonly event: EventPayload;
}

type StateChange = Extract<EventPayload, { type: 'runtimeStateChanged' }>;
type ContainerType = NonNullable<StateChange['containerType']>;

const typeOf = ({ kind, container }: Pick<PastInstance, 'kind' | 'container'>): ContainerType => {
  if (kind === 'ephemeralContainers') return 'ephemeral';
  if (kind === 'containers') return 'container';
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
};

/** Returns the container id of an instance from the status, otherwise a stable generated id. */
function idOf(pod: Pod, { container, attempt, end }: PastInstance, status: ContainerStatus | undefined): string {
  const ids = end
    ? [status?.state?.terminated?.containerID, status?.lastState?.terminated?.containerID]
    : [status?.containerID];
  const index = end && status?.state?.terminated && attempt === status.restartCount ? 0 : end ? 1 : 0;
  return ids[index] ?? `${pod.metadata.uid}/${container.name}/${attempt}`;
}

/**
 * The sandbox that was reported last. A status contains no sandbox id. A new sandbox is recognized by a new IP, or by
 * the end of the previous sandbox.
 */
interface ReportedSandbox {
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly ip: string | undefined;
  readonly isRunning: boolean;
}

/** The events that were reported about one pod. */
interface Reported {
  /** The keys of all reported instances with their states, of waits, and of events. */
  readonly keys: Set<string>;
  sandbox: ReportedSandbox | undefined;
  /** The newest failed pull event of each container. Only this event contains the number of failures. */
  readonly failedPulls: Map<string, SnapshotEvent>;
}

type Add = (key: string, time: Instant | undefined, event: EventPayload) => void;

/** Stores which facts about each pod have been reported, so that each event is reported once. */
export class PodHistory {
  readonly #reported = new Map<string, Reported>();

  /**
   * Returns the events that are new in this version of a pod.
   * @param at when the version was received
   */
  update(operation: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod, at: Instant): readonly HistoryEvent[] {
    const { uid } = pod.metadata;
    const isNew = !this.#reported.has(uid);
    const reported = this.#of(uid);
    const events: HistoryEvent[] = [];
    const add: Add = (key, time, event) => {
      if (reported.keys.has(key)) return;
      reported.keys.add(key);
      events.push({ at: time ?? at, pod: uid, event });
    };
    const created = instantOf(pod.metadata.creationTimestamp) ?? at;
    const object: Attributes = { ...pod };
    if (isNew)
      events.push({
        at: created < at ? created : at,
        pod: uid,
        event: { type: 'podChanged', operation: 'ADDED', object },
      });
    const past = readPast(pod, at);
    emitSandbox(reported, pod, past, at, add);
    emitContainers(pod, past, add);
    emitWaits(pod, at, add);
    emitPullWaits({ pod, events: [...reported.failedPulls.values()], observedAt: at }, past, add);
    if (pod.status) events.push({ at, pod: uid, event: { type: 'podStatus', status: { ...pod.status } } });
    if (!isNew || operation === 'DELETED')
      events.push({ at, pod: uid, event: { type: 'podChanged', operation, object } });
    if (operation === 'DELETED') this.#reported.delete(uid);
    return events.toSorted((a, b) => a.at - b.at);
  }

  /** Returns the log event for a Kubernetes event of a pod; undefined if it was reported before. */
  updateEvent(uid: string, event: SnapshotEvent): HistoryEvent | undefined {
    const { type, reason, message, container, count, last } = event;
    const reported = this.#of(uid);
    if (reason === 'Failed' && container !== undefined && message.startsWith('Failed to pull image'))
      reported.failedPulls.set(container, event);
    const key = `event ${reason} ${message} ${count} ${last}`;
    if (reported.keys.has(key)) return undefined;
    reported.keys.add(key);
    return {
      at: last,
      pod: uid,
      event: { type: 'kubernetesEvent', eventType: type, reason, message, container, count },
    };
  }

  #of(uid: string): Reported {
    const reported = this.#reported.get(uid) ?? { keys: new Set(), sandbox: undefined, failedPulls: new Map() };
    this.#reported.set(uid, reported);
    return reported;
  }
}

function emitSandbox(
  reported: Reported,
  pod: Pod,
  { sandboxAt, isSandboxReady }: PastPod,
  at: Instant,
  add: Add,
): void {
  if (sandboxAt === undefined) return;
  const { podIP: ip, conditions = [] } = pod.status ?? {};
  const change = (sandbox: ReportedSandbox, from: StateChange['from'], to: StateChange['to']): StateChange => ({
    type: 'runtimeStateChanged',
    object: 'sandbox',
    id: `${pod.metadata.uid}/sandbox/${sandbox.attempt}`,
    name: 'POD',
    attempt: sandbox.attempt,
    from,
    to,
    createdAt: sandbox.startedAt,
    ...(to === 'running' && { startedAt: sandbox.startedAt, ip: sandbox.ip }),
  });
  const before = reported.sandbox;
  const ready = conditions.find(({ type, status }) => type === 'PodReadyToStartContainers' && status === 'True');
  const since = instantOf(ready?.lastTransitionTime);
  // The status contains the start time of the first sandbox. For a later sandbox, it shows only that the sandbox is
  // new.
  const startedAt = before ? (since !== undefined && since > before.startedAt ? since : at) : sandboxAt;
  const hasOtherIp = before?.ip !== undefined && ip !== undefined && ip !== before.ip;
  if (before?.isRunning && (!isSandboxReady || hasOtherIp)) {
    reported.sandbox = { ...before, isRunning: false };
    add(`sandbox ${before.attempt} exited`, hasOtherIp ? startedAt : undefined, change(before, 'running', 'exited'));
  }
  // The IP may be reported after the sandbox.
  if (reported.sandbox?.isRunning && reported.sandbox.ip === undefined) reported.sandbox = { ...reported.sandbox, ip };
  if (reported.sandbox?.isRunning || (before && !isSandboxReady)) return;
  const sandbox: ReportedSandbox = {
    attempt: before ? before.attempt + 1 : 0,
    startedAt,
    ip,
    isRunning: isSandboxReady,
  };
  reported.sandbox = sandbox;
  add(`sandbox ${sandbox.attempt} running`, startedAt, change(sandbox, 'nonexistent', 'running'));
  if (!isSandboxReady) add(`sandbox ${sandbox.attempt} exited`, undefined, change(sandbox, 'running', 'exited'));
}

function emitContainers(pod: Pod, past: PastPod, add: Add): void {
  const statuses = knownContainers(pod);
  for (const instance of past.instances) {
    const status = statuses.find(({ container }) => container.name === instance.container.name)?.status;
    const { container, attempt, startedAt, end } = instance;
    const id = idOf(pod, instance, status);
    const common = {
      type: 'runtimeStateChanged',
      object: 'container',
      id,
      name: container.name,
      attempt,
      containerType: typeOf(instance),
      image: container.image,
    } as const;
    const key = `${container.name} ${attempt}`;
    add(`${key} running`, startedAt, { ...common, from: 'created', to: 'running', createdAt: startedAt, startedAt });
    if (!end) continue;
    const { exitCode, reason, message } = end;
    add(`${key} exited`, end.at, {
      ...common,
      from: 'running',
      to: 'exited',
      createdAt: startedAt,
      startedAt,
      finishedAt: end.at,
      exitCode,
      reason,
      message,
    });
  }
}

function emitWaits(pod: Pod, at: Instant, add: Add): void {
  for (const { container, status } of knownContainers(pod)) {
    const { waiting } = status.state ?? {};
    if (waiting?.reason !== 'CrashLoopBackOff') continue;
    const since = instantOf(status.lastState?.terminated?.finishedAt) ?? at;
    const ms = messageBackOff(waiting.message) ?? backOffAfter(status.restartCount);
    const { name, image } = container;
    add(`wait ${name} ${since} ${ms}`, undefined, {
      type: 'backOff',
      kind: 'container',
      key: `${pod.metadata.uid}/${name}`,
      container: name,
      image,
      seconds: ms / 1000,
      since,
      until: since + ms,
      state: 'waiting',
    });
  }
}

/** Emits image pull back-offs, computed by {@link readBackOffs}. */
function emitPullWaits(snapshot: PodSnapshot, past: PastPod, add: Add): void {
  for (const { kind, container: name, backoff, lastUpdate } of readBackOffs(snapshot, past)) {
    if (kind !== 'image') continue;
    const known = knownContainers(snapshot.pod).find(({ container }) => container.name === name);
    const image = known?.container.image ?? '';
    const isWaiting = known?.status.state?.waiting?.reason === 'ImagePullBackOff';
    add(`image wait ${name} ${lastUpdate} ${backoff} ${isWaiting}`, undefined, {
      type: 'backOff',
      kind: 'image',
      key: `${snapshot.pod.metadata.uid}_${image}`,
      container: name,
      image,
      seconds: backoff / 1000,
      since: lastUpdate,
      until: lastUpdate + backoff,
      state: isWaiting ? 'waiting' : 'armed',
    });
  }
}
