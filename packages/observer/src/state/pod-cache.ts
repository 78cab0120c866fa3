/**
 * Reconstructs the kubelet's pod cache from the answers of lists and status calls: the sandboxes and containers of each
 * pod that the kubelet knew at any time. Upstream: GenericPLEG.Relist, kubecontainer.Cache (v1.36 and v1.20).
 */
import type { ContainerStatus, PodSandboxStatus } from '@podscope/cri';
import { type PodStatus, type RuntimePod, runtimeGatesV136, type Status, toStatus } from '@podscope/kuberuntime';
import { instant } from '@podscope/trace';
import type { CallMessage, CallRecord } from '../inputs.ts';
import type { ContainerEvent } from './container-events.ts';
import { objectAt, textAt } from './fields.ts';
import { listedItems, listedKind } from './lists.ts';
import type { ObjectRegistry, PodName } from './registry.ts';

/** An observer doesn't know which resources the kubelet last applied. */
const facts = { gates: runtimeGatesV136 };

interface CacheEntry {
  readonly at: number;
  readonly status: PodStatus;
  /** Number of objects that lists show but whose status is unknown. */
  readonly unseen: number;
}

/** The period of the runtime cache in milliseconds. Upstream: defaultCachePeriod (runtime_cache.go, v1.20). */
const cachePeriod = 2_000;
/** Maximum time between a read of the runtime cache and the first call of the kill that it causes, in milliseconds. */
const killDelay = 500;

/** The number of states that are kept for each pod. A sync needs only one of the last few. */
const kept = 400;

class PodRecord {
  readonly pod: PodName;
  sandboxes: readonly string[] = [];
  containers: readonly string[] = [];
  /**
   * The containers that the kubelet has read since its newest inspection began, which reads the sandboxes first. Other
   * parts of the kubelet read containers again, for example the rotation of logs.
   */
  readonly inspected = new Set<string>();
  /** True once a list showed objects of the pod. */
  listed = false;
  readonly entries: CacheEntry[] = [];

  constructor(pod: PodName) {
    this.pod = pod;
  }
}

const newest = (a: { readonly createdAt: bigint | number }, b: { readonly createdAt: bigint | number }): number =>
  a.createdAt > b.createdAt ? -1 : a.createdAt < b.createdAt ? 1 : 0;

