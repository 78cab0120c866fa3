/** Provides the dependencies of the runtime manager, with the fake runtime, for tests of single functions. */
import type { ContainerLogLine } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import { background, type Context, instant, Tracer, VirtualClock } from '@podscope/trace';
import { NodeRuntimeHelper } from '../helper/runtime-helper.ts';
import { ImageManager } from '../images/image-manager.ts';
import { noResourceManagers } from '../lifecycle/internal-lifecycle.ts';
import { MemoryOS } from '../memory-os.ts';
import { runtimeGates } from '../profiles/gates.ts';
import { profileV136 } from '../profiles/v1-36/profile.ts';
import { ActuatedResources } from '../resize/actuated-resources.ts';
import type { PodStateProvider, PodStatus, Status } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { type FakeRules, fakeRulesV136 } from './fake-rules.ts';
import { FakeImageService, FakeNode, FakeRuntimeService } from './fake-runtime.ts';

interface TestEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly container: string | undefined;
}

export interface TestStage {
  readonly ctx: Context;
  readonly clock: VirtualClock;
  readonly os: MemoryOS;
  readonly fake: FakeNode;
  readonly dependencies: RuntimeDependencies;
  readonly events: TestEvent[];
  /** The URLs that hooks requested. */
  readonly requests: string[];
}

export interface TestStageOptions {
  readonly dependencies?: Partial<RuntimeDependencies>;
  readonly rules?: FakeRules;
  readonly images?: readonly string[];
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly podState?: Partial<PodStateProvider>;
  readonly logLines?: readonly string[];
}

export const testPod = (spec: Partial<Pod['spec']> = {}, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'uid-1', ...metadata },
  spec: { containers: [{ name: 'app', image: 'busybox:1.36' }], enableServiceLinks: true, ...spec },
});

export const testStatus = (name: string, status: Partial<Status> = {}): Status => ({
  id: { type: 'fake', id: `${name}-1` },
  name,
  state: 'running',
  createdAt: instant(1000),
  exitCode: 0,
  image: '',
  imageID: '',
  imageRef: '',
  hash: 0,
  restartCount: 0,
  reason: '',
  message: '',
  ...status,
});

export const testPodStatus = (
  containerStatuses: readonly Status[] = [],
  status: Partial<PodStatus> = {},
): PodStatus => ({
  id: 'uid-1',
  name: 'web',
  namespace: 'default',
  ips: [],
  containerStatuses,
  activeContainerStatuses: [],
  sandboxStatuses: [],
  timestamp: instant(0),
  ...status,
});

export function testStage(options: TestStageOptions = {}): TestStage {
  const clock = new VirtualClock();
  const ctx = background(clock, new Tracer());
  const os = new MemoryOS();
  const events: TestEvent[] = [];
  const requests: string[] = [];
  const fake = new FakeNode({
    clock,
    os,
    rules: options.rules ?? fakeRulesV136,
    images: options.images ?? [],
    imageUsers: {},
    stopExitCode: undefined,
  });
  fake.recording = true;
  const recorder: RuntimeDependencies['recorder'] = {
    event: (_ctx, _pod, type, reason, message, container) =>
      void events.push({ type, reason, message, container: container?.name }),
    nodeEvent: (_ctx, type, reason, message) => void events.push({ type, reason, message, container: undefined }),
  };
  const images = new FakeImageService(fake);
  const profile = options.dependencies?.profile ?? profileV136;
  const gates = runtimeGates(profile.gates, options.gates);
  const helper = new NodeRuntimeHelper({
    node: {
      ips: ['192.0.2.10'],
      rootDir: '/var/lib/kubelet',
      clusterDNS: ['10.96.0.10'],
      clusterDomain: 'cluster.local',
      readResolvConf: () => Promise.resolve('nameserver 192.0.2.53\n'),
      readHostsFile: () => Promise.resolve('127.0.0.1\tlocalhost\n'),
      cgroupDriver: 'cgroupfs',
      cgroupsPerQOS: true,
      allocatable: { cpu: '4', memory: '8Gi' },
    },
    os,
    recorder,
    sources: {
      getConfigMap: () => Promise.resolve(undefined),
      getSecret: () => Promise.resolve(undefined),
      listServices: () => Promise.resolve([]),
    },
    mountedVolumes: () => new Map(),
    isPodTerminationRequested: () => false,
    onPodSandboxReady: () => Promise.resolve(),
    profile: profile.helper,
  });
  const dependencies: RuntimeDependencies = {
    profile,
    gates,
    runtimeName: 'fake',
    runtime: new FakeRuntimeService(fake),
    images,
    logs: { containerLogs: () => logOf(options.logLines ?? []) },
    imageManager: new ImageManager({ images, recorder, gates }),
    helper,
    os,
    recorder,
    liveness: { get: () => undefined },
    startup: { get: () => undefined },
    http: { get: ({ url }) => Promise.resolve(requests.push(url)) },
    node: {
      memoryBytes: 8 * 1024 ** 3,
      hugePageSizes: [],
      cpuCFSQuota: true,
      cgroupVersion: 2,
      seccompDefault: false,
      seccompProfileRoot: '/var/lib/kubelet/seccomp',
    },
    podState: {
      isPodTerminationRequested: () => false,
      shouldPodContentBeRemoved: () => false,
      shouldPodRuntimeBeRemoved: () => false,
      ...options.podState,
    },
    actuated: new ActuatedResources(),
    cgroups: undefined,
    requestReinspect: () => undefined,
    lookupRuntimeHandler: () => Promise.resolve(undefined),
    podLogsDir: '/var/log/pods',
    internalLifecycle: noResourceManagers,
    legacyLogDir: undefined,
    random: () => 0,
    ...options.dependencies,
  };
  return { ctx, clock, os, fake, dependencies, events, requests };
}

async function* logOf(lines: readonly string[]): AsyncGenerator<ContainerLogLine> {
  for (const text of lines) yield await Promise.resolve({ time: instant(0), stream: 'stdout' as const, text });
}
