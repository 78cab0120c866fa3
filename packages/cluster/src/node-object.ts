/** The node as an API object: what it is, what it has, how it is. */
import type { Node } from '@podscope/k8s';
import type { NodeConfiguration } from '@podscope/kubelet';
import { type Clock, formatTime } from '@podscope/trace';
import { newUid, type Random } from './random.ts';
import type { Storage } from './storage.ts';

/** What `kubectl describe node` shows of the machine. Upstream: v1.NodeSystemInfo. */
export interface MachineFacts {
  readonly architecture: string;
  readonly operatingSystem: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  readonly machineID: string;
  readonly bootID: string;
}

export interface NodeObjectsOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly node: NodeConfiguration;
  readonly machine: MachineFacts;
  /** `docker://20.10.24` */
  readonly containerRuntimeVersion: string;
  /** `v1.36.2` */
  readonly kubeletVersion: string;
  /** Why the node is not ready at the start. */
  readonly errors: readonly string[];
}

type NodeCondition = {
  readonly type: string;
  readonly status: string;
  readonly lastHeartbeatTime: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
};

/**
 * The node's conditions. Nothing here measures pressure, so that there is none. Upstream: nodestatus.ReadyCondition and its siblings (v1.36).
 * @param errors why the node is not ready
 * @param now as text
 */
export function nodeConditions(previous: readonly Readonly<Record<string, unknown>>[], errors: readonly string[], now: string): readonly NodeCondition[] {
  const condition = (type: string, status: string, reason: string, message: string): NodeCondition => {
    const before = previous.find((candidate) => candidate.type === type);
    const since = before?.status === status ? before.lastTransitionTime : now;
    return { type, status, lastHeartbeatTime: now, lastTransitionTime: typeof since === 'string' ? since : now, reason, message };
  };
  const [first] = errors;
  const text = errors.length > 1 ? `[${errors.join(', ')}]` : (first ?? '');
  return [
    condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    first === undefined ? condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status') : condition('Ready', 'False', 'KubeletNotReady', text),
  ];
}

/** The node as it registers itself. Upstream: Kubelet.initialNode and the setters of its status (nodestatus, v1.36). */
export function initialNode({ clock, random, node, machine, containerRuntimeVersion, kubeletVersion, errors }: NodeObjectsOptions): Node {
  const now = formatTime(clock.now());
  const capacity = {
    cpu: String(node.cpus),
    ...(node.ephemeralStorageBytes === undefined ? {} : { 'ephemeral-storage': `${Math.floor(node.ephemeralStorageBytes / 1024)}Ki` }),
    memory: `${Math.floor(node.memoryBytes / 1024)}Ki`,
    pods: String(node.maxPods),
    ...Object.fromEntries(node.hugePageSizes.map((size) => [`hugepages-${size}`, '0'])),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name,
      uid: newUid(random),
      creationTimestamp: now,
      labels: {
        'kubernetes.io/arch': machine.architecture,
        'kubernetes.io/hostname': node.name,
        'kubernetes.io/os': machine.operatingSystem,
      },
    },
    spec: {},
    status: {
      capacity,
      allocatable: capacity,
      conditions: nodeConditions([], errors, now),
      addresses: [...node.ips.map((address) => ({ type: 'InternalIP', address })), { type: 'Hostname', address: node.name }],
      nodeInfo: {
        machineID: machine.machineID,
        systemUUID: machine.machineID,
        bootID: machine.bootID,
        kernelVersion: machine.kernelVersion,
        osImage: machine.osImage,
        containerRuntimeVersion,
        kubeletVersion,
        kubeProxyVersion: '',
        operatingSystem: machine.operatingSystem,
        architecture: machine.architecture,
      },
    },
  };
}
