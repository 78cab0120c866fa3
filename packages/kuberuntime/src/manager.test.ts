/** Tests the runtime manager with the simulated runtime: pods from their creation to their removal, through CRI. */
import { createRandom } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import { createSimulator, noLatencies, type SimulatedRuntime } from '@podscope/simulated-runtime';
import { background, type Context, instant, Tracer, VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { Backoff } from './flowcontrol/backoff.ts';
import { NodeRuntimeHelper } from './helper/runtime-helper.ts';
import { KubeGenericRuntimeManager } from './manager.ts';
import { MemoryOS } from './memory-os.ts';
import { convertPodStatusToRunningPod, type PodStatus, type RuntimePod } from './runtime.ts';
import type { PodSyncResult } from './sync/sync-result.ts';
import { testPod } from './testing/test-stage.ts';

class Node {
  readonly clock = new VirtualClock();
  readonly ctx: Context = background(this.clock, new Tracer());
  readonly os = new MemoryOS();
  readonly events: string[] = [];
  readonly simulator: SimulatedRuntime;
  readonly manager: KubeGenericRuntimeManager;
  readonly #backOff = new Backoff(this.clock, { initial: 10_000, max: 300_000 });

  constructor() {
    this.simulator = createSimulator({
      clock: this.clock,
      random: createRandom(1),
      latencies: noLatencies,
      hostFiles: this.os,
      images: ['busybox:1.36'],
    });
    const recorder = {
      event: (_ctx: Context, _pod: Pod, _type: string, reason: string): void => void this.events.push(reason),
      nodeEvent: (): void => undefined,
    };
    const helper = new NodeRuntimeHelper({
      node: {
        ips: ['192.168.49.2'],
        rootDir: '/var/lib/kubelet',
        clusterDNS: ['10.96.0.10'],
        clusterDomain: 'cluster.local',
        readHostsFile: () => Promise.resolve(''),
        cgroupDriver: 'cgroupfs',
        cgroupsPerQOS: true,
        allocatable: {},
      },
      os: this.os,
      recorder,
      sources: {
        getConfigMap: () => Promise.resolve(undefined),
        getSecret: () => Promise.resolve(undefined),
        listServices: () => Promise.resolve([]),
      },
      mountedVolumes: () => new Map(),
      isPodTerminationRequested: () => false,
      onPodSandboxReady: () => Promise.resolve(),
    });
    this.manager = new KubeGenericRuntimeManager({
      containerRuntime: this.simulator,
      helper,
      os: this.os,
      recorder,
      liveness: { get: () => undefined },
      startup: { get: () => undefined },
      http: this.simulator.network,
      podState: {
        isPodTerminationRequested: () => false,
        shouldPodContentBeRemoved: () => true,
        shouldPodRuntimeBeRemoved: () => true,
      },
      node: {
        memoryBytes: 8 * 1024 ** 3,
        hugePageSizes: [],
        cpuCFSQuota: true,
        cgroupVersion: 2,
        seccompDefault: false,
        seccompProfileRoot: '/s',
      },
      podLogsDir: '/var/log/pods',
      random: () => 0.5,
    });
  }

  async record(pod: Pod): Promise<RuntimePod> {
    const { uid, name, namespace = '' } = pod.metadata;
    const pods = await this.manager.getPods(this.ctx, true);
    return (
      pods.find(({ id }) => id === uid) ?? {
        id: uid,
        name,
        namespace,
        createdAt: instant(0),
        containers: [],
        sandboxes: [],
      }
    );
  }

  async status(pod: Pod): Promise<PodStatus> {
    return this.manager.getPodStatus(this.ctx, await this.record(pod));
  }

  async sync(pod: Pod): Promise<PodSyncResult> {
    const status = await this.status(pod);
    return this.#letPass(this.manager.syncPod(this.ctx, pod, status, [], this.#backOff, false));
  }

  async kill(pod: Pod, grace?: number): Promise<void> {
    const running = convertPodStatusToRunningPod(this.manager.type, await this.status(pod));
    await this.#letPass(this.manager.killPod(this.ctx, pod, running, grace));
  }

  /** Advances the clock until `work` has settled. */
  async #letPass<T>(work: Promise<T>): Promise<T> {
    const state = { done: false };
    const end = (): void => {
      state.done = true;
    };
    work.then(end, end);
    await this.clock.advanceUntil(() => state.done);
    return work;
  }
}

