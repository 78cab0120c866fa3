/** Defines the machine and the configuration of the simulated node. */

import type { NodeConfiguration } from '@podscope/kubelet';
import type { MachineFacts } from '../kubelet/node-object.ts';

/** Address of the simulated node. */
export const simulatedNodeIp = '192.168.49.2';

/**
 * Returns the configuration of the simulated node. It doesn't depend on the host, so a run is equal on every host.
 * @param memoryBytes the memory of the node; must equal the memory of the simulator
 */
export const simulatedNode = (name: string, memoryBytes = 8 * 1024 ** 3): NodeConfiguration => ({
  name,
  ips: [simulatedNodeIp],
  rootDir: '/var/lib/kubelet',
  podLogsDir: '/var/log/pods',
  legacyLogDir: '/var/log/containers',
  memoryBytes,
  cpus: 4,
  hugePageSizes: [],
  clusterDNS: ['192.168.49.1'],
  clusterDomain: 'cluster.local',
  readResolvConf: () => Promise.resolve('nameserver 192.168.49.1\n'),
  readHostsFile: () => Promise.resolve('127.0.0.1\tlocalhost\n::1\tlocalhost\n'),
  cgroupDriver: 'cgroupfs',
  cgroupVersion: 2,
  cgroupsPerQOS: true,
  cpuCFSQuota: true,
  seccompDefault: false,
  maxPods: 110,
  appArmor: { enabled: true, loadedProfiles: () => Promise.resolve(new Set(['docker-default'])) },
});

/** The node's system info. */
export const simulatedMachine: MachineFacts = {
  architecture: 'amd64',
  operatingSystem: 'linux',
  kernelVersion: '6.1.0-podscope',
  osImage: 'Podscope simulator',
  machineID: '00000000000000000000000000000000',
  bootID: '00000000-0000-4000-8000-000000000000',
};
