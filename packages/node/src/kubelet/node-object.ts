/** Builds the Node object: system info, capacity and conditions. */

import { newUid, type Random } from '@podscope/apiserver';
import type { Node } from '@podscope/k8s';
import type { NodeConfiguration } from '@podscope/kubelet';
import { type Clock, formatTime } from '@podscope/trace';

/** The system info that `kubectl describe node` shows. Upstream: v1.NodeSystemInfo. */
export interface MachineFacts {
  readonly architecture: string;
  readonly operatingSystem: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  readonly machineID: string;
  readonly bootID: string;
}

export interface NodeObjectOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly node: NodeConfiguration;
  readonly machine: MachineFacts;
  /** The runtime and its version, for example `docker://20.10.24`. */
  readonly containerRuntimeVersion: string;
  /** The version, for example `v1.36.2`. */
  readonly kubeletVersion: string;
  /** The features that the kubelet declares; undefined when it declares none. */
  readonly declaredFeatures: readonly string[] | undefined;
  /** Why the node isn't ready when it starts; empty if it is ready. */
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
 * Returns the node's conditions. Pressure isn't measured, so the pressure conditions are always False. Upstream:
 * nodestatus.ReadyCondition and its siblings (v1.36).
 * @param errors the reasons why the node isn't ready
 * @param now the current time as text
 */
export function nodeConditions(
  previous: readonly Readonly<Record<string, unknown>>[],
  errors: readonly string[],
  now: string,
): readonly NodeCondition[] {
  const condition = (type: string, status: string, reason: string, message: string): NodeCondition => {
    const before = previous.find((candidate) => candidate.type === type);
    const since = before?.status === status ? before.lastTransitionTime : now;
    return {
      type,
      status,
      lastHeartbeatTime: now,
      lastTransitionTime: typeof since === 'string' ? since : now,
      reason,
      message,
    };
  };
  const [first] = errors;
  const text = errors.length > 1 ? `[${errors.join(', ')}]` : (first ?? '');
  return [
    condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    first === undefined
      ? condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status')
      : condition('Ready', 'False', 'KubeletNotReady', text),
  ];
}

/**
 * Returns the Node object that the kubelet registers. Upstream: Kubelet.initialNode and the functions that set its
 * status (nodestatus, v1.36).
 */
export function initialNode({
  clock,
  random,
  node,
  machine,
  containerRuntimeVersion,
  kubeletVersion,
  declaredFeatures,
  errors,
}: NodeObjectOptions): Node {
  const now = formatTime(clock.now());
  const capacity = {
    cpu: String(node.cpus),
    ...(node.ephemeralStorageBytes === undefined
      ? {}
      : { 'ephemeral-storage': `${Math.floor(node.ephemeralStorageBytes / 1024)}Ki` }),
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
      addresses: [
        ...node.ips.map((address) => ({ type: 'InternalIP', address })),
        { type: 'Hostname', address: node.name },
      ],
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
      ...(declaredFeatures ? { declaredFeatures } : {}),
    },
  };
}
