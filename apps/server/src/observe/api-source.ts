/**
 * Reads the pods, events and the Node object of one node from the API server, with the rights of a kubeconfig. Sends
 * GET requests only. Upstream: client-go Reflector.
 */
import { errorMessage, isRecord } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import { RecognizedSecretMask } from '@podscope/node/secrets';
import { isPod, type Observer } from '@podscope/observer';
import { readEvent, readPodObject, subjectOf } from '@podscope/pod-snapshot';
import { z } from 'zod';
import { ClusterConnection, type ClusterOptions } from '../live-cluster/cluster-connection.ts';

export interface ApiSourceOptions extends ClusterOptions {
  /** The name of the Node object. */
  readonly nodeName: string;
  readonly notify: (message: string) => void;
  /** The delay before a broken watch is opened again, in milliseconds. Default: 5000. */
  readonly retryAfter?: number;
}

/** The annotation of a mirror pod. Its value is the uid under which the kubelet and its runtime know the static pod. */
const mirrorAnnotation = 'kubernetes.io/config.mirror';
/**
 * How often the pods are reported while nothing changes, in milliseconds. Regular reports are necessary, because
 * judging a sync waits for a report that is newer than the sync.
 */
const reportEvery = 1_000;
/** The pause after a watch ended, in milliseconds. Upstream: the minimum back-off of a Reflector. */
const watchAgainAfter = 800;

const listDocument = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  items: z.array(z.record(z.string(), z.unknown())).nullish(),
});
const watchLine = z.object({ type: z.string(), object: z.record(z.string(), z.unknown()) });
const nodeObject = z.object({
  status: z
    .object({
      nodeInfo: z.object({ kubeletVersion: z.string() }).loose().nullish(),
      conditions: z
        .array(z.object({ type: z.string(), status: z.string(), message: z.string().nullish() }).loose())
        .nullish(),
    })
    .loose(),
});

type ApiObject = Readonly<Record<string, unknown>>;

/** Receives the objects of a list, then each change. */
interface Follower {
  readonly listed: (items: readonly ApiObject[]) => void;
  readonly changed: (type: string, object: ApiObject) => void;
}

const uidOf = ({ metadata }: ApiObject): string =>
  isRecord(metadata) && typeof metadata['uid'] === 'string' ? metadata['uid'] : '';

/** Returns a mirror pod with the uid of its static pod, and any other pod unchanged. */
function asKubeletKnows(pod: Pod): Pod {
  const uid = pod.metadata.annotations?.[mirrorAnnotation];
  return uid === undefined ? pod : { ...pod, metadata: { ...pod.metadata, uid } };
}

/** Watches the objects of one node on the API server and passes them to an observer. */
export class ApiSource {
  readonly #options: ApiSourceOptions;
  readonly #observer: Observer;
  readonly #connection: ClusterConnection;
  readonly #stopping = new AbortController();
  /** Pods by their uid on the API server. */
  readonly #pods = new Map<string, Pod>();
  readonly #masks = new Map<string, RecognizedSecretMask>();
  readonly #problems = new Map<string, string>();
  readonly #startedAt = Date.now();
  #hasPods = false;
  #condition: string | undefined;
  readonly #timer: NodeJS.Timeout;

