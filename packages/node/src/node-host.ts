/**
 * Connects the parts of a node: the API server, the kubelet over a container runtime, the event log to which both
 * write, the debugger, and the sessions of clients. The module uses neither Node.js nor browser APIs. Its options
 * provide everything that depends on the host machine.
 */
import { ApiServer, type Change, newUid } from '@podscope/apiserver';
import { errorMessage } from '@podscope/base';
import { Debugger, type DebugHost } from '@podscope/debugger';
import { syncPodPointsOf } from '@podscope/flow';
import { type Pod, workerUID } from '@podscope/k8s';
import {
  featureGates as gatesOf,
  Kubelet,
  type KubeletDependencies,
  kubeletProfiles,
  nodeDeclaredFeatures,
  type ShutdownGracePeriods,
} from '@podscope/kubelet';
import type { NodeInfo } from '@podscope/protocol';
import { background, type Clock, type Context, EventLog, type Instant, Tracer, withThread } from '@podscope/trace';
import type { RunInfo } from '@podscope/trace/file';
import { CommandTable } from './commands/command-table.ts';
import { HostCommands } from './commands/host-commands.ts';
import { inventoryCommandHandlers } from './commands/inventory-commands.ts';
import { nodeCommandHandlers } from './commands/node-commands.ts';
import { debugCommandHandlers } from './debug/debug-commands.ts';
import { createDebugHost } from './debug/debug-host.ts';
import { type PastRun, pastCommandHandlers } from './debug/past-commands.ts';
import { createKubeClient } from './kubelet/kube-client.ts';
import { KubeletProcess } from './kubelet/kubelet-process.ts';
import { NodeHeartbeat } from './kubelet/node-heartbeat.ts';
import { initialNode } from './kubelet/node-object.ts';
import type { NodeHostOptions, RefusedPod, StaticPodSource, StopOptions } from './node-host-options.ts';
import { runCommandHandlers } from './runs/run-commands.ts';
import type { RunLibrary } from './runs/run-library.ts';
import { StoredSecretMask } from './secrets/stored-secrets.ts';
import { ClientSessions } from './sessions/client-sessions.ts';
import { type ArchivedRun, type EventArchive, LiveFeed } from './sessions/event-feed.ts';
import { EventEncoder } from './sessions/event-json.ts';
import type { Session, Transport } from './sessions/session.ts';

/** The version of the API server. */
export const kubernetesVersion = 'v1.36.2';

/** The kubelet's release in the node object, by profile. */
const kubeletVersions = { 'v1.36': kubernetesVersion, 'v1.20': 'v1.20.2' } as const;

const staticSources = ({ staticPods = false }: NodeHostOptions): readonly StaticPodSource[] =>
  typeof staticPods === 'boolean' ? (staticPods ? ['file'] : []) : staticPods;

/**
 * Runs in place of a change that comes neither from the kubelet nor from a command, for example from kubectl. `proceed`
 * makes the change.
 */
export type ChangeInterceptor = <T>(make: (host: NodeHost) => T, proceed: () => Promise<T>) => Promise<T>;

/** One node with its API server. */
export class NodeHost {
  readonly api: ApiServer;
  readonly log: EventLog;
  readonly commands: HostCommands;
  /** The commands that clients can send. Further modules register more. */
  readonly commandTable: CommandTable;
  readonly debugger: Debugger;
  readonly clock: Clock;
  readonly #options: NodeHostOptions;
  readonly #encoder = new EventEncoder((text) => this.#maskText(text));
  readonly #controller = new AbortController();
  readonly #ctx: Context;
  readonly #run: string;
  readonly #gates: ReturnType<typeof gatesOf>;
  readonly #kubelet: KubeletProcess;
  readonly #sessions: ClientSessions;
  #secrets: StoredSecretMask | undefined;
  #interceptor: ChangeInterceptor | undefined;
  #archive: EventArchive | undefined;
  #library: RunLibrary | undefined;
  #heartbeat: NodeHeartbeat | undefined;
  #startedAt: Instant;
  #runtime = { name: '', version: '' };
  #started = false;

