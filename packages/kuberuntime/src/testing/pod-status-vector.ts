/** Converts a recorded pod status to the engine's type. */
import type { PodSandboxStatus } from '@podscope/cri';
import { type Instant, instant, parseTime, toNanoseconds } from '@podscope/trace';
import { type PodStatus, parseContainerID, type Status } from '../runtime.ts';
import type { ContainerVector, PodStatusVector, SandboxVector } from './vectors.ts';

const timeOf = (text: string | null): Instant => (text ? parseTime(text) : instant(0));

const sandboxOf = (vector: SandboxVector, { id, name, namespace }: PodStatusVector): PodSandboxStatus => ({
  id: vector.id,
  metadata: { name, uid: id, namespace, attempt: vector.attempt },
  state: vector.state === 'ready' ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY',
  createdAt: toNanoseconds(timeOf(vector.createdAt)),
  ...(vector.ip === null
    ? {}
    : { network: { ip: vector.ip, additionalIps: (vector.additionalIPs ?? []).map((ip) => ({ ip })) } }),
  linux: { namespaces: { options: { network: vector.hostNetwork ? 'NODE' : 'POD', pid: 'POD', ipc: 'POD' } } },
  labels: {},
  annotations: {},
});

const containerOf = (vector: ContainerVector): Status => ({
  id: parseContainerID(vector.id),
  name: vector.name,
  state: vector.state,
  createdAt: timeOf(vector.createdAt),
  ...(vector.startedAt ? { startedAt: parseTime(vector.startedAt) } : {}),
  ...(vector.finishedAt ? { finishedAt: parseTime(vector.finishedAt) } : {}),
  exitCode: vector.exitCode,
  image: vector.image,
  imageID: vector.imageID,
  // The recordings have one spelling of the image.
  imageRef: vector.imageID,
  hash: vector.hash,
  restartCount: vector.restartCount,
  reason: vector.reason,
  message: vector.message,
});

/** Converts a recorded status. Containers and sandboxes keep their order. */
export const podStatusOf = (vector: PodStatusVector): PodStatus => ({
  id: vector.id,
  name: vector.name,
  namespace: vector.namespace,
  ips: vector.ips ?? [],
  sandboxStatuses: (vector.sandboxStatuses ?? []).map((sandbox) => sandboxOf(sandbox, vector)),
  containerStatuses: (vector.containerStatuses ?? []).map(containerOf),
  activeContainerStatuses: [],
  timestamp: instant(0),
});