  /** @throws StartError if the kubeconfig or its context can't be used */
  constructor(observer: Observer, options: ApiSourceOptions) {
    this.#observer = observer;
    this.#options = options;
    this.#connection = new ClusterConnection(options);
    const name = encodeURIComponent(options.nodeName);
    void this.#follow(`/api/v1/nodes?fieldSelector=metadata.name%3D${name}`, {
      listed: (items) => this.#node(items[0]),
      changed: (_type, object) => this.#node(object),
    });
    void this.#follow(`/api/v1/pods?fieldSelector=spec.nodeName%3D${name}`, {
      listed: (items) => {
        this.#pods.clear();
        for (const item of items) this.#keep(item);
        this.#hasPods = true;
        this.#report();
      },
      changed: (type, object) => {
        if (type === 'DELETED') this.#pods.delete(uidOf(object));
        else this.#keep(object);
        this.#report();
      },
    });
    const event = (object: ApiObject): void => this.#event(object);
    void this.#follow('/api/v1/events?fieldSelector=involvedObject.kind%3DPod', {
      listed: (items) => items.forEach(event),
      changed: (type, object) => {
        if (type !== 'DELETED') event(object);
      },
    });
    this.#timer = setInterval(() => this.#report(), reportEvery);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopping.abort();
  }

  /** Lists the objects of a path and watches them. Starts again after each failure, until the source stops. */
  async #follow(path: string, follower: Follower): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const { metadata, items } = listDocument.parse(await this.#connection.get(path));
        follower.listed(items ?? []);
        this.#problems.delete(path);
        await this.#watch(`${path}&watch=true&resourceVersion=${metadata.resourceVersion}`, follower);
        await this.#pause(watchAgainAfter);
      } catch (error) {
        if (signal.aborted) return;
        const message = `${this.#connection.context}: ${errorMessage(error)}`;
        if (this.#problems.get(path) !== message) this.#options.notify(message);
        this.#problems.set(path, message);
        await this.#pause(this.#options.retryAfter ?? 5_000);
      }
    }
  }

  /**
   * Applies changes until the server ends the watch. After an ERROR event, such as an expired version, the objects have
   * to be listed again.
   */
  async #watch(path: string, follower: Follower): Promise<void> {
    for await (const line of this.#connection.lines(path, this.#stopping.signal)) {
      const { type, object } = watchLine.parse(JSON.parse(line));
      if (type === 'ERROR') return;
      if (type !== 'BOOKMARK') follower.changed(type, object);
    }
  }

  #pause(delay: number): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delay);
      timer.unref();
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #keep(object: ApiObject): void {
    if (!isPod(object)) return;
    const pod = asKubeletKnows(object);
    this.#pods.set(object.metadata.uid, pod);
    const mask = this.#masks.get(pod.metadata.uid) ?? new RecognizedSecretMask();
    this.#masks.set(pod.metadata.uid, mask);
    // Add all values of the pod that may be secret to the mask, so that events don't contain them.
    readPodObject({ ...object }, mask);
  }

  /** Reports the pods to the observer, unless the kubelet's own `/pods` is available, which is more exact. */
  #report(): void {
    if (!this.#hasPods || this.#observer.sources.has('pods')) return;
    this.#observer.pods({ t: Date.now(), pods: [...this.#pods.values()] }, 'api');
  }

  #event(object: ApiObject): void {
    const uid = subjectOf(object).uid ?? '';
    const about = this.#pods.get(uid)?.metadata.uid ?? uid;
    const read = readEvent(object, this.#masks.get(about));
    // Skip events from before the observation, because the log would give them a wrong time.
    if (!read || read.event.last + reportEvery < this.#startedAt) return;
    const { type: eventType, reason, message, container, count, last } = read.event;
    this.#observer.podEvent(last, about, { eventType, reason, message, container, count });
  }

  #node(object: unknown): void {
    const { data } = nodeObject.safeParse(object);
    if (!data) return;
    const { nodeInfo, conditions } = data.status;
    const version = nodeInfo?.kubeletVersion;
    this.#observer.learn({ nodeName: this.#options.nodeName, ...(version === undefined ? {} : { version }) }, 'api');
    const ready = conditions?.find(({ type }) => type === 'Ready');
    if (!ready || ready.status === this.#condition) return;
    this.#condition = ready.status;
    const isReady = ready.status === 'True';
    const text = `The node is ${isReady ? 'ready' : 'not ready'}: ${ready.message ?? ''}`;
    this.#observer.nodeCondition(Date.now(), isReady ? 'info' : 'warning', text);
  }
}