  constructor(options: NodeHostOptions) {
    const { clock, random, node, profile } = options;
    this.#options = options;
    this.clock = clock;
    this.log = new EventLog(clock, options.retainedEvents);
    const id = newUid(random);
    this.#run = options.run ?? id;
    this.#startedAt = clock.now();
    this.debugger = this.#createDebugger();
    this.#ctx = background(clock, new Tracer(this.log, this.debugger), 'node', this.#controller.signal);
    this.#gates = gatesOf(options.featureGates, kubeletProfiles[profile ?? 'v1.36'].gates);
    this.api = new ApiServer({
      clock,
      pacing: options.pacing,
      random,
      jitter: options.jitter,
      nodeName: node.name,
      policy: options.policy,
      podLevelResources: this.#gates.PodLevelResources,
      resizeGates: {
        podLevelResources: this.#gates.InPlacePodLevelResourcesVerticalScaling,
        initContainers: this.#gates.InPlacePodVerticalScalingInitContainers,
      },
      persistence: options.persistence,
      tokenSigner: options.tokenSigner,
      onPersistence: (error) => this.#reportPersistence(error),
    });
    const { storage } = this.api;
    this.#kubelet = new KubeletProcess({
      clock,
      storage,
      nodeName: node.name,
      policy: options.policy,
      createKubelet: (memory) => this.#createKubelet(memory),
      memory: options.memory,
      context: (thread) => this.context(thread),
      signal: this.#controller.signal,
      onStart: () => this.#heartbeat?.kubeletStarted(),
      onError: options.onError,
    });
    this.commands = new HostCommands({
      registry: this.api.registry,
      dryRunRegistry: this.api.dryRunRegistry,
      storage,
      kubelet: () => this.kubelet,
      ctx: this.context('api'),
    });
    const mask = (text: string): string => this.#maskText(text);
    this.commandTable = new CommandTable(
      nodeCommandHandlers(this.commands),
      inventoryCommandHandlers(storage, node.name, mask),
      debugCommandHandlers(this.context('debugger'), this.debugger, mask),
      pastCommandHandlers({ run: () => this.#past(), library: () => this.#library, pacing: this.pacing, mask }),
    );
    if (this.readOnly) this.commandTable.makeReadOnly();
    this.#sessions = new ClientSessions({
      events: new LiveFeed(this.log, this.#encoder, () => this.#archive),
      node: () => this.nodeInfo(),
      pods: () => storage.list('Pod').map(withoutManagedFields),
      commands: this.commandTable,
      pacing: this.pacing,
      time: options.time,
      debug: () => this.debugger.state(),
      // A read-only client doesn't count as a client of the debugger. Threads stop only while a client of the debugger
      // is connected, and a read-only client couldn't continue them.
      attach: () => (this.readOnly ? () => undefined : this.debugger.attach()),
    });
  }

  /** The running kubelet, or the last one if none is running. */
  get kubelet(): Kubelet {
    return this.#kubelet.kubelet;
  }

  /** A clock of real time, even if the node's clock is virtual. It paces the streams to clients. */
  get pacing(): Clock {
    return this.#options.pacing ?? this.clock;
  }

  /** Whether clients can only read. */
  get readOnly(): boolean {
    return this.#options.readOnly ?? false;
  }

  /** The number of connected clients. */
  get sessionCount(): number {
    return this.#sessions.count;
  }

  /** Returns a context on its own thread, for work outside the kubelet's loops. */
  context(thread: string): Context {
    return withThread(this.#ctx, thread);
  }

  /** Offers recorded runs to clients, and the events of this run that are no longer in memory. */
  offerRuns(library: RunLibrary): void {
    this.#library = library;
    this.commandTable.register(runCommandHandlers(library));
  }

  /**
   * Makes a change that isn't a command, for example a request of kubectl or a changed manifest file. A rerun makes the
   * change again on another host, so `make` must be synchronous and use only the host that it receives. Rejects with
   * the error that `make` throws.
   */
  async change<T>(make: (host: NodeHost) => T): Promise<T> {
    const proceed = async (): Promise<T> => make(this);
    return this.#interceptor ? this.#interceptor(make, proceed) : proceed();
  }

  /** Installs an interceptor for {@link change}. */
  interceptChanges(interceptor: ChangeInterceptor): void {
    this.#interceptor = interceptor;
  }

  /** Restores the objects of the last run, registers the node and starts the kubelet. */
  async start(): Promise<void> {
    const { containerRuntime, clock, random, node, machine } = this.#options;
    const { storage } = this.api;
    // This call isn't traced, so that the run begins with the first event of the node itself.
    const version = await containerRuntime.runtime.version({ ...this.#ctx, tracer: new Tracer() }, {});
    this.#runtime = { name: version.runtimeName, version: version.runtimeVersion };
    await storage.load();
    await this.debugger.load();
    this.#started = true;
    if (!this.#options.showSecrets) this.#secrets = new StoredSecretMask(storage);
    this.#startedAt = clock.now();
    this.#archive = this.#options.openArchive?.(this.recorded());
    this.api.createDefaultObjects();
    const registered = initialNode({
      clock,
      random,
      node,
      machine,
      containerRuntimeVersion: `${containerRuntime.name}://${version.runtimeVersion}`,
      kubeletVersion: kubeletVersions[this.#options.profile ?? 'v1.36'],
      declaredFeatures: nodeDeclaredFeatures(this.#gates),
      errors: this.kubelet.nodeErrors(clock.now()),
    });
    storage.create('Node', registered);
    this.api.startControllers();
    this.#startHeartbeat();
    for (const pod of storage.list('Pod')) this.#tracePod('ADDED', pod);
    storage.watch('Pod', storage.resourceVersion, (change) => this.#onPodChange(change));
    this.#kubelet.deliverPods();
    this.#kubelet.start();
  }

  /** Ends the kubelet and starts another one, see {@link KubeletProcess.restart}. */
  restartKubelet(whileDown?: () => Promise<void>): Promise<void> {
    return this.#kubelet.restart(whileDown);
  }

  /**
   * Shuts the node down: rejects new pods and terminates the running ones, see {@link NodeShutdown}. Resolves when they
   * have ended or their time is over. The node stays in this state until its kubelet is restarted.
   */
  shutDown(periods: ShutdownGracePeriods): Promise<void> {
    return this.kubelet.nodeShutdown.begin(this.context('kubelet'), periods, () => this.#heartbeat?.syncNow());
  }

  /**
   * Ends the kubelet's loops and the sessions. With `keepPods: false`, all pods are stopped before that within their
   * grace periods, and removed from the runtime and the API. The container runtime isn't closed.
   */
  async stop({ keepPods = true, reason = 'The server stops.', next }: StopOptions = {}): Promise<void> {
    this.#kubelet.cancelDelivery();
    this.api.stop();
    // Closing the debugger continues stopped threads. Otherwise, the loops couldn't end.
    this.debugger.close();
    this.#controller.abort(new DOMException(reason, 'AbortError'));
    await this.#kubelet.ended();
    try {
      if (!keepPods && this.#started) await this.#removePods();
      await this.debugger.saved();
      await this.api.storage.saved();
    } finally {
      this.#sessions.end(reason, next);
      this.#archive?.close();
    }
  }

  /**
   * Replaces the static pods of a source. Pods that violate the pod security policy are rejected.
   * @returns the rejected pods
   */
  setStaticPods(pods: readonly Pod[], source: StaticPodSource = 'file'): readonly RefusedPod[] {
    return this.#kubelet.setStaticPods(pods, source);
  }

  /** Describes this node to clients. */
  nodeInfo(): NodeInfo {
    const {
      node,
      version,
      runtimeKind,
      containerRuntime,
      notices = [],
      profile = 'v1.36',
      featureGates,
      repeats,
    } = this.#options;
    return {
      run: this.#run,
      startedAt: this.#startedAt,
      repeats,
      version,
      nodeName: node.name,
      runtime: { ...this.#runtime, kind: runtimeKind },
      notices: [...notices, ...containerRuntime.deviations()],
      profile,
      steps: syncPodPointsOf(profile, featureGates).map(({ id, step, title, description }) => ({
        id,
        step: step ?? 0,
        title,
        description: description ?? '',
      })),
      readOnly: this.readOnly,
      kubeconfig: this.#options.kubeconfig,
    };
  }

  /**
   * Returns the description of this run and a function that formats its events. Both have secrets masked, so that they
   * may leave the node.
   */
  recorded(): ArchivedRun {
    const { run: id, startedAt, repeats, nodeName, runtime, profile, steps } = this.nodeInfo();
    const info: RunInfo = {
      id,
      startedAt,
      repeats,
      nodeName,
      runtime,
      profile,
      steps,
      engine: kubeletVersions[this.#options.profile ?? 'v1.36'],
      tags: [],
      notes: [],
    };
    return { info, log: this.log, encode: (event) => this.#encoder.encode(event) };
  }

  /** Serves a client. The caller calls the session's `closed` when the transport closes. */
  connect(transport: Transport): Session {
    return this.#sessions.connect(transport);
  }

  #createDebugger(): Debugger {
    const { clock, containerRuntime, profile, featureGates, debug } = this.#options;
    const mask: DebugHost['mask'] = (text, place) => this.#secrets?.text(text, place) ?? text;
    const host = createDebugHost({
      containerRuntime,
      profile,
      featureGates,
      kubelet: () => this.kubelet,
      ctx: () => this.context('debugger'),
      mask,
    });
    const warn = (message: string): void =>
      this.#ctx.tracer.emit(this.#ctx, { type: 'output', level: 'warning', category: 'debugger', message });
    return new Debugger({ clock, log: this.log, host, profile, ...debug, warn });
  }

  #createKubelet(memory?: KubeletDependencies['memory']): Kubelet {
    const options = this.#options;
    const { containerRuntime, clock, random, node } = options;
    const { storage, tokens, events } = this.api;
    return new Kubelet({
      containerRuntime,
      client: createKubeClient({
        storage,
        clock,
        random: options.jitter ?? random,
        nodeName: node.name,
        tokens,
      }),
      recorder: events,
      os: options.os,
      http: options.http,
      tcp: options.tcp,
      node,
      random,
      profile: options.profile,
      featureGates: options.featureGates,
      memory,
      ...(options.imageGC ? { imageGC: options.imageGC } : {}),
      ...(options.logRotation ? { logRotation: options.logRotation } : {}),
      ...(options.grpc ? { grpc: options.grpc } : {}),
      ...(options.cgroups ? { cgroups: options.cgroups } : {}),
      sources: ['api', ...staticSources(options)],
    });
  }

  #startHeartbeat(): void {
    const { clock, random, node, containerRuntime } = this.#options;
    const { storage, events } = this.api;
    const heartbeat = new NodeHeartbeat(
      // The node's heartbeat isn't traced, because it isn't part of a pod's flow.
      background(clock, new Tracer(), 'nodeStatus', this.#controller.signal),
      {
        storage,
        clock,
        random,
        nodeName: node.name,
        images: containerRuntime.images,
        errors: (now) => this.kubelet.nodeErrors(now),
        features: () => this.kubelet.nodeFeatures(),
        event: (own, reason) => events.nodeEvent(own, 'Normal', reason, `Node ${node.name} status is now: ${reason}`),
        ctx: this.context('kubelet'),
      },
    );
    heartbeat.start();
    this.#heartbeat = heartbeat;
    this.#controller.signal.addEventListener('abort', () => heartbeat.stop());
  }

  #past(): PastRun {
    return {
      id: this.#run,
      catalog: this.debugger.catalog,
      events: this.log.after(0),
      debug: this.debugger.state(),
      standsAt: (thread) => this.debugger.threads.get(thread)?.stop?.at,
    };
  }

  #maskText(text: string): string {
    return this.#secrets?.apply(text) ?? text;
  }

  /**
   * Reports that objects can't be written, or that they can be written again.
   * @param error why they can't be written; undefined once they can
   */
  #reportPersistence(error: unknown): void {
    const problem = 'Objects cannot be kept on disk';
    const message =
      error === undefined
        ? 'Objects are kept on disk again.'
        : `${problem} (${errorMessage(error)}): they stay in memory, and it is tried again.`;
    if (error !== undefined) this.#options.onError?.(problem, error);
    this.#ctx.tracer.emit(this.#ctx, { type: 'output', level: 'warning', message });
  }

  async #removePods(): Promise<void> {
    const { storage } = this.api;
    // Uses a new context, because the context of the loops is aborted and the removal has to finish.
    await this.kubelet.stopAllPods(background(this.clock, this.#ctx.tracer, 'shutdown'));
    for (const { metadata } of storage.list('Pod')) storage.remove('Pod', metadata.namespace, metadata.name);
  }

  #onPodChange({ type, object }: Change<'Pod'>): void {
    if (type === 'DELETED') this.debugger.podGone(object.metadata.uid);
    this.#tracePod(type, object);
    this.#kubelet.deliverPods();
  }

  /**
   * Logs a change of a pod. Changes of a mirror pod are logged under the UID of its static pod, whose worker handles
   * them.
   */
  #tracePod(operation: Change['type'], pod: Pod): void {
    const { name, namespace = '' } = pod.metadata;
    const ctx = { ...this.context('api'), pod: { uid: workerUID(pod), name, namespace } };
    ctx.tracer.emit(ctx, { type: 'podChanged', operation, object: { ...withoutManagedFields(pod) } });
  }
}

/** Returns the pod without its managed fields. */
function withoutManagedFields(pod: Pod): Pod {
  const { managedFields: _, ...metadata } = pod.metadata;
  return { ...pod, metadata };
}
