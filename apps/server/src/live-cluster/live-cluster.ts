/**
 * Observes a real cluster: watches its pods and their events, and reconstructs the timeline from them. It never writes
 * to the cluster. Secrets are masked before anything is stored.
 */

import { ApiException, CoreV1Api, type KubeConfig, makeInformer } from '@kubernetes/client-node';
import { forbidden } from '@podscope/apiserver';
import { errorMessage } from '@podscope/base';
import { syncPodPointsOf } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import {
  CommandTable,
  EventEncoder,
  type EventFeed,
  LiveFeed,
  type NodeCommands,
  nodeCommandHandlers,
  Session,
  systemClock,
  type Transport,
} from '@podscope/node';
import { RecognizedSecretMask } from '@podscope/node/secrets';
import {
  type HistoryEvent,
  PodHistory,
  readEvent,
  readPodObject,
  snapshotText,
  subjectOf,
  toNotice,
} from '@podscope/pod-snapshot';
import type { NodeInfo } from '@podscope/protocol';
import type { Instant, UnstampedEvent } from '@podscope/trace';
import type { Logger } from 'pino';
import { stringify } from 'yaml';
import { LiveLog } from '../observe/live-log.ts';
import { StartError } from '../start-error.ts';
import { productVersion } from '../version.ts';
import { loadKubeConfig } from './kube-config.ts';

export interface LiveClusterOptions {
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  /** The context of the kubeconfig. Default: the current context. */
  readonly context: string | undefined;
  /** The namespace to observe. Default: all namespaces. */
  readonly namespace: string | undefined;
  readonly logger: Logger;
  readonly notify: (message: string) => void;
  /** The delay before a watch that ended with an error is opened again, in milliseconds. Default: 5000. */
  readonly retryAfter?: number;
}

const readOnly = (): Error => forbidden('pods', '', 'this cluster is looked at, not changed');
const refuse = (): Promise<never> => Promise.reject(readOnly());
const defaultRetryAfter = 5_000;

/** Returns true if the API server denied a request because the user lacks the permission. */
const isRefusal = (error: unknown): boolean => error instanceof ApiException && error.code === 403;

type Informer = ReturnType<typeof makeInformer>;

const asData = (object: unknown): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(object)) as Readonly<Record<string, unknown>>;

function uidOf({ metadata }: Readonly<Record<string, unknown>>): string {
  const { uid } = (metadata ?? {}) as { readonly uid?: unknown };
  return typeof uid === 'string' ? uid : '';
}

/** Observes one real cluster and serves the observation to clients. */
export class LiveCluster {
  readonly #options: LiveClusterOptions;
  readonly #config: KubeConfig;
  readonly #live = new LiveLog();
  readonly #feed: EventFeed = new LiveFeed(this.#live.log, new EventEncoder());
  readonly #history = new PodHistory();
  readonly #pods = new Map<string, Pod>();
  /**
   * By pod UID, the mask of the secrets that the pod's events must not contain. It is stored as long as the pod exists.
   */
  readonly #masks = new Map<string, RecognizedSecretMask>();
  readonly #commands: CommandTable;
  readonly #sessions = new Set<Session>();
  readonly #informers: Informer[] = [];
  readonly #startedAt = systemClock().now();
  #remembered: HistoryEvent[] | undefined = [];
  #stopped = false;
  readonly #timers = new Set<NodeJS.Timeout>();

  /** @throws StartError if the kubeconfig can't be used */
  constructor(options: LiveClusterOptions) {
    this.#options = options;
    this.#config = loadKubeConfig(options);
    const commands: NodeCommands = {
      apply: refuse,
      validate: refuse,
      deletePod: refuse,
      getPodYaml: (namespace, name) => {
        const pod = [...this.#pods.values()].find(
          ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
        );
        if (!pod) throw forbidden('pods', name, 'it is not there any more');
        return stringify(pod);
      },
      async *logs() {
        yield await refuse();
      },
    };
    this.#commands = new CommandTable(nodeCommandHandlers(commands));
  }

  /** The name of the cluster's context, for display. */
  get name(): string {
    return this.#config.getCurrentContext();
  }

