/** What containers and sandboxes use, from what their processes do. */
import type { ContainerStats, PodSandboxStats } from '@podscope/cri';
import { toNanoseconds } from '@podscope/trace';
import type { ContainerRecord } from './container-record.ts';
import type { SimulatedNode } from './node.ts';
import type { SandboxRecord } from './sandbox-record.ts';

export const imageFileSystem = '/var/lib/podscope-sim';

const inodesOf = (bytes: number): number => Math.ceil(bytes / 32_768) + 4;

/** The use of one container; all zero once it has ended. */
export function containerStats(node: SimulatedNode, container: ContainerRecord): ContainerStats {
  const timestamp = toNanoseconds(node.clock.now());
  const { machine } = container;
  const used = machine?.usedMemory ?? 0;
  const limit = container.resources.memoryLimitInBytes;
  return {
    attributes: { id: container.id, metadata: container.config.metadata, labels: container.config.labels, annotations: container.config.annotations },
    cpu: {
      timestamp,
      usageCoreNanoSeconds: { value: machine?.cpuTime ?? 0 },
      usageNanoCores: { value: Math.round((machine?.processes.reduce((sum, process) => sum + process.cpu, 0) ?? 0) * 1e9) },
    },
    memory: {
      timestamp,
      workingSetBytes: { value: used },
      usageBytes: { value: used },
      rssBytes: { value: used },
      ...(limit && { availableBytes: { value: Math.max(0, limit - used) } }),
    },
    writableLayer: {
      timestamp,
      fsId: { mountpoint: imageFileSystem },
      usedBytes: { value: container.usedBytes },
      inodesUsed: { value: inodesOf(container.usedBytes) },
    },
  };
}

/** The pause process's own use. */
const pauseMemory = 512 * 1024;

/** The use of a sandbox: its containers', and a little for itself. */
export function sandboxStats(node: SimulatedNode, sandbox: SandboxRecord): PodSandboxStats {
  const timestamp = toNanoseconds(node.clock.now());
  const containers = node.containersOf(sandbox.id).filter(({ running }) => running);
  const stats = containers.map((container) => containerStats(node, container));
  const sum = (value: (each: ContainerStats) => number | undefined): number => stats.reduce((total, each) => total + (value(each) ?? 0), 0);
  const memory = sum((each) => each.memory?.workingSetBytes?.value) + (sandbox.ready ? pauseMemory : 0);
  return {
    attributes: { id: sandbox.id, metadata: sandbox.config.metadata, labels: sandbox.config.labels ?? {}, annotations: sandbox.config.annotations ?? {} },
    linux: {
      cpu: {
        timestamp,
        usageCoreNanoSeconds: { value: sum((each) => each.cpu?.usageCoreNanoSeconds?.value) },
        usageNanoCores: { value: sum((each) => each.cpu?.usageNanoCores?.value) },
      },
      memory: { timestamp, workingSetBytes: { value: memory }, usageBytes: { value: memory } },
      network: { timestamp, defaultInterface: { name: 'eth0', rxBytes: { value: 0 }, txBytes: { value: 0 } } },
      process: { timestamp, processCount: { value: 1 + containers.reduce((total, { machine }) => total + (machine?.processes.length ?? 0), 0) } },
      containers: stats,
    },
  };
}
