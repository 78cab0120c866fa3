/**
 * Lists the operations of the simulated runtime that take time and that can fail on request, with their default
 * latencies.
 */
import { type CriMethod, imageServiceMethods, runtimeServiceMethods } from '@podscope/cri';
import type { Milliseconds } from '@podscope/trace';

/** A CRI method, a call of the network plugin, or a change of the cgroup tree. */
export type Operation = CriMethod | 'CNI ADD' | 'CNI DEL' | 'cgroup create' | 'cgroup update' | 'cgroup destroy';

/** Every operation, for validation and error messages. */
export const operations = [
  'CNI ADD',
  'CNI DEL',
  ...runtimeServiceMethods,
  ...imageServiceMethods,
  'cgroup create',
  'cgroup update',
  'cgroup destroy',
] as const satisfies readonly Operation[];

/** Latency of each operation in milliseconds. An operation without an entry takes no time. */
export type Latencies = Readonly<Partial<Record<Operation, Milliseconds>>>;

/**
 * Typical latencies of a Docker engine on a small machine. PullImage has no entry, because its duration depends on the
 * registry and the size of the image.
 */
export const defaultLatencies: Latencies = {
  RunPodSandbox: 180,
  'CNI ADD': 120,
  'CNI DEL': 40,
  StopPodSandbox: 60,
  RemovePodSandbox: 40,
  CreateContainer: 50,
  StartContainer: 160,
  StopContainer: 20,
  RemoveContainer: 30,
  UpdateContainerResources: 15,
  ExecSync: 40,
  ContainerStats: 30,
  RemoveImage: 80,
};

/** Latencies for tests, in which no operation takes time. */
export const noLatencies: Latencies = {};