  /**
   * Lists all pods and events, then watches them.
   * @throws StartError if the cluster doesn't respond or denies access
   */
  async start(): Promise<void> {
    const api = this.#config.makeApiClient(CoreV1Api);
    const { namespace } = this.#options;
    const pods = makeInformer(
      this.#config,
      namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${namespace}/pods`,
      () => (namespace === undefined ? api.listPodForAllNamespaces() : api.listNamespacedPod({ namespace })),
    );
    const events = makeInformer(
      this.#config,
      namespace === undefined ? '/api/v1/events' : `/api/v1/namespaces/${namespace}/events`,
      () => (namespace === undefined ? api.listEventForAllNamespaces() : api.listNamespacedEvent({ namespace })),
    );
    for (const verb of ['add', 'update', 'delete'] as const) pods.on(verb, (pod) => this.#onPod(verb, pod));
    for (const verb of ['add', 'update'] as const) events.on(verb, (event) => this.#onEvent(event));
    this.#informers.push(pods, events);
    try {
      // First list pods and events once, because an informer doesn't report that access was denied.
      await (namespace === undefined
        ? api.listPodForAllNamespaces({ limit: 1 })
        : api.listNamespacedPod({ namespace, limit: 1 }));
      await (namespace === undefined
        ? api.listEventForAllNamespaces({ limit: 1 })
        : api.listNamespacedEvent({ namespace, limit: 1 })
      ).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        // A user without permission to read events still gets a timeline, because pods alone show states and restarts.
        this.#informers.splice(this.#informers.indexOf(events), 1);
        this.#options.notify(`${this.name} does not permit to list events: the timeline shows only the pods' statuses`);
      });
      for (const informer of this.#informers) await informer.start();
    } catch (error) {
      throw new StartError(
        `the cluster of context ${this.name} denies access: ${(error as Error).message.split('\n')[0]}`,
        { cause: error },
      );
    }
    this.#reportRemembered();
    for (const informer of this.#informers) informer.on('error', (error: unknown) => this.#restart(informer, error));
  }

  nodeInfo(): NodeInfo {
    const cluster = this.#config.getCurrentCluster()?.server ?? '';
    return {
      run: `cluster-${this.#startedAt}`,
      startedAt: this.#startedAt,
      version: productVersion,
      nodeName: this.name,
      runtime: { name: 'cluster', version: '', kind: 'cri' },
      notices: [toNotice(snapshotText('liveCluster', { context: this.name, server: cluster }))],
      profile: 'v1.36',
      steps: syncPodPointsOf('v1.36', {}).map(({ id, step, title, description }) => ({
        id,
        step: step ?? 0,
        title,
        description: description ?? '',
      })),
      readOnly: true,
      kubeconfig: this.#options.kubeconfig,
    };
  }

  connect(transport: Transport): Session {
    const session = new Session(
      {
        events: this.#feed,
        node: () => this.nodeInfo(),
        pods: () => [...this.#pods.values()],
        commands: this.#commands,
        pacing: systemClock(),
        onClosed: () => this.#sessions.delete(session),
      },
      transport,
    );
    this.#sessions.add(session);
    return session;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const session of this.#sessions) session.end(1001, 'The server stops.');
    for (const informer of this.#informers) await informer.stop();
  }

  #onPod(verb: 'add' | 'update' | 'delete', object: unknown): void {
    const data = asData(object);
    const mask = this.#masks.get(uidOf(data)) ?? new RecognizedSecretMask();
    const pod = readPodObject(data, mask);
    if (!pod) return;
    const { uid } = pod.metadata;
    if (verb === 'delete') {
      this.#pods.delete(uid);
      this.#masks.delete(uid);
    } else {
      this.#pods.set(uid, pod);
      this.#masks.set(uid, mask);
    }
    this.#report(
      this.#history.update(
        ({ add: 'ADDED', update: 'MODIFIED', delete: 'DELETED' } as const)[verb],
        pod,
        systemClock().now(),
      ),
    );
  }

  #onEvent(object: unknown): void {
    const data = asData(object);
    const read = readEvent(data, this.#masks.get(subjectOf(data).uid ?? ''));
    if (read?.about.uid === undefined) return;
    const happened = this.#history.updateEvent(read.about.uid, read.event);
    if (happened) this.#report([happened]);
  }

  /**
   * Appends events to the log. The events that exist at the start are first collected, so that they can be appended in
   * chronological order.
   */
  #report(happened: readonly HistoryEvent[]): void {
    if (this.#remembered) this.#remembered.push(...happened);
    else for (const each of happened) this.#append(each, systemClock().now());
  }

  #reportRemembered(): void {
    const all = this.#remembered ?? [];
    this.#remembered = undefined;
    for (const each of all.toSorted((a, b) => a.at - b.at)) this.#append(each, each.at);
  }

  #append({ pod, event }: HistoryEvent, at: Instant): void {
    const { name, namespace = '' } = this.#pods.get(pod)?.metadata ?? { name: pod };
    // Skip events of deleted pods, because the timelines of these pods no longer exist.
    if (!this.#pods.has(pod) && event.type === 'kubernetesEvent') return;
    this.#live.append(at, { ...event, thread: `${namespace}/${name}`, pod } as UnstampedEvent);
  }

  /**
   * Reads the credentials again before each retry. Tokens in files are rotated, but the client library reads the files
   * only once.
   */
  #readCredentials(): void {
    try {
      loadKubeConfig(this.#options, this.#config);
    } catch (error) {
      this.#options.notify(errorMessage(error));
    }
  }

  #restart(informer: Informer, error: unknown): void {
    if (this.#stopped) return;
    this.#options.notify(`watching ${this.name} broke and is tried again: ${errorMessage(error)}`);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#readCredentials();
      informer.start().catch((again: unknown) => this.#restart(informer, again));
    }, this.#options.retryAfter ?? defaultRetryAfter);
    this.#timers.add(timer);
  }
}
