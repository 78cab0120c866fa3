/**
 * What must have happened in a pod for its status to have become what it is: events of a log, reconstructed. Of a pod that is seen for the
 * first time comes all that its status remembers, at the instants that it names; then, with each newer version, what changed.
 */
import type { ContainerStatus, Pod } from '@podscope/k8s';
import type { Attributes, EventPayload, Instant } from '@podscope/trace';
import { backOffAfter, toldBackOff } from './kubelet-memory.ts';
import { knownContainers, type PastLife, readPast } from './past-lives.ts';
import { instantOf, type SnapshotEvent } from './read-snapshots.ts';

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

/** Remembers of each pod what has been told already. */
export class PodChronicle {
  /** Instances and their last told state, waits, events: by pod. */
  readonly #told = new Map<string, Set<string>>();

  /** What is new in this version of a pod. @param at when it was seen */
  see(operation: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod, at: Instant): readonly Happened[] {
    const { uid } = pod.metadata;
    const told = this.#told.get(uid) ?? new Set<string>();
    const isNew = !this.#told.has(uid);
    this.#told.set(uid, told);
    const happened: Happened[] = [];
    const add = (key: string, time: Instant | undefined, event: EventPayload): void => {
      if (told.has(key)) return;
      told.add(key);
      happened.push({ at: time ?? at, pod: uid, event });
    };
    const created = instantOf(pod.metadata.creationTimestamp) ?? at;
    const object: Attributes = { ...pod };
    if (isNew) happened.push({ at: created < at ? created : at, pod: uid, event: { type: 'podChanged', operation: 'ADDED', object } });
    this.#tellSandbox(pod, at, add);
    this.#tellContainers(pod, at, add);
    this.#tellWaits(pod, at, add);
    if (pod.status) happened.push({ at, pod: uid, event: { type: 'podStatus', status: { ...pod.status } } });
    if (!isNew || operation === 'DELETED') happened.push({ at, pod: uid, event: { type: 'podChanged', operation, object } });
    if (operation === 'DELETED') this.#told.delete(uid);
    return happened.toSorted((a, b) => a.at - b.at);
  }

  /** An event about a pod; undefined when it has been told. */
  seeEvent(uid: string, { type, reason, message, container, count, last }: SnapshotEvent): Happened | undefined {
    const told = this.#told.get(uid) ?? new Set<string>();
    this.#told.set(uid, told);
    const key = `event ${reason} ${message} ${count} ${last}`;
    if (told.has(key)) return undefined;
    told.add(key);
    return { at: last, pod: uid, event: { type: 'kubernetesEvent', eventType: type, reason, message, container, count } };
  }

  #tellSandbox(pod: Pod, at: Instant, add: (key: string, time: Instant | undefined, event: EventPayload) => void): void {
    const { sandboxAt, isSandboxReady } = readPast(pod, at);
    if (sandboxAt === undefined) return;
    const common = { type: 'runtimeStateChanged', object: 'sandbox', id: `${pod.metadata.uid}/sandbox`, name: 'POD', attempt: 0 } as const;
    add('sandbox running', sandboxAt, { ...common, from: 'nonexistent', to: 'running', createdAt: sandboxAt, startedAt: sandboxAt, ip: pod.status?.podIP });
    if (!isSandboxReady) add('sandbox exited', undefined, { ...common, from: 'running', to: 'exited', createdAt: sandboxAt });
  }

  #tellContainers(pod: Pod, at: Instant, add: (key: string, time: Instant | undefined, event: EventPayload) => void): void {
    const statuses = knownContainers(pod);
    for (const life of readPast(pod, at).lives) {
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

  #tellWaits(pod: Pod, at: Instant, add: (key: string, time: Instant | undefined, event: EventPayload) => void): void {
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
}
