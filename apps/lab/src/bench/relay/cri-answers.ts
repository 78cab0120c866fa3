/** Builds the answers of a node with 110 pods of one container each, as containerd gives them. */
import { encodeCallMessage } from '@podscope/cri/grpc';

const pods = 110;
const since = Date.UTC(2026, 0, 1) * 1_000_000;

const hex = (index: number, kind: string): string => `${kind}${index.toString(16).padStart(6, '0')}`.repeat(8);
const indexOf = (id: string): number => Number.parseInt(id.slice(2, 8), 16);
const sandboxOf = (index: number): string => hex(index, '5a');
export const containerOf = (index: number): string => hex(index, 'c0');

function labelsOf(index: number): Readonly<Record<string, string>> {
  return {
    'io.kubernetes.pod.name': `web-7d4b9c6f8-${index}`,
    'io.kubernetes.pod.namespace': 'default',
    'io.kubernetes.pod.uid': `3f2504e0-4f89-41d3-9a0c-${index.toString(16).padStart(12, '0')}`,
  };
}

const annotations = {
  'io.kubernetes.container.hash': '5f2a8c31',
  'io.kubernetes.container.restartCount': '0',
  'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
  'io.kubernetes.container.terminationMessagePolicy': 'File',
  'io.kubernetes.pod.terminationGracePeriod': '30',
};

function sandbox(index: number): object {
  const labels = labelsOf(index);
  return {
    id: sandboxOf(index),
    metadata: {
      name: labels['io.kubernetes.pod.name'],
      uid: labels['io.kubernetes.pod.uid'],
      namespace: 'default',
      attempt: 0,
    },
    state: 'SANDBOX_READY',
    createdAt: String(since),
    labels: { app: 'web', 'pod-template-hash': '7d4b9c6f8', ...labels },
    annotations: { 'kubernetes.io/config.source': 'api' },
  };
}

function container(index: number): object {
  return {
    id: containerOf(index),
    podSandboxId: sandboxOf(index),
    metadata: { name: 'app', attempt: 0 },
    image: { image: `sha256:${hex(1, '1a')}` },
    imageRef: `sha256:${hex(1, '1a')}`,
    state: 'CONTAINER_RUNNING',
    createdAt: String(since),
    labels: { 'io.kubernetes.container.name': 'app', ...labelsOf(index) },
    annotations,
  };
}

const containerStatus = (index: number): object => ({
  ...container(index),
  podSandboxId: undefined,
  startedAt: String(since + 1_000_000),
  logPath: `/var/log/pods/default_web-${index}/app/0.log`,
});

const sandboxStatus = (index: number): object => ({ ...sandbox(index), network: { ip: `10.0.0.${index}` } });

const indexes = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Returns the answer of ListContainers. @param count the number of containers; 1 for each pod if it isn't given */
export const listContainers = (count = pods): Uint8Array =>
  encodeCallMessage('ListContainers', 'response', { containers: indexes(count).map(container) });

export const listPodSandbox = (): Uint8Array =>
  encodeCallMessage('ListPodSandbox', 'response', { items: indexes(pods).map(sandbox) });

/** Returns the status of a container or sandbox of the lists. */
export function statusOf(method: 'ContainerStatus' | 'PodSandboxStatus', id: string): Uint8Array {
  const status = method === 'ContainerStatus' ? containerStatus : sandboxStatus;
  return encodeCallMessage(method, 'response', { status: status(indexOf(id)) });
}

/** Returns an event of GetContainerEvents, with the statuses of its pod. */
export const containerEvent = (index: number): Uint8Array =>
  encodeCallMessage('GetContainerEvents', 'response', {
    containerId: containerOf(index),
    containerEventType: 'CONTAINER_STARTED_EVENT',
    createdAt: String(since),
    podSandboxStatus: sandboxStatus(index),
    containersStatuses: [containerStatus(index)],
  });
