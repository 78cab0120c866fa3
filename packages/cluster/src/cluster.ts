/**
 * A cluster of one node, wired together: the API's objects, admission, the kubelet over a container runtime, and the event log that all of
 * them write to. Knows neither Node nor the browser; what needs a host is handed in.
 */
import { Debugger, type DebugHost } from '@podscope/debugger';
import { type Pod, workerUID } from '@podscope/k8s';
import { Kubelet, type KubeletDependencies } from '@podscope/kubelet';
import { syncPodSteps } from '@podscope/kuberuntime';
import type { NodeInfo } from '@podscope/protocol';
import {
  background,
  type Clock,
  type Context,
  describeError,
  EventLog,
  type Instant,
  type Milliseconds,
  type Timer,
  Tracer,
  withSignal,
  withThread,
} from '@podscope/trace';
import type { RunInfo } from '@podscope/trace/file';
import { forbidden, invalid } from './api-errors.ts';
import { blockVolumeErrors } from './block-volumes.ts';
import { ClusterCommands } from './cluster-commands.ts';
import type { ClusterOptions, RefusedPod, StaticPodSource, StopOptions } from './cluster-options.ts';
import { CommandTable } from './command-table.ts';
import { debugCommandHandlers } from './debug-commands.ts';
import { createDebugHost } from './debug-host.ts';
import { type ArchivedRun, type EventArchive, LiveFeed } from './event-feed.ts';
import { EventEncoder } from './event-json.ts';
import { StorageEventRecorder } from './event-recorder.ts';
import { collectGarbage } from './garbage-collector.ts';
import { createKubeClient } from './kube-client.ts';
import { finishNamespaces } from './namespace-controller.ts';
import { nodeCommandHandlers } from './node-commands.ts';
import { NodeHeartbeat } from './node-heartbeat.ts';
import { createNodeObjects } from './node-objects.ts';
import { type PastRun, pastCommandHandlers } from './past-commands.ts';
import { PersistenceQueue } from './persistence.ts';
import { findPolicyViolations, formatPolicyViolations } from './pod-security/policy.ts';
import { newUid, noChance } from './random.ts';
import { Registry, type RegistryOptions } from './registry.ts';
import { runCommandHandlers } from './run-commands.ts';
import type { RunLibrary } from './run-library.ts';
import { watchContainerEvents } from './runtime-events.ts';
import { SecretMask } from './secret-mask.ts';
import { TokenIssuer } from './service-account-token.ts';
import { keepDefaultServiceAccounts } from './service-accounts.ts';
import { Session, type Transport } from './session.ts';
import { type Change, Storage } from './storage.ts';
import { Strategies } from './strategies.ts';

/** The release the engine behaves like. */
export const kubernetesVersion = 'v1.36.2';

/** How often old events are looked for. */
const pruneInterval: Milliseconds = 60_000;

const staticSources = ({ staticPods = false }: ClusterOptions): readonly StaticPodSource[] =>
  typeof staticPods === 'boolean' ? (staticPods ? ['file'] : []) : staticPods;

/** Stands before the changes that come from outside, commands apart: sees how each is made, and says when. */
export type ChangeInterceptor = <T>(make: (cluster: Cluster) => T, proceed: () => Promise<T>) => Promise<T>;

/** One node and its API. */
export class Cluster {
  readonly storage: Storage;
  readonly registry: Registry;
  /** The registry for dry runs: it takes nothing from the run's chance, so that trying something changes nothing of what comes. */
  readonly rehearsal: Registry;
  /** Tokens of service accounts. */
  readonly tokens: TokenIssuer;
  readonly log: EventLog;
  readonly commands: ClusterCommands;
  /** What clients can ask for; features register more. */
  readonly commandTable: CommandTable;
  readonly debugger: Debugger;
  readonly clock: Clock;
  readonly #options: ClusterOptions;
  readonly #recorder: StorageEventRecorder;
  readonly #encoder = new EventEncoder((text) => this.#secrets?.apply(text) ?? text);
  #secrets: SecretMask | undefined;
  #interceptor: ChangeInterceptor | undefined;
  #archive: EventArchive | undefined;
  #library: RunLibrary | undefined;
  readonly #feed: LiveFeed;
  readonly #sessions = new Set<Session>();
  readonly #controller = new AbortController();
  readonly #ctx: Context;
  readonly #run: string;
  #startedAt: Instant;
  #runtime = { name: '', version: '' };
  #kubelet: Kubelet;
  /** Ends the kubelet that runs, and no other. */
  #kubeletController = new AbortController();
  #kubeletRun: Promise<void> = Promise.resolve();
  #heartbeat: NodeHeartbeat | undefined;
  #loops: Promise<unknown> = Promise.resolve();
  readonly #staticPods = new Map<StaticPodSource, readonly Pod[]>();
  #started = false;
  #timers: Timer[] = [];
  #podsDelivery: Timer | undefined;

