/** Implements the runtime manager in memory, for tests of the kubelet. Its sandboxes and containers follow a script. */
import type { PodSandboxStatus } from '@podscope/cri';
import type { Pod, Secret } from '@podscope/k8s';
import {
  type Backoff,
  type ContainerID,
  formatPod,
  type GCPolicy,
  type PodStatus,
  PodSyncResult,
  type Runtime,
  type RuntimePod,
  type Status,
  SyncError,
  shouldContainerBeRestarted,
} from '@podscope/kuberuntime';
import { type Clock, type Context, instant, sleep, toNanoseconds } from '@podscope/trace';
import { featureGates } from '../features.ts';

interface FakePod {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  sandboxes: PodSandboxStatus[];
  containers: (Status & { readonly sandbox: string })[];
}

/** How a container behaves: whether it exits by itself, and how long it ignores the stop signal. */
export interface ContainerScript {
  readonly exitAfterMs?: number;
  readonly exitCode?: number;
  readonly stopAfterMs?: number;
  /** The error with which the start fails. */
  readonly startError?: { readonly error: string; readonly message: string };
}

export class FakeRuntime implements Runtime {
  readonly type = 'fake';
  readonly pods = new Map<string, FakePod>();
  /** The scripts by container name. */
  readonly scripts = new Map<string, ContainerScript>();
  /**
   * The calls in order, each with the seconds since the clock's start and its arguments, like `0.1 start app` or
   * `5.0 kill web_default grace=30`.
   */
  readonly calls: string[] = [];
  conditions = [
    { type: 'RuntimeReady', status: true, reason: '', message: '' },
    { type: 'NetworkReady', status: true, reason: '', message: '' },
  ];
  listError: Error | undefined;
  statusError: Error | undefined;
  /** How many of the next garbage collections remove nothing. */
  busyCollections = 0;
  readonly #clock: Clock;
  readonly #start: number;
  #ids = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#start = clock.now();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  isPodResizeInProgress(): boolean {
    return false;
  }

  updateActuatedPodLevelResources(): void {}

  async getPods(_ctx: Context, all: boolean): Promise<readonly RuntimePod[]> {
    if (this.listError) throw this.listError;
    return [...this.pods.values()]
      .map((pod) => this.#runtimePod(pod, all))
      .filter(({ containers, sandboxes }) => containers.length + sandboxes.length > 0);
  }

  async getPod(ctx: Context, uid: string): Promise<RuntimePod | undefined> {
    return (await this.getPods(ctx, true)).find(({ id }) => id === uid);
  }

  #runtimePod(pod: FakePod, all: boolean): RuntimePod {
    return {
      id: pod.uid,
      name: pod.name,
      namespace: pod.namespace,
      createdAt: instant(0),
      containers: pod.containers
        .filter(({ state }) => all || state === 'running')
        .map((status) => ({ ...status, podSandboxID: status.sandbox })),
      sandboxes: pod.sandboxes
        .filter(({ state }) => all || state === 'SANDBOX_READY')
        .map((sandbox) => ({
          id: { type: this.type, id: sandbox.id },
          name: 'POD',
          image: '',
          imageID: '',
          hash: 0,
          state: sandbox.state === 'SANDBOX_READY' ? 'running' : 'exited',
          createdAt: instant(Number(sandbox.createdAt / 1_000_000n)),
          podSandboxID: sandbox.id,
        })),
    };
  }

  async getPodStatus(_ctx: Context, { id, name, namespace }: RuntimePod): Promise<PodStatus> {
    if (this.statusError) throw this.statusError;
    const pod = this.pods.get(id);
    const newest = pod?.sandboxes[0];
    const ready = newest?.state === 'SANDBOX_READY';
    const containerStatuses = pod?.containers ?? [];
    return {
      id,
      name,
      namespace,
      ips: ready && newest.network?.ip ? [newest.network.ip] : [],
      containerStatuses: [...containerStatuses],
      activeContainerStatuses: ready ? containerStatuses.filter(({ sandbox }) => sandbox === newest.id) : [],
      sandboxStatuses: pod?.sandboxes ?? [],
      timestamp: this.#clock.now(),
    };
  }

  async syncPod(
    _ctx: Context,
    pod: Pod,
    _status: PodStatus,
    _secrets: readonly Secret[],
    backOff: Backoff,
  ): Promise<PodSyncResult> {
    const result = new PodSyncResult();
    const own = this.#pod(pod);
    const status = await this.getPodStatus(_ctx, { ...this.#runtimePod(own, true) });
    const gates = featureGates();
    const wanted = pod.spec.containers.filter((container) => shouldContainerBeRestarted(container, pod, status, gates));
    const runs = pod.spec.containers.some(
      ({ name }) => status.containerStatuses.find((found) => found.name === name)?.state === 'running',
    );
    if (wanted.length === 0) {
      if (!runs) this.#stopSandboxes(own);
      return result;
    }
    const sandbox =
      own.sandboxes[0]?.state === 'SANDBOX_READY' ? own.sandboxes[0] : this.#createSandbox(own, result, pod);
    for (const container of wanted) {
      const started = result.add('StartContainer', container.name);
      const last = status.containerStatuses.find(({ name }) => name === container.name);
      const key = `${pod.metadata.uid}/${container.name}`;
      if (last?.state === 'exited' && last.finishedAt !== undefined) {
        if (backOff.isInBackOffSince(key, last.finishedAt)) {
          const delay = backOff.get(key);
          const failed = `container=${container.name} pod=${formatPod(pod)}`;
          const message = `back-off ${delay / 1000}s restarting failed ${failed}`;
          started.fail(new SyncError('CrashLoopBackOff', { backoffExpiration: last.finishedAt + delay }), message);
          continue;
        }
        backOff.next(key, last.finishedAt);
      }
      const { startError } = this.scripts.get(container.name) ?? {};
      if (startError) started.fail(new SyncError(startError.error), startError.message);
      else this.#startContainer(own, sandbox.id, container.name, container.image ?? '', (last?.restartCount ?? -1) + 1);
    }
    return result;
  }

  async killPod(ctx: Context, pod: Pod | undefined, running: RuntimePod, grace?: number): Promise<void> {
    const own = this.pods.get(running.id);
    this.#call(
      `kill ${running.name}_${running.namespace} grace=${grace ?? pod?.spec.terminationGracePeriodSeconds ?? 'none'}`,
    );
    if (!own) return;
    await Promise.all(
      own.containers
        .filter(({ state }) => state === 'running')
        .map(async ({ id, name }) => {
          const stopAfter = this.scripts.get(name)?.stopAfterMs ?? 0;
          const limit = Math.max(2, grace ?? pod?.spec.terminationGracePeriodSeconds ?? 30) * 1000;
          if (stopAfter > 0) await sleep(ctx.clock, Math.min(stopAfter, limit), ctx.signal);
          this.exit(id.id, stopAfter > limit ? 137 : 0);
        }),
    );
    this.#stopSandboxes(own);
  }

  async deleteContainer(_ctx: Context, id: ContainerID): Promise<void> {
    this.#call(`remove ${id.id}`);
    for (const pod of this.pods.values())
      pod.containers = pod.containers.filter((container) => container.id.id !== id.id);
  }

  async garbageCollect(_ctx: Context, policy: GCPolicy, _ready: boolean, evict: boolean): Promise<void> {
    if (!evict || policy.maxPerPodContainer > 0 || this.busyCollections-- > 0) return;
    for (const pod of this.pods.values()) {
      pod.containers = pod.containers.filter(({ state }) => state === 'running');
      pod.sandboxes = pod.sandboxes.filter(({ state }) => state === 'SANDBOX_READY');
    }
  }

  async status(): ReturnType<Runtime['status']> {
    return { conditions: this.conditions };
  }

  /** Makes a running container exit. */
  exit(id: string, exitCode: number): void {
    for (const pod of this.pods.values()) {
      pod.containers = pod.containers.map((container) =>
        container.id.id === id && container.state === 'running'
          ? {
              ...container,
              state: 'exited',
              exitCode,
              reason: exitCode === 0 ? 'Completed' : 'Error',
              finishedAt: this.#clock.now(),
            }
          : container,
      );
    }
  }

  /** Removes a container or sandbox as another user of the runtime would. */
  removeExternally(id: string): void {
    for (const pod of this.pods.values()) {
      pod.containers = pod.containers.filter((container) => container.id.id !== id);
      pod.sandboxes = pod.sandboxes.filter((sandbox) => sandbox.id !== id);
    }
  }

  /** Adds a running container that no kubelet has started. */
  addRunningContainer(uid: string, name: string, namespace: string, container: string): void {
    const pod: FakePod = { uid, name, namespace, sandboxes: [], containers: [] };
    this.pods.set(uid, pod);
    const sandbox = this.#newSandbox(pod);
    this.#startContainer(pod, sandbox.id, container, 'busybox', 0);
  }

  #pod(pod: Pod): FakePod {
    const { uid, name, namespace = '' } = pod.metadata;
    const found = this.pods.get(uid) ?? { uid, name, namespace, sandboxes: [], containers: [] };
    this.pods.set(uid, found);
    return found;
  }

  #createSandbox(own: FakePod, result: PodSyncResult, pod: Pod): PodSandboxStatus {
    result.add('CreatePodSandbox', formatPod(pod));
    this.#call(`sandbox ${own.name}`);
    return this.#newSandbox(own);
  }

  #newSandbox(own: FakePod): PodSandboxStatus {
    const attempt = (own.sandboxes[0]?.metadata.attempt ?? -1) + 1;
    const sandbox: PodSandboxStatus = {
      id: `${own.name}-sandbox-${attempt}`,
      metadata: { name: own.name, namespace: own.namespace, uid: own.uid, attempt },
      state: 'SANDBOX_READY',
      createdAt: toNanoseconds(this.#clock.now()),
      network: { ip: '10.0.0.7', additionalIps: [] },
      labels: {},
      annotations: {},
    };
    own.sandboxes = [sandbox, ...own.sandboxes];
    return sandbox;
  }

  #stopSandboxes(own: FakePod): void {
    own.sandboxes = own.sandboxes.map((sandbox) => ({ ...sandbox, state: 'SANDBOX_NOTREADY' }));
  }

  #startContainer(own: FakePod, sandbox: string, name: string, image: string, restartCount: number): void {
    const id = `${own.name}-${name}-${restartCount}-${++this.#ids}`;
    this.#call(`start ${name}`);
    own.containers = [
      {
        id: { type: this.type, id },
        name,
        state: 'running',
        createdAt: this.#clock.now(),
        startedAt: this.#clock.now(),
        exitCode: 0,
        image,
        imageID: image,
        imageRef: image,
        hash: 0,
        restartCount,
        reason: '',
        message: '',
        sandbox,
      },
      ...own.containers,
    ];
    const { exitAfterMs, exitCode = 0 } = this.scripts.get(name) ?? {};
    if (exitAfterMs !== undefined) this.#clock.schedule(exitAfterMs, () => this.exit(id, exitCode));
  }

  #call(text: string): void {
    this.calls.push(`${((this.#clock.now() - this.#start) / 1000).toFixed(1)} ${text}`);
  }
}
