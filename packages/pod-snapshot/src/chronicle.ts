/**
 * What must have happened in a pod for its status to have become what it is: events of a log, reconstructed. Of a pod that is seen for the
 * first time comes all that its status remembers, at the instants that it names; then, with each newer version, what changed.
 */
import type { ContainerStatus, Pod } from '@podscope/k8s';
import type { Attributes, EventPayload, Instant } from '@podscope/trace';
import { backOffAfter, readBackOffs, toldBackOff } from './kubelet-memory.ts';
import { knownContainers, type PastLife, type PastPod, readPast } from './past-lives.ts';
import { instantOf, type PodSnapshot, type SnapshotEvent } from './read-snapshots.ts';

/** Something that happened to one pod. */
export interface Happened {
  readonly at: Instant;
  readonly pod: string;
  readonly event: EventPayload;
}

type StateChange = Extract<EventPayload, { type: 'runtimeStateChanged' }>;
type ContainerType = NonNullable<StateChange['containerType']>;

const typeOf = ({ kind, container }: Pick<PastLife, 'kind' | 'container'>): ContainerType => {
  if (kind === 'ephemeralContainers') return 'ephemeral';
  if (kind === 'containers') return 'container';
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
};

/** The id of an instance, where the status tells it; else one that is the same each time. */
function idOf(pod: Pod, { container, attempt, end }: PastLife, status: ContainerStatus | undefined): string {
  const told = end ? [status?.state?.terminated?.containerID, status?.lastState?.terminated?.containerID] : [status?.containerID];
  const index = end && status?.state?.terminated && attempt === status.restartCount ? 0 : end ? 1 : 0;
  return told[index] ?? `${pod.metadata.uid}/${container.name}/${attempt}`;
}

/** A sandbox as it was told. A status does not say which it is: a newer one is told by its address, or by the one before having gone. */
interface ToldSandbox {
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly ip: string | undefined;
  readonly isRunning: boolean;
}

/** What has been told of one pod. */
interface Told {
  /** Instances and their last told state, waits, events. */
  readonly keys: Set<string>;
  sandbox: ToldSandbox | undefined;
  /** The newest failed pull of each container: how often it failed stands in its event only. */
  readonly failedPulls: Map<string, SnapshotEvent>;
}

type Add = (key: string, time: Instant | undefined, event: EventPayload) => void;

/** Remembers of each pod what has been told already. */
export class PodChronicle {
  readonly #told = new Map<string, Told>();

  /** What is new in this version of a pod. @param at when it was seen */
  see(operation: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod, at: Instant): readonly Happened[] {
    const { uid } = pod.metadata;
    const isNew = !this.#told.has(uid);
    const told = this.#of(uid);
    const happened: Happened[] = [];
    const add: Add = (key, time, event) => {
      if (told.keys.has(key)) return;
      told.keys.add(key);
      happened.push({ at: time ?? at, pod: uid, event });
    };
    const created = instantOf(pod.metadata.creationTimestamp) ?? at;
    const object: Attributes = { ...pod };
    if (isNew) happened.push({ at: created < at ? created : at, pod: uid, event: { type: 'podChanged', operation: 'ADDED', object } });
    const past = readPast(pod, at);
    tellSandbox(told, pod, past, at, add);
    tellContainers(pod, past, add);
    tellWaits(pod, at, add);
    tellPullWaits({ pod, events: [...told.failedPulls.values()], observedAt: at }, past, add);
    if (pod.status) happened.push({ at, pod: uid, event: { type: 'podStatus', status: { ...pod.status } } });
    if (!isNew || operation === 'DELETED') happened.push({ at, pod: uid, event: { type: 'podChanged', operation, object } });
    if (operation === 'DELETED') this.#told.delete(uid);
    return happened.toSorted((a, b) => a.at - b.at);
  }

  /** An event about a pod; undefined when it has been told. */
  seeEvent(uid: string, event: SnapshotEvent): Happened | undefined {
    const { type, reason, message, container, count, last } = event;
    const told = this.#of(uid);
    if (reason === 'Failed' && container !== undefined && message.startsWith('Failed to pull image')) told.failedPulls.set(container, event);
    const key = `event ${reason} ${message} ${count} ${last}`;
    if (told.keys.has(key)) return undefined;
    told.keys.add(key);
    return { at: last, pod: uid, event: { type: 'kubernetesEvent', eventType: type, reason, message, container, count } };
  }

  #of(uid: string): Told {
    const told = this.#told.get(uid) ?? { keys: new Set(), sandbox: undefined, failedPulls: new Map() };
    this.#told.set(uid, told);
    return told;
  }
}

function tellSandbox(told: Told, pod: Pod, { sandboxAt, isSandboxReady }: PastPod, at: Instant, add: Add): void {
  if (sandboxAt === undefined) return;
  const { podIP: ip, conditions = [] } = pod.status ?? {};
  const change = (sandbox: ToldSandbox, from: StateChange['from'], to: StateChange['to']): StateChange => ({
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
  const before = told.sandbox;
  const ready = conditions.find(({ type, status }) => type === 'PodReadyToStartContainers' && status === 'True');
  const since = instantOf(ready?.lastTransitionTime);
  // Of the first it is told since when it has been there; of a later one only that it is a new one now.
  const startedAt = before ? (since !== undefined && since > before.startedAt ? since : at) : sandboxAt;
  const hasOtherIp = before?.ip !== undefined && ip !== undefined && ip !== before.ip;
  if (before?.isRunning && (!isSandboxReady || hasOtherIp)) {
    told.sandbox = { ...before, isRunning: false };
    add(`sandbox ${before.attempt} exited`, hasOtherIp ? startedAt : undefined, change(before, 'running', 'exited'));
  }
  // The address may come later than the sandbox.
  if (told.sandbox?.isRunning && told.sandbox.ip === undefined) told.sandbox = { ...told.sandbox, ip };
  if (told.sandbox?.isRunning || (before && !isSandboxReady)) return;
  const sandbox: ToldSandbox = { attempt: before ? before.attempt + 1 : 0, startedAt, ip, isRunning: isSandboxReady };
  told.sandbox = sandbox;
  add(`sandbox ${sandbox.attempt} running`, startedAt, change(sandbox, 'nonexistent', 'running'));
  if (!isSandboxReady) add(`sandbox ${sandbox.attempt} exited`, undefined, change(sandbox, 'running', 'exited'));
}

function tellContainers(pod: Pod, past: PastPod, add: Add): void {
  const statuses = knownContainers(pod);
  for (const life of past.lives) {
    const status = statuses.find(({ container }) => container.name === life.container.name)?.status;
    const { container, attempt, startedAt, end } = life;
    const id = idOf(pod, life, status);
    const common = {
      type: 'runtimeStateChanged',
      object: 'container',
      id,
      name: container.name,
      attempt,
      containerType: typeOf(life),
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

function tellWaits(pod: Pod, at: Instant, add: Add): void {
  for (const { container, status } of knownContainers(pod)) {
    const { waiting } = status.state ?? {};
    if (waiting?.reason !== 'CrashLoopBackOff') continue;
    const since = instantOf(status.lastState?.terminated?.finishedAt) ?? at;
    const ms = toldBackOff(waiting.message) ?? backOffAfter(status.restartCount);
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

/** What waits for an image: from the event of its last failure, or as many failures as there was time for. */
function tellPullWaits(snapshot: PodSnapshot, past: PastPod, add: Add): void {
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
