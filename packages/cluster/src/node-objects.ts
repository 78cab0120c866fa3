/** The objects a node has from its start: itself, the namespaces, the API's service. */
import type { Namespace, Node, Service } from '@podscope/k8s';
import type { NodeConfiguration } from '@podscope/kubelet';
import { type Clock, formatTime } from '@podscope/trace';
import { newUid, type Random } from './random.ts';
import { immortalNamespaces } from './registry.ts';
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
}

/** Address of the API's service in a cluster of the usual service range. Nothing listens there: pods only read it in their environment. */
const apiServiceAddress = '10.96.0.1';

/** Makes what is missing of the namespaces, and the node and the service anew. */
export function createNodeObjects(options: NodeObjectsOptions): void {
  const { storage, clock, random } = options;
  const metadata = (name: string, namespace?: string) => ({
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid: newUid(random),
    creationTimestamp: formatTime(clock.now()),
  });
  for (const name of immortalNamespaces) {
    if (storage.get('Namespace', undefined, name)) continue;
    const namespace: Namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { ...metadata(name), labels: { 'kubernetes.io/metadata.name': name } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    };
    storage.create('Namespace', namespace);
  }
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...metadata('kubernetes', 'default'), labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: { type: 'ClusterIP', clusterIP: apiServiceAddress, ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }] },
  };
  storage.create('Service', service);
  storage.create('Node', nodeObject(options));
}

/** Upstream: kubelet initialNode and the node status setters (v1.36). */
function nodeObject({ clock, random, node, machine, containerRuntimeVersion, kubeletVersion }: NodeObjectsOptions): Node {
  const now = formatTime(clock.now());
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  });
  const capacity = {
    cpu: String(node.cpus),
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
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
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