export class ObservedPodCache {
  readonly #registry: ObjectRegistry;
  readonly #pods = new Map<string, PodRecord>();
  readonly #sandboxStatuses = new Map<string, PodSandboxStatus>();
  readonly #containerStatuses = new Map<string, Status>();
  /** The newest answer of ContainerStatus by container. */
  readonly #answers = new Map<string, CallMessage>();
  /** The newest item of each object in a list. */
  readonly #items = new Map<string, CallMessage>();
  /** The sandbox of each container. */
  readonly #owners = new Map<string, string>();
  /** Answers of lists with a filter for running objects: sandboxes with READY, containers with RUNNING. */
  readonly #running: {
    readonly at: number;
    readonly kind: 'sandboxes' | 'containers';
    readonly ids: ReadonlySet<string>;
  }[] = [];
  #runtimeName = 'containerd';
  /** Times of the first lists of all sandboxes and of all containers. */
  readonly #firstLists = new Map<'sandboxes' | 'containers', number>();

  constructor(registry: ObjectRegistry) {
    this.#registry = registry;
  }

  set runtimeName(name: string) {
    this.#runtimeName = name;
  }

  /** Returns the cache's entry for a pod as of a given time; undefined before the first inspection. */
  at(uid: string, time: number): PodStatus | undefined {
    return this.#pods.get(uid)?.entries.findLast(({ at }) => at <= time)?.status;
  }

  /** Returns true if lists of all sandboxes and of all containers before a time show that the pod has no objects. */
  isWithoutObjects(uid: string, time: number): boolean {
    const isListed = this.#firstLists.size === 2 && Math.max(...this.#firstLists.values()) <= time;
    return isListed && this.at(uid, time) === undefined;
  }

  /**
   * Forgets which lists and inspections were observed, because objects may be created unobserved from now on. Until the
   * next list, a pod without known objects no longer counts as a pod without objects.
   */
  forgetLists(): void {
    this.#firstLists.clear();
    for (const record of this.#pods.values()) record.inspected.clear();
  }

  /** Returns the newest sandbox status that was observed. */
  sandboxStatus(id: string): PodSandboxStatus | undefined {
    return this.#sandboxStatuses.get(id);
  }

  /** Returns the newest answer of ContainerStatus that was observed. */
  containerAnswer(id: string): CallMessage | undefined {
    return this.#answers.get(id);
  }

  /** The UIDs of the pods that are remembered. */
  get uids(): Iterable<string> {
    return this.#pods.keys();
  }

  /**
   * Returns the time since which lists show no object of a pod. Infinite for a pod that has objects; undefined for one
   * that no list showed.
   */
  emptyAt(uid: string): number | undefined {
    const record = this.#pods.get(uid);
    if (!record) return undefined;
    const isEmpty = record.sandboxes.length === 0 && record.containers.length === 0;
    return isEmpty ? record.entries.at(-1)?.at : Number.POSITIVE_INFINITY;
  }

  /**
   * Forgets a pod.
   * @param objects the ids of all sandboxes and containers that it had
   */
  forget(uid: string, objects: readonly string[]): void {
    this.#pods.delete(uid);
    for (const id of objects)
      for (const map of [this.#sandboxStatuses, this.#containerStatuses, this.#answers, this.#items, this.#owners])
        map.delete(id);
  }

  /** Returns the ids of the pod's sandboxes and containers in the newest lists. */
  listed(uid: string): readonly string[] {
    const record = this.#pods.get(uid);
    return record ? [...record.sandboxes, ...record.containers] : [];
  }

  /** Returns the ids of the pod's sandboxes in the newest list. */
  listedSandboxes(uid: string): readonly string[] {
    return this.#pods.get(uid)?.sandboxes ?? [];
  }

  /**
   * Applies an answered call.
   * @param reader who reads a status: the kubelet, which may inspect the pod, the relay, or neither of them
   */
  apply(call: CallRecord, reader: 'kubelet' | 'relay' | undefined): void {
    const { method, request, result } = call;
    if (!result || result.status !== 0) return;
    const { response, end } = result;
    if (method === 'CreateContainer') this.place(textAt(response, 'containerId'), textAt(request, 'podSandboxId'));
    else if (listedKind(method)) this.#applyList(method, request, response, end);
    else if (method === 'PodSandboxStatus') {
      const status = objectAt(response, 'status');
      if (!status || textAt(status, 'id') === '') return;
      this.#sandboxStatuses.set(textAt(status, 'id'), status as unknown as PodSandboxStatus);
      if (reader) this.#inspectedSandbox(textAt(status, 'id'), end, reader === 'kubelet');
    } else if (method === 'ContainerStatus') {
      const status = objectAt(response, 'status');
      const id = textAt(status, 'id');
      if (!status || id === '') return;
      this.#answers.set(id, response ?? {});
      this.#containerStatuses.set(id, toStatus(this.#runtimeName, status as unknown as ContainerStatus, facts));
      if (reader) this.#inspectedContainer(id, end, reader === 'kubelet');
    }
  }

  /**
   * Applies an event of the runtime. From an event, the kubelet takes the pod's whole status. After a deletion, it
   * reads the status with calls of its own. Upstream: EventedPLEG.processCRIEvents (v1.36).
   */
  applyEvent(pod: PodName, { id, isDeletion, sandbox, containers }: ContainerEvent, at: number): void {
    const record = this.#recordOf(pod);
    if (isDeletion) {
      record.sandboxes = record.sandboxes.filter((each) => each !== id);
      record.containers = record.containers.filter((each) => each !== id);
      if (record.sandboxes.length === 0 && record.containers.length === 0) this.#add(record, at);
      return;
    }
    const sandboxId = textAt(sandbox, 'id');
    if (!sandbox || sandboxId === '') return;
    this.#sandboxStatuses.set(sandboxId, sandbox as unknown as PodSandboxStatus);
    for (const status of containers) {
      const container = textAt(status, 'id');
      this.place(container, sandboxId);
      this.#answers.set(container, { status });
      this.#containerStatuses.set(container, toStatus(this.#runtimeName, status as unknown as ContainerStatus, facts));
    }
    record.listed = true;
    record.sandboxes = [sandboxId];
    record.containers = containers.map((status) => textAt(status, 'id'));
    this.#add(record, at);
  }

  /** Applies the response to a list call. A list without a state filter shows all objects of a pod or of the node. */
  #applyList(method: string, request: CallMessage | undefined, response: CallMessage | undefined, at: number): void {
    const filter = objectAt(request, 'filter');
    if (filter && textAt(filter, 'id') !== '') return;
    if (filter?.['state'] !== undefined) {
      this.#applyRunning(method, response, at);
      return;
    }
    const selector = objectAt(filter, 'labelSelector');
    const uid = textAt(selector, 'io.kubernetes.pod.uid');
    if (selector && Object.keys(selector).length > 0 && uid === '') return;
    const kind = listedKind(method) ?? 'containers';
    if (uid === '' && !this.#firstLists.has(kind)) this.#firstLists.set(kind, at);
    const found = new Map<string, string[]>();
    for (const item of listedItems(method, response)) {
      const id = textAt(item, 'id');
      this.#items.set(id, item);
      this.place(id, textAt(item, 'podSandboxId'));
      const pod = this.#registry.get(id)?.pod;
      if (!pod) continue;
      this.#recordOf(pod);
      const ids = found.get(pod.uid);
      if (ids) ids.push(id);
      else found.set(pod.uid, [id]);
    }
    for (const record of this.#pods.values()) {
      if (uid !== '' && record.pod.uid !== uid) continue;
      const ids = found.get(record.pod.uid) ?? [];
      const before = record[kind];
      record[kind] = ids;
      if (ids.length > 0) record.listed = true;
      // If a pod has no objects left, the kubelet's inspection makes no further call.
      const isGone = record.sandboxes.length === 0 && record.containers.length === 0;
      // Objects from before the observation are known only from lists, until the kubelet inspects them.
      const isFirst = kind === 'containers' && record.entries.length === 0 && !isGone;
      if ((isGone && before.length > 0) || isFirst) this.#add(record, at);
    }
  }

  /** Stores the result of a list that the kubelet's housekeeping requests. Upstream: runtimeCache (v1.20). */
  #applyRunning(method: string, response: CallMessage | undefined, at: number): void {
    const ids = new Set(listedItems(method, response).map((item) => textAt(item, 'id')));
    this.#running.push({ at, kind: listedKind(method) ?? 'containers', ids });
    if (this.#running.length > kept) this.#running.splice(0, kept / 2);
  }

  /**
   * Returns the running containers and sandboxes of a pod in the kubelet's runtime cache as of a given time. Several
   * parts of the kubelet request these lists, and no source reports which list refreshed the cache. So this method uses
   * the newest list within the cache's period that shows the pod.
   */
  running(uid: string, time: number): RuntimePod | undefined {
    const status = this.at(uid, time);
    const idsOfPod = (ids: ReadonlySet<string>): readonly string[] =>
      [...ids].filter((id) => this.#registry.get(id)?.pod.uid === uid);
    const listed = (kind: 'sandboxes' | 'containers'): ReadonlySet<string> | undefined =>
      (
        this.#running.findLast(
          (each) =>
            each.kind === kind &&
            each.at <= time &&
            each.at >= time - cachePeriod - killDelay &&
            idsOfPod(each.ids).length > 0,
        ) ?? this.#running.findLast((each) => each.kind === kind && each.at <= time)
      )?.ids;
    const sandboxes = listed('sandboxes');
    const containers = listed('containers');
    if (!status || !sandboxes || !containers) return undefined;
    const common = { imageID: '', imageRef: '', hash: 0, state: 'running', image: '' } as const;
    const object = (id: string, podSandboxID: string): RuntimePod['containers'][number] => ({
      ...common,
      id: { type: this.#runtimeName, id },
      name: this.#registry.get(id)?.name ?? '',
      createdAt: instant(time),
      podSandboxID,
    });
    return {
      id: uid,
      name: status.name,
      namespace: status.namespace,
      createdAt: instant(time),
      containers: idsOfPod(containers).map((id) => object(id, this.#owners.get(id) ?? '')),
      sandboxes: idsOfPod(sandboxes).map((id) => object(id, id)),
    };
  }

  #recordOf(pod: PodName): PodRecord {
    let record = this.#pods.get(pod.uid);
    if (!record) {
      record = new PodRecord(pod);
      this.#pods.set(pod.uid, record);
    }
    return record;
  }

  #inspectedSandbox(id: string, at: number, isKubelet: boolean): void {
    const pod = this.#registry.get(id)?.pod;
    if (!pod) return;
    const record = this.#recordOf(pod);
    if (isKubelet) record.inspected.clear();
    this.#add(record, at);
  }

  #inspectedContainer(id: string, at: number, isKubelet: boolean): void {
    const pod = this.#registry.get(id)?.pod;
    if (!pod) return;
    const record = this.#recordOf(pod);
    // The inspection of a pod without sandboxes begins with its containers.
    if (isKubelet && record.inspected.has(id) && record.sandboxes.length > 0) return;
    if (isKubelet) record.inspected.add(id);
    this.#add(record, at);
  }

  /** Adds the current state of a pod as an entry of the cache. */
  #add(record: PodRecord, at: number): void {
    record.entries.push(this.#entryOf(record, at));
    if (record.entries.length > kept) record.entries.splice(0, kept / 2);
  }

  #entryOf(record: PodRecord, at: number): CacheEntry {
    const status = this.#statusOf(record, at);
    const seen = status.sandboxStatuses.length + status.containerStatuses.length;
    return { at, status, unseen: record.sandboxes.length + record.containers.length - seen };
  }

  #statusOf({ pod, sandboxes, containers }: PodRecord, at: number): PodStatus {
    const sandboxStatuses = sandboxes
      .map((id) => this.#sandboxStatuses.get(id) ?? this.#listedSandbox(id))
      .filter((status) => status !== undefined)
      .toSorted(newest);
    const containerStatuses = containers
      .map((id) => this.#containerStatuses.get(id) ?? this.#listedContainer(id))
      .filter((status) => status !== undefined)
      .toSorted(newest);
    const ready = sandboxStatuses.find(({ state }) => state === 'SANDBOX_READY')?.id;
    const [first] = sandboxStatuses;
    const { ip = '', additionalIps = [] } = first?.state === 'SANDBOX_READY' ? (first.network ?? { ip: '' }) : {};
    return {
      id: pod.uid,
      name: pod.name,
      namespace: pod.namespace,
      ips: ip === '' ? [] : [ip, ...additionalIps.map((each) => each.ip)],
      sandboxStatuses,
      containerStatuses,
      activeContainerStatuses: containerStatuses.filter(
        ({ id }) => ready !== undefined && this.#sandboxOf(id.id) === ready,
      ),
      timestamp: instant(at),
    };
  }

  /** Returns the parts of a sandbox's status that a list shows. */
  #listedSandbox(id: string): PodSandboxStatus | undefined {
    const item = this.#items.get(id);
    // The cast is safe: an item of a list has the fields of a status, except for the network.
    return item ? (item as unknown as PodSandboxStatus) : undefined;
  }

  /**
   * Returns the parts of a running container's status that a list shows; undefined for other containers, because lists
   * don't show how they ended.
   */
  #listedContainer(id: string): Status | undefined {
    const item = this.#items.get(id);
    if (!item || textAt(item, 'state') !== 'CONTAINER_RUNNING') return undefined;
    const times = { startedAt: item['createdAt'], finishedAt: 0n, exitCode: 0, reason: '', message: '' };
    return toStatus(this.#runtimeName, { ...item, ...times } as unknown as ContainerStatus, facts);
  }

  /**
   * Returns the number of a pod's objects that are listed as of a given time without a known status; undefined before
   * the first list.
   */
  unseen(uid: string, time: number): number | undefined {
    return this.#pods.get(uid)?.entries.findLast(({ at }) => at <= time)?.unseen;
  }

  /** Stores the sandbox of a container. Only lists and CreateContainer report it. */
  place(container: string, sandbox: string): void {
    if (container !== '' && sandbox !== '') this.#owners.set(container, sandbox);
  }

  #sandboxOf(container: string): string | undefined {
    return this.#owners.get(container);
  }
}
