/** Runs a kubelet on a virtual clock with an in-memory API and a scripted runtime. */
import type { ContainerRuntime } from '@podscope/cri';
import { UnimplementedImageService, UnimplementedRuntimeService } from '@podscope/cri';
import type { ConfigMap, Node, Pod, Secret } from '@podscope/k8s';
import { MemoryOS } from '@podscope/kuberuntime';
import { createSimulator, type SimulatedRuntime, type SimulatorOptions } from '@podscope/simulated-runtime';
import {
  background,
  EventLog,
  type Instant,
  instant,
  type TraceEvent,
  type TraceEventOf,
  type TraceEventType,
  Tracer,
  VirtualClock,
} from '@podscope/trace';
import type {
  CgroupManager,
  KubeClient,
  KubeletDependencies,
  ServiceAccountToken,
  TokenRequest,
} from '../dependencies.ts';
import { Kubelet } from '../kubelet.ts';
import { FakeRuntime } from './fake-runtime.ts';

/** Returns a pod with one container `app` and the defaults that the API server sets. */
export const newPod = (
  name: string,
  spec: Partial<Pod['spec']> = {},
  metadata: Partial<Pod['metadata']> = {},
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
  spec: {
    containers: [{ name: 'app', image: 'busybox:1.36' }],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    ...spec,
  },
});

export interface RecordedEvent {
  readonly at: number;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly pod: string;
}

/** The part of the API server that the kubelet uses. */
export class FakeApi implements KubeClient {
  readonly pods = new Map<string, Pod>();
  readonly secrets = new Map<string, Secret>();
  readonly configMaps = new Map<string, ConfigMap>();
  node: Node | undefined = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1', uid: 'node-uid', labels: { disk: 'ssd' } },
  };
  onChange: () => void = () => undefined;
  /** Returns the time from which the expiry of tokens counts. */
  now: () => Instant = () => instant(Date.UTC(2026, 0, 1));

  list(): readonly Pod[] {
    return [...this.pods.values()];
  }

  apply(pod: Pod): void {
    this.pods.set(pod.metadata.name, pod);
    this.onChange();
  }

  /** Deletes a pod like `kubectl delete`. With a grace period of 0, the object is removed at once. */
  delete(name: string, gracePeriodSeconds?: number): void {
    const pod = this.pods.get(name);
    if (!pod) return;
    const grace = gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
    if (grace === 0) this.pods.delete(name);
    else {
      const metadata = {
        ...pod.metadata,
        deletionTimestamp: '2026-01-01T00:00:30Z',
        deletionGracePeriodSeconds: grace,
      };
      this.pods.set(name, { ...pod, metadata });
    }
    this.onChange();
  }

  async getPod(_namespace: string, name: string): Promise<Pod | undefined> {
    return this.pods.get(name);
  }

  async patchPodStatus(
    _namespace: string,
    name: string,
    uid: string,
    status: NonNullable<Pod['status']>,
  ): Promise<Pod | undefined> {
    const pod = this.pods.get(name);
    if (pod?.metadata.uid !== uid) return undefined;
    const patched = { ...pod, status };
    this.apply(patched);
    return patched;
  }

  async deletePod(_namespace: string, name: string, uid: string): Promise<boolean> {
    if (this.pods.get(name)?.metadata.uid !== uid) return false;
    this.pods.delete(name);
    this.onChange();
    return true;
  }

  async createPod(pod: Pod): Promise<Pod> {
    const created = { ...pod, metadata: { ...pod.metadata, uid: `mirror-${pod.metadata.name}` } };
    this.apply(created);
    return created;
  }

  async getSecret(_namespace: string, name: string): Promise<Secret | undefined> {
    return this.secrets.get(name);
  }

  async getConfigMap(_namespace: string, name: string): Promise<ConfigMap | undefined> {
    return this.configMaps.get(name);
  }

  async getRuntimeClass(): Promise<undefined> {
    return undefined;
  }

  async createServiceAccountToken(
    namespace: string,
    name: string,
    { expirationSeconds, audiences }: TokenRequest,
  ): Promise<ServiceAccountToken> {
    return {
      token: `token of ${namespace}/${name} for ${audiences.join(',')}`,
      expires: instant(this.now() + expirationSeconds * 1000),
    };
  }

  async listServices(): Promise<readonly []> {
    return [];
  }

  async getNode(): Promise<Node | undefined> {
    return this.node;
  }
}

export interface KubeletHarnessOptions {
  /**
   * The options of the simulated runtime that the runtime manager drives. Absent: a fake runtime manager replaces
   * manager and runtime.
   */
  readonly simulator?: Partial<SimulatorOptions>;
  readonly sources?: KubeletDependencies['sources'];
  readonly random?: () => number;
  readonly clock?: VirtualClock;
  readonly runtime?: FakeRuntime;
  readonly api?: FakeApi;
  readonly os?: MemoryOS;
  readonly profile?: KubeletDependencies['profile'];
  readonly standalone?: boolean;
  readonly cgroups?: CgroupManager;
  readonly imageGC?: KubeletDependencies['imageGC'];
  /** The simulated runtime of an earlier harness, with its containers. */
  readonly simulatedRuntime?: SimulatedRuntime;
}

