/** Computes CRI stats of containers and sandboxes from their processes. */
import type { ContainerStats, PodSandboxStats } from '@podscope/cri';
import { toNanoseconds } from '@podscope/trace';
import type { SimulatedContainer } from '../containers/container.ts';
import type { Records } from '../records.ts';
import type { SimulatedSandbox } from '../sandboxes/sandbox.ts';

export const imageFileSystem = '/var/lib/podscope-sim';

const inodesOf = (bytes: number): number => Math.ceil(bytes / 32_768) + 4;

/** Returns the resource usage of a container. After the container has exited, the values are 0. */
export function containerStats({ node }: Pick<Records, 'node'>, container: SimulatedContainer): ContainerStats {
  const timestamp = toNanoseconds(node.clock.now());
  const { machine } = container;
  const used = machine?.usedMemory ?? 0;
  const limit = container.resources.memoryLimitInBytes;
  return {
    attributes: {
      id: container.id,
      metadata: container.config.metadata,
      labels: container.config.labels,
      annotations: container.config.annotations,
    },
    cpu: {
      timestamp,
      usageCoreNanoSeconds: { value: machine?.cpuTime ?? 0 },
      usageNanoCores: {
        value: Math.round((machine?.processes.reduce((sum, process) => sum + process.cpu, 0) ?? 0) * 1e9),
      },
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

/** The memory of the pause process in bytes. */
const pauseMemory = 512 * 1024;

/** Returns the resource usage of a sandbox, which is the sum of its running containers and the pause process. */
export function sandboxStats(records: Records, sandbox: SimulatedSandbox): PodSandboxStats {
  const { node } = records;
  const timestamp = toNanoseconds(node.clock.now());
  const containers = records.containersOf(sandbox.id).filter(({ running }) => running);
  const stats = containers.map((container) => containerStats(records, container));
  const sum = (value: (each: ContainerStats) => number | undefined): number =>
    stats.reduce((total, each) => total + (value(each) ?? 0), 0);
  const memory = sum((each) => each.memory?.workingSetBytes?.value) + (sandbox.ready ? pauseMemory : 0);
  return {
    attributes: {
      id: sandbox.id,
      metadata: sandbox.config.metadata,
      labels: sandbox.config.labels ?? {},
      annotations: sandbox.config.annotations ?? {},
    },
    linux: {
      cpu: {
        timestamp,
        usageCoreNanoSeconds: { value: sum((each) => each.cpu?.usageCoreNanoSeconds?.value) },
        usageNanoCores: { value: sum((each) => each.cpu?.usageNanoCores?.value) },
      },
      memory: { timestamp, workingSetBytes: { value: memory }, usageBytes: { value: memory } },
      network: { timestamp, defaultInterface: { name: 'eth0', rxBytes: { value: 0 }, txBytes: { value: 0 } } },
      process: {
        timestamp,
        processCount: {
          value: 1 + containers.reduce((total, { machine }) => total + (machine?.processes.length ?? 0), 0),
        },
      },
      containers: stats,
    },
  };
}
