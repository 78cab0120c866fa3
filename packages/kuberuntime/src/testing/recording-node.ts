/** Defines facts about the nodes on which the recordings were made. */
import type { ResourceList } from '@podscope/k8s';
import type { RuntimeHelperNode } from '../helper/runtime-helper.ts';
import type { RuntimeNode } from '../runtime-node.ts';

/** The parts of the recordings' node files that the engine reads. */
export interface NodeRecording {
  readonly node: {
    readonly status: {
      readonly allocatable: ResourceList;
      readonly addresses: readonly { readonly address: string }[];
    };
  };
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
  readonly resolvConf: string;
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  readonly cgroupVersion?: 1 | 2;
  readonly cpuCFSQuota: boolean;
  readonly machineMemoryBytes: number;
  readonly hugePageSizes: readonly string[];
  readonly seccompDefault?: boolean;
  readonly rootDir: string;
  readonly seccompProfileRoot: string;
  readonly runtimeName?: string;
}

export interface RecordingNode {
  readonly helper: RuntimeHelperNode;
  readonly runtime: RuntimeNode;
  readonly runtimeName: string;
  readonly podLogsDir: string;
}

export function recordingNode(recording: NodeRecording): RecordingNode {
  const { clusterDNS, clusterDomain, resolvConf, cgroupDriver, rootDir, node } = recording;
  return {
    helper: {
      ips: node.status.addresses.map(({ address }) => address),
      rootDir,
      clusterDNS,
      clusterDomain,
      readResolvConf: () => Promise.resolve(resolvConf),
      readHostsFile: () => Promise.resolve("{node's /etc/hosts}\n"),
      cgroupDriver,
      cgroupsPerQOS: true,
      allocatable: node.status.allocatable,
    },
    runtime: {
      memoryBytes: recording.machineMemoryBytes,
      hugePageSizes: recording.hugePageSizes,
      cpuCFSQuota: recording.cpuCFSQuota,
      cgroupVersion: recording.cgroupVersion ?? 1,
      seccompDefault: recording.seccompDefault ?? false,
      seccompProfileRoot: recording.seccompProfileRoot,
    },
    runtimeName: recording.runtimeName ?? 'fakeRuntime',
    podLogsDir: '/var/log/pods',
  };
}