  constructor(options: ClusterOptions) {
    const { clock, random, node, policy, containerRuntime } = options;
    this.#options = options;
    this.clock = clock;
    this.log = new EventLog(clock, options.retainedEvents);
    this.#feed = new LiveFeed(this.log, this.#encoder, () => this.#archive);
    const id = newUid(random);
    this.#run = options.run ?? id;
    this.#startedAt = clock.now();
    const mask = (text: string): string => this.#secrets?.apply(text) ?? text;
    const { profile, featureGates } = options;
    const maskText: DebugHost['mask'] = (text, place) => this.#secrets?.text(text, place) ?? text;
    const ctx = (): Context => this.context('debugger');
    const host = createDebugHost({ containerRuntime, profile, featureGates, kubelet: () => this.kubelet, ctx, mask: maskText });
    const warn = (message: string): void => this.#ctx.tracer.emit(this.#ctx, { type: 'output', level: 'warning', category: 'debugger', message });
    this.debugger = new Debugger({ clock, log: this.log, host, profile, ...options.debug, warn });
    this.#ctx = background(clock, new Tracer(this.log, this.debugger), 'node', this.#controller.signal);
    const retry = { clock: options.pacing ?? clock, report: (error: unknown) => this.#tellKept(error) };
    this.storage = new Storage(new PersistenceQueue(options.persistence, retry));
    const registry: RegistryOptions = {
      storage: this.storage,
      clock,
      random,
      strategies: new Strategies({
        nodeName: node.name,
        clock,
        serviceAccount: (namespace, name) => this.storage.get('ServiceAccount', namespace, name),
      }),
      admit: (kind, object) => {
        if (kind !== 'Pod') return;
        const impossible = blockVolumeErrors(object as Pod);
        if (impossible.length > 0) throw invalid('Pod', object.metadata.name, impossible);
        const violations = findPolicyViolations(object as Pod, policy);
        if (violations.length > 0) throw forbidden('pods', object.metadata.name, formatPolicyViolations(violations));
      },
    };
    this.registry = new Registry(registry);
    this.rehearsal = new Registry({ ...registry, random: noChance });
    this.#recorder = new StorageEventRecorder({ clock, storage: this.storage, nodeName: node.name, newUid: () => newUid(random) });
    this.tokens = new TokenIssuer({ storage: this.storage, clock, random: options.jitter ?? random, nodeName: node.name, signer: options.tokenSigner });
    this.#kubelet = this.#createKubelet(options.memory);
    this.commands = new ClusterCommands({
      registry: this.registry,
      rehearsal: this.rehearsal,
      storage: this.storage,
      kubelet: () => this.kubelet,
      ctx: this.context('api'),
    });
    this.commandTable = new CommandTable(
      nodeCommandHandlers(this.commands),
      debugCommandHandlers(this.debugger, this.context('debugger'), mask),
      pastCommandHandlers({ run: () => this.#past(), library: () => this.#library, pacing: this.pacing, mask }),
    );
    if (this.readOnly) this.commandTable.makeReadOnly();
  }

  /** Gives clients the runs that are kept, and what of this one memory has no longer. */
  offerRuns(library: RunLibrary): void {
    this.#library = library;
    this.commandTable.register(runCommandHandlers(library));
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

  /** The kubelet that runs, or ran last. */
  get kubelet(): Kubelet {
    return this.#kubelet;
  }

  #createKubelet(memory?: KubeletDependencies['memory']): Kubelet {
    const options = this.#options;
    const { containerRuntime, clock, random, node } = options;
    return new Kubelet({
      containerRuntime,
      client: createKubeClient({ storage: this.storage, clock, random: options.jitter ?? random, nodeName: node.name, tokens: this.tokens }),
      recorder: this.#recorder,
      os: options.os,
      http: options.http,
      tcp: options.tcp,
      node,
      random,
      profile: options.profile,
      featureGates: options.featureGates,
      memory,
      ...(options.imageGC ? { imageGC: options.imageGC } : {}),
      ...(options.grpc ? { grpc: options.grpc } : {}),
      ...(options.cgroups ? { cgroups: options.cgroups } : {}),
      sources: ['api', ...staticSources(options)],
    });
  }

  /**
   * Makes a change that comes from outside, other than as a command: one of kubectl, or of a manifest file. Whoever runs a node again makes
   * it again on another cluster, so `make` does all that it does at once, and to the cluster that it is given. Fails as `make` does.
   */
  async change<T>(make: (cluster: Cluster) => T): Promise<T> {
    const proceed = async (): Promise<T> => make(this);
    return this.#interceptor ? this.#interceptor(make, proceed) : proceed();
  }

  /** Puts an interceptor before all changes. */
  interceptChanges(interceptor: ChangeInterceptor): void {
    this.#interceptor = interceptor;
  }

  /** Real time, also where the node's own is virtual: what clients wait by. */
  get pacing(): Clock {
    return this.#options.pacing ?? this.clock;
  }

  /** Clients may look, and change nothing. */
  get readOnly(): boolean {
    return this.#options.readOnly ?? false;
  }

  /** A context on a thread of its own, for work that does not come from the kubelet's loops. */
  context(thread: string): Context {
    return withThread(this.#ctx, thread);
  }

  /** Reads back what was kept, and starts the kubelet. */
  async start(): Promise<void> {
    const { containerRuntime, clock, random, node, machine } = this.#options;
    const version = await containerRuntime.runtime.version(this.#ctx, {});
    this.#runtime = { name: version.runtimeName, version: version.runtimeVersion };
    await this.storage.load();
    await this.debugger.load();
    this.#started = true;
    if (!this.#options.showSecrets) this.#secrets = new SecretMask(this.storage);
    this.#startedAt = clock.now();
    this.#archive = this.#options.openArchive?.(this.recorded());
    createNodeObjects({
      storage: this.storage,
      clock,
      random,
      node,
      machine,
      containerRuntimeVersion: `${containerRuntime.name}://${version.runtimeVersion}`,
      kubeletVersion: kubernetesVersion,
      errors: this.kubelet.nodeErrors(clock.now()),
    });
    keepDefaultServiceAccounts({ storage: this.storage, clock, random });
    collectGarbage({ storage: this.storage, registry: this.registry, clock });
    finishNamespaces({ storage: this.storage, registry: this.registry, clock });
    // Untraced: that a node lives is no step of any pod's flow.
    const heartbeat = new NodeHeartbeat(
      {
        storage: this.storage,
        clock,
        random,
        nodeName: node.name,
        images: containerRuntime.images,
        errors: (now) => this.kubelet.nodeErrors(now),
        event: (own, reason) => this.#recorder.nodeEvent(own, 'Normal', reason, `Node ${node.name} status is now: ${reason}`),
        ctx: this.context('kubelet'),
      },
      background(clock, new Tracer(), 'nodeStatus', this.#controller.signal),
    );
    heartbeat.start();
    this.#heartbeat = heartbeat;
    this.#controller.signal.addEventListener('abort', () => heartbeat.stop());
    for (const pod of this.storage.list('Pod')) this.#tracePod('ADDED', pod);
    this.storage.watch('Pod', this.storage.resourceVersion, (change) => this.#onPodChange(change));
    this.#deliverPods();
    this.#schedulePruning();
    this.#loops = Promise.all([
      this.#runKubelet(),
      // v1.20 hears nothing between two relists: what it sees late, and in what order, is part of what it does.
      this.#options.profile === 'v1.20'
        ? Promise.resolve()
        : this.#guard(
            'Watching the runtime stopped',
            watchContainerEvents(this.context('runtimeEvents'), containerRuntime.runtime, () => this.kubelet.requestRelist()),
          ),
    ]);
  }

  /**
   * The kubelet's process ends at once, as killed, and another takes its place: what was in memory (back-offs, caches, the results of
   * probes) is lost, what is in the API and on disk is read again, and containers go on meanwhile.
   * @param whileDown what happens to the machine before the new one starts. When it fails, so does this, once the kubelet runs again.
   */
  async restartKubelet(whileDown: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const tell = (message: string): void => this.#ctx.tracer.emit(this.#ctx, { type: 'output', level: 'warning', message });
    this.#kubeletController.abort(new DOMException('The kubelet is restarted.', 'AbortError'));
    tell('The kubelet is gone, with all that it had in memory.');
    await this.#kubeletRun;
    try {
      await whileDown();
    } finally {
      if (!this.#controller.signal.aborted) {
        this.#kubelet = this.#createKubelet();
        this.#kubeletController = new AbortController();
        for (const [source, pods] of this.#staticPods) this.#kubelet.podConfig.set(source, pods);
        this.#deliverPods();
        tell('Another kubelet starts.');
        void this.#runKubelet();
      }
    }
  }

  #runKubelet(): Promise<void> {
    const { signal } = this.#kubeletController;
    this.#heartbeat?.kubeletStarted();
    this.#kubeletRun = this.#guard('The kubelet stopped', this.kubelet.run(withSignal(this.context('syncLoop'), signal)), signal);
    return this.#kubeletRun;
  }

  /**
   * Ends the kubelet's loops and the clients' sessions. Pods are ended too, each with its grace period, and removed from runtime and API,
   * unless they are to be kept. The runtime stays open: it is its maker's.
   */
  async stop({ keepPods = true, reason = 'The server stops.', next }: StopOptions = {}): Promise<void> {
    this.#podsDelivery?.cancel();
    for (const timer of this.#timers) timer.cancel();
    // What stands still goes on: the loops below wait for it.
    this.debugger.close();
    this.#controller.abort(new DOMException(reason, 'AbortError'));
    await Promise.all([this.#loops, this.#kubeletRun]);
    try {
      if (!keepPods && this.#started) await this.#removePods();
      await this.debugger.saved();
      await this.storage.saved();
    } finally {
      for (const session of this.#sessions) session.end(1001, reason, next);
      this.#archive?.close();
    }
  }

  /** @param error why objects can't be kept; undefined: they are again */
  #tellKept(error: unknown): void {
    const problem = 'Objects cannot be kept on disk';
    const message =
      error === undefined
        ? 'Objects are kept on disk again.'
        : `${problem} (${error instanceof Error ? error.message : 'no reason is known'}): they stay in memory, and it is tried again.`;
    if (error !== undefined) this.#options.onError?.(problem, error);
    this.#ctx.tracer.emit(this.#ctx, { type: 'output', level: 'warning', message });
  }

  async #removePods(): Promise<void> {
    // The loops' context is over; what follows has to come to its end.
    await this.kubelet.stopAllPods(background(this.clock, this.#ctx.tracer, 'shutdown'));
    for (const { metadata } of this.storage.list('Pod')) this.storage.remove('Pod', metadata.namespace, metadata.name);
  }

  /** Says what all static pods of a source are from now on. The policy holds for them too: those it refuses are left out and returned. */
  setStaticPods(pods: readonly Pod[], source: StaticPodSource = 'file'): readonly RefusedPod[] {
    const judged = pods.map((pod) => ({ pod, violations: findPolicyViolations(pod, this.#options.policy) }));
    const admitted = judged.filter(({ violations }) => violations.length === 0).map(({ pod }) => pod);
    this.#staticPods.set(source, admitted);
    this.kubelet.podConfig.set(source, admitted);
    return judged.filter(({ violations }) => violations.length > 0).map(({ pod, violations }) => ({ pod, message: formatPolicyViolations(violations) }));
  }

  /** What the page shows of this node. */
  nodeInfo(): NodeInfo {
    const { node, version, runtimeKind, containerRuntime, notices = [], profile = 'v1.36', featureGates, repeats } = this.#options;
    return {
      run: this.#run,
      startedAt: this.#startedAt,
      repeats,
      version,
      nodeName: node.name,
      runtime: { ...this.#runtime, kind: runtimeKind },
      notices: [...notices, ...containerRuntime.deviations()],
      profile,
      steps: syncPodSteps(profile, featureGates).map(({ id, step, title, description }) => ({
        id,
        step: step ?? 0,
        title,
        description: description ?? '',
      })),
      readOnly: this.readOnly,
      kubeconfig: this.#options.kubeconfig,
    };
  }

  /** What is kept of this run beside its events. */
  #runInfo(): RunInfo {
    const { run: id, startedAt, repeats, nodeName, runtime, profile, steps } = this.nodeInfo();
    return { id, startedAt, repeats, nodeName, runtime, profile, steps, engine: kubernetesVersion, tags: [], notes: [] };
  }

  /** This run as it may leave the node: what it is, and its events with secrets taken out. */
  recorded(): ArchivedRun {
    return { info: this.#runInfo(), log: this.log, encode: (event) => this.#encoder.encode(event) };
  }

  /** How many clients there are. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Serves a client until the transport is closed: then call the session's `closed`. */
  connect(transport: Transport): Session {
    // Who can't let a stopped thread go on must not be a reason to stop it.
    const detach = this.readOnly ? () => undefined : this.debugger.attach();
    const session = new Session(
      {
        events: this.#feed,
        node: () => this.nodeInfo(),
        pods: () => this.storage.list('Pod').map(withoutManagedFields),
        commands: this.commandTable,
        pacing: this.pacing,
        time: this.#options.time,
        debug: () => this.debugger.state(),
        onClosed: () => {
          this.#sessions.delete(session);
          detach();
        },
      },
      transport,
    );
    this.#sessions.add(session);
    return session;
  }

  #onPodChange({ type, object }: Change<'Pod'>): void {
    if (type === 'DELETED') this.debugger.podGone(object.metadata.uid);
    this.#tracePod(type, object);
    this.#deliverPods();
  }

  /** A turn later: a change the kubelet itself makes must not come back into the middle of what it does. */
  #deliverPods(): void {
    if (this.#controller.signal.aborted) return;
    this.#podsDelivery ??= this.clock.schedule(0, () => {
      this.#podsDelivery = undefined;
      const own = this.storage.list('Pod').filter(({ spec }) => spec.nodeName === this.#options.node.name);
      this.kubelet.podConfig.set('api', own);
    });
  }

  /** A mirror pod is a static pod as the API shows it: its changes are told of the pod that has the worker. */
  #tracePod(operation: Change['type'], pod: Pod): void {
    const { name, namespace = '' } = pod.metadata;
    const ctx = { ...this.context('api'), pod: { uid: workerUID(pod), name, namespace } };
    ctx.tracer.emit(ctx, { type: 'podChanged', operation, object: { ...withoutManagedFields(pod) } });
  }

  #schedulePruning(): void {
    this.#timers = [
      this.clock.schedule(pruneInterval, () => {
        this.#recorder.prune();
        this.#schedulePruning();
      }),
    ];
  }

  async #guard(what: string, loop: Promise<void>, signal: AbortSignal = this.#controller.signal): Promise<void> {
    try {
      await loop;
    } catch (error) {
      if (this.#controller.signal.aborted || signal.aborted) return;
      this.#ctx.tracer.emit(this.#ctx, { type: 'output', level: 'error', message: `${what}: ${describeError(error).message}` });
      this.#options.onError?.(what, error);
    }
  }
}

/** Who wrote which field interests nobody who watches the pod. */
function withoutManagedFields(pod: Pod): Pod {
  const { managedFields: _, ...metadata } = pod.metadata;
  return { ...pod, metadata };
}