const command = (script: string): Pod['spec']['containers'][number] => ({
  name: 'app',
  image: 'busybox:1.36',
  imagePullPolicy: 'IfNotPresent',
  command: ['sh', '-c', script],
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'FallbackToLogsOnError',
});

let node: Node;
beforeEach(() => {
  node = new Node();
});

describe('KubeGenericRuntimeManager', () => {
  it('starts a pod, finds it settled, and removes it completely', async () => {
    const pod = testPod({ containers: [command('sleep 3600')], restartPolicy: 'Always', securityContext: {} });
    expect((await node.sync(pod)).error()).toBeUndefined();
    const status = await node.status(pod);
    expect(status).toMatchObject({
      containerStatuses: [{ name: 'app', state: 'running', restartCount: 0 }],
      sandboxStatuses: [{ state: 'SANDBOX_READY' }],
    });
    expect(status.ips).toHaveLength(1);
    expect(node.events).toEqual(['Pulled', 'Created', 'Started']);
    expect((await node.sync(pod)).syncResults).toEqual([]);
    await node.kill(pod, 1);
    expect((await node.status(pod)).containerStatuses).toMatchObject([{ state: 'exited' }]);
    await node.manager.garbageCollect(node.ctx, { minAge: 0, maxPerPodContainer: 1, maxContainers: -1 }, true, true);
    expect(await node.manager.getPods(node.ctx, true)).toEqual([]);
  });

  it('starts init containers one by one, then the regular containers', async () => {
    const init = (name: string): Pod['spec']['containers'][number] => ({ ...command('exit 0'), name });
    const pod = testPod({
      initContainers: [init('one'), init('two')],
      containers: [command('sleep 3600')],
      restartPolicy: 'Always',
      securityContext: {},
    });
    const started: string[][] = [];
    for (let pass = 0; pass < 3; pass++) {
      const { syncResults } = await node.sync(pod);
      started.push(syncResults.filter(({ action }) => action === 'StartContainer').map(({ target }) => target));
      await node.clock.advance(1000);
    }
    expect(started).toEqual([['one'], ['two'], ['app']]);
  });

  it('increases the back-off of a container that crashes repeatedly', async () => {
    const pod = testPod({ containers: [command('echo lost; exit 3')], restartPolicy: 'Always', securityContext: {} });
    await node.sync(pod);
    await node.clock.advance(1000);
    await node.sync(pod);
    await node.clock.advance(1000);
    const waiting = await node.sync(pod);
    expect(waiting.error()?.message).toContain(
      'CrashLoopBackOff: "back-off 10s restarting failed container=app pod=web_default(uid-1)"',
    );
    expect((await node.status(pod)).containerStatuses[0]).toMatchObject({
      state: 'exited',
      exitCode: 3,
      restartCount: 1,
      message: 'lost\n',
    });
  });

  it('reports the reason when an image can not be pulled', async () => {
    const pod = testPod({
      containers: [{ ...command('true'), image: 'nosuch/image:1', imagePullPolicy: 'IfNotPresent' }],
      securityContext: {},
    });
    node.simulator.failNext('PullImage', 'manifest unknown');
    const { syncResults } = await node.sync(pod);
    expect(syncResults.at(-1)).toMatchObject({
      action: 'StartContainer',
      error: { message: 'ErrImagePull' },
      message: 'rpc error: code = Unknown desc = manifest unknown',
    });
  });
});
