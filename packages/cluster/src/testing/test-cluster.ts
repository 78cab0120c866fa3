/** A cluster on the simulator and a virtual clock, for tests. */
import type { KubernetesObject, Pod } from '@podscope/k8s';
import { MemoryOS } from '@podscope/kuberuntime';
import { createSimulator, noLatencies, type SimulatedRuntime } from '@podscope/simulator';
import { VirtualClock } from '@podscope/trace';
import { Cluster } from '../cluster.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import type { ObjectPersistence } from '../persistence.ts';
import { baselinePolicy } from '../pod-security/policy.ts';

/** Keeps objects in a map. */
export class MemoryPersistence implements ObjectPersistence {
  readonly kept = new Map<string, KubernetesObject>();

  load(): Promise<readonly KubernetesObject[]> {
    return Promise.resolve([...this.kept.values()]);
  }
  async put(key: string, object: KubernetesObject): Promise<void> {
    this.kept.set(key, object);
  }
  async delete(key: string): Promise<void> {
    this.kept.delete(key);
  }
}

export interface TestCluster {
  readonly clock: VirtualClock;
  readonly simulator: SimulatedRuntime;
  readonly cluster: Cluster;
  readonly errors: unknown[];
  /** The pod of namespace default as the API has it. */
  pod(name: string): Pod | undefined;
  /** Lets virtual time pass until the condition holds. */
  until(condition: () => boolean, limit?: number): Promise<void>;
  /** Applies a manifest, which must have no fault. */
  apply(manifest: string): Promise<void>;
}

/** Makes and starts a cluster. With the parts of another one it is that one after a restart. */
export async function startTestCluster(
  options: Partial<Pick<ClusterOptions, 'persistence' | 'staticPods' | 'policy' | 'retainedEvents' | 'openArchive' | 'run' | 'debug' | 'pacing' | 'jitter'>> & {
    readonly simulator?: SimulatedRuntime;
    readonly clock?: VirtualClock;
  } = {},
): Promise<TestCluster> {
  const clock = options.clock ?? new VirtualClock();
  const os = new MemoryOS();
  const simulator = options.simulator ?? createSimulator({ clock, latencies: noLatencies, hostFiles: os });
  const errors: unknown[] = [];
  let state = 7;
  const cluster = new Cluster({
    policy: baselinePolicy,
    ...options,
    containerRuntime: simulator,
    runtimeKind: 'sim',
    clock,
    random: () => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    },
    os,
    http: simulator.network,
    node: {
      name: 'node',
      ips: ['192.168.49.2'],
      rootDir: '/var/lib/kubelet',
      podLogsDir: '/var/log/pods',
      memoryBytes: 8 * 1024 ** 3,
      cpus: 4,
      hugePageSizes: [],
      clusterDNS: [],
      clusterDomain: 'cluster.local',
      readResolvConf: () => Promise.resolve('nameserver 192.168.49.1\n'),
      readHostsFile: () => Promise.resolve('127.0.0.1\tlocalhost\n'),
      cgroupDriver: 'cgroupfs',
      cgroupVersion: 2,
      cgroupsPerQOS: false,
      cpuCFSQuota: true,
      seccompDefault: false,
      maxPods: 110,
    },
    machine: { architecture: 'amd64', operatingSystem: 'linux', kernelVersion: '6.1', osImage: 'Test', machineID: 'm', bootID: 'b' },
    version: '0.0.0',
    onError: (message, error) => errors.push(message, error),
  });
  await cluster.start();
  return {
    clock,
    simulator,
    cluster,
    errors,
    pod: (name) => cluster.storage.get('Pod', 'default', name),
    until: (condition, limit) => clock.advanceUntil(condition, limit),
    apply: async (manifest) => {
      const { errors: faults } = await cluster.commands.apply(manifest);
      if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'));
    },
  };
}
