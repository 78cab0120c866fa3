/** Runs a node on the simulator and a virtual clock, for tests. */

import { baselinePolicy } from '@podscope/apiserver';
import type { Pod } from '@podscope/k8s';
import { MemoryOS } from '@podscope/kuberuntime';
import { createSimulator, noLatencies, type SimulatedRuntime } from '@podscope/simulated-runtime';
import { VirtualClock } from '@podscope/trace';
import { NodeHost } from '../node-host.ts';
import type { NodeHostOptions } from '../node-host-options.ts';

export interface TestNode {
  readonly clock: VirtualClock;
  readonly simulator: SimulatedRuntime;
  readonly nodeHost: NodeHost;
  readonly errors: unknown[];
  /** Returns the pod in the namespace `default`, as stored in the API. */
  pod(name: string): Pod | undefined;
  /** Advances virtual time until the condition is true. */
  until(condition: () => boolean, limit?: number): Promise<void>;
  /** Applies a manifest, which must be valid. */
  apply(manifest: string): Promise<void>;
}

/**
 * Creates and starts a node. With the storage of an earlier node, the new node is like the earlier one after a restart.
 */
export async function startTestNode(
  options: Partial<
    Pick<
      NodeHostOptions,
      | 'persistence'
      | 'staticPods'
      | 'policy'
      | 'retainedEvents'
      | 'openArchive'
      | 'run'
      | 'debug'
      | 'pacing'
      | 'profile'
      | 'jitter'
    >
  > & {
    readonly simulator?: SimulatedRuntime;
    readonly clock?: VirtualClock;
  } = {},
): Promise<TestNode> {
  const clock = options.clock ?? new VirtualClock();
  const os = new MemoryOS();
  const simulator = options.simulator ?? createSimulator({ clock, latencies: noLatencies, hostFiles: os });
  const errors: unknown[] = [];
  let state = 7;
  const nodeHost = new NodeHost({
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
    machine: {
      architecture: 'amd64',
      operatingSystem: 'linux',
      kernelVersion: '6.1',
      osImage: 'Test',
      machineID: 'm',
      bootID: 'b',
    },
    version: '0.0.0',
    onError: (message, error) => errors.push(message, error),
  });
  await nodeHost.start();
  return {
    clock,
    simulator,
    nodeHost,
    errors,
    pod: (name) => nodeHost.api.storage.get('Pod', 'default', name),
    until: (condition, limit) => clock.advanceUntil(condition, limit),
    apply: async (manifest) => {
      const { errors: faults } = await nodeHost.commands.apply(manifest);
      if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'));
    },
  };
}