/** Runs a kubelet with the fakes that a test needs. */
export class KubeletHarness {
  readonly clock: VirtualClock;
  readonly log: EventLog;
  readonly api: FakeApi;
  readonly os: MemoryOS;
  readonly runtime: FakeRuntime;
  readonly events: RecordedEvent[] = [];
  readonly nodeEvents: RecordedEvent[] = [];
  readonly kubelet: Kubelet;
  readonly simulator: SimulatedRuntime | undefined;
  readonly #start: number;
  readonly #controller = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: KubeletHarnessOptions = {}) {
    this.clock = options.clock ?? new VirtualClock();
    this.#start = this.clock.now();
    this.log = new EventLog(this.clock);
    this.api = options.api ?? new FakeApi();
    this.api.now = () => this.clock.now();
    this.os = options.os ?? new MemoryOS();
    this.runtime = options.runtime ?? new FakeRuntime(this.clock);
    const fakeRuntime: ContainerRuntime = {
      name: 'fake',
      runtime: new (class extends UnimplementedRuntimeService {})(),
      images: new (class extends UnimplementedImageService {})(),
      logs: {
        async *containerLogs(_ctx, id) {
          yield { time: 0 as never, stream: 'stdout', text: `log of ${id}` };
        },
      },
      deviations: () => [],
      close: async () => undefined,
    };
    this.simulator =
      options.simulatedRuntime ??
      (options.simulator
        ? createSimulator({
            clock: this.clock,
            hostFiles: this.os,
            ...(options.profile ? { release: options.profile } : {}),
            ...options.simulator,
          })
        : undefined);
    const containerRuntime = this.simulator ?? fakeRuntime;
    const { simulator } = this;
    this.kubelet = new Kubelet(
      {
        containerRuntime,
        client: this.api,
        os: this.os,
        http: simulator?.network ?? { get: () => Promise.reject(new Error('connection refused')) },
        tcp: simulator && {
          connect: ({ host, port, timeoutMs, signal }) => simulator.network.dial(host, port, timeoutMs, signal),
        },
        recorder: {
          event: (_ctx, pod, type, reason, message) => {
            this.events.push({ at: this.now, type, reason, message, pod: pod.metadata.name });
          },
          nodeEvent: (_ctx, type, reason, message) => {
            this.nodeEvents.push({ at: this.now, type, reason, message, pod: '' });
          },
        },
        node: {
          name: 'node-1',
          ips: ['192.0.2.10'],
          rootDir: '/var/lib/kubelet',
          podLogsDir: '/var/log/pods',
          legacyLogDir: '/var/log/containers',
          memoryBytes: 8 * 1024 ** 3,
          cpus: 4,
          hugePageSizes: [],
          clusterDNS: [],
          clusterDomain: 'cluster.local',
          readResolvConf: async () => '',
          readHostsFile: async () => '',
          cgroupDriver: 'cgroupfs',
          cgroupVersion: 2,
          cgroupsPerQOS: options.cgroups !== undefined,
          cpuCFSQuota: true,
          seccompDefault: false,
          maxPods: 110,
        },
        random: options.random ?? (() => 0),
        sources: options.sources,
        profile: options.profile,
        standalone: options.standalone,
        ...(options.imageGC ? { imageGC: options.imageGC } : {}),
        ...(options.cgroups ? { cgroups: options.cgroups } : {}),
      },
      simulator ? undefined : () => this.runtime,
    );
    this.api.onChange = () => this.kubelet.podConfig.set('api', this.api.list());
  }

  /** Returns the seconds since the harness was created. */
  get now(): number {
    return (this.clock.now() - this.#start) / 1000;
  }

  /** Starts the kubelet with the pods of the API. */
  async start(): Promise<void> {
    this.api.onChange();
    const ctx = background(this.clock, new Tracer(this.log), 'main', this.#controller.signal);
    this.#running = this.kubelet.run(ctx);
    await this.clock.settle();
  }

  /** Ends the run and waits until the kubelet has stopped. */
  async stop(): Promise<void> {
    this.#controller.abort(new Error('stopped'));
    await this.#running;
  }

  /** Advances the clock to `seconds` since the start. */
  async until(seconds: number): Promise<void> {
    await this.clock.advanceTo((this.#start + seconds * 1000) as never);
  }

  ofType<T extends TraceEventType>(type: T): readonly TraceEventOf<T>[] {
    return this.log.after(0).filter((event: TraceEvent): event is TraceEventOf<T> => event.type === type);
  }

  status(name: string): NonNullable<Pod['status']> {
    return this.api.pods.get(name)?.status ?? {};
  }
}
