/** Implements the statistics RPCs of containers and sandboxes. Upstream: dockershim docker_stats.go (v1.20). */
import type {
  ContainerStats,
  ContainerStatsFilter,
  CpuUsage,
  IoUsage,
  LinuxPodSandboxStats,
  MemoryUsage,
  NetworkInterfaceUsage,
  PodSandboxStats,
  PodSandboxStatsFilter,
  SwapUsage,
  UInt64Value,
} from '@podscope/cri';
import { type Context, toNanoseconds } from '@podscope/trace';
import { containerStatusOf } from '../container/container-status.ts';
import { listContainers } from '../container/list-containers.ts';
import type { DockershimDependencies } from '../dependencies.ts';
import { isNotFound } from '../docker/error.ts';
import type { DockerStats } from '../docker/schemas.ts';
import { listPodSandbox } from '../sandbox/list-pod-sandbox.ts';
import { sandboxStatusOf } from '../sandbox/pod-sandbox-status.ts';
import { type CgroupReadings, cgroupOf, type Pressure, podCgroupOf } from './cgroup-readings.ts';
import { withNetworkCounters } from './network-counters.ts';

const value = (number: number): UInt64Value => ({ value: number });

/** Keeps the last CPU sample of each object of one kind, because a rate is computed from two samples. */
class CpuSeries {
  readonly #last = new Map<string, { readonly at: number; readonly total: number }>();

  /** Returns the CPU usage since the last sample, in billionths of a core; undefined for the first sample. */
  rate(id: string, at: number, total: number): number | undefined {
    const last = this.#last.get(id);
    this.#last.set(id, { at, total });
    return last && at > last.at && total >= last.total
      ? Math.round(((total - last.total) / (at - last.at)) * 1000)
      : undefined;
  }

  /** Removes the samples of all objects except these. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id);
  }
}

/**
 * Keeps the CPU samples of containers and of sandboxes. Listing containers doesn't affect the samples of sandboxes, and
 * vice versa.
 */
export class CpuSamples {
  readonly containers = new CpuSeries();
  readonly sandboxes = new CpuSeries();
}

function cpuOf(ctx: Context, samples: CpuSeries, id: string, stats: DockerStats): CpuUsage {
  const now = ctx.clock.now();
  const total = stats.cpu_stats.cpu_usage.total_usage;
  const rate = samples.rate(id, now, total);
  return {
    timestamp: toNanoseconds(now),
    usageCoreNanoSeconds: value(total),
    ...(rate === undefined ? {} : { usageNanoCores: value(rate) }),
  };
}

/**
 * Returns the memory usage. The working set excludes inactive file pages, whose counters have different names in cgroup
 * v1 and v2.
 */
function memoryOf(ctx: Context, { memory_stats: memory }: DockerStats): MemoryUsage {
  const { stats } = memory;
  const inactive = stats['total_inactive_file'] ?? stats['inactive_file'] ?? 0;
  const workingSet = Math.max(0, memory.usage - inactive);
  // If a container has no limit, the engine reports the machine's memory as the limit.
  return {
    timestamp: toNanoseconds(ctx.clock.now()),
    usageBytes: value(memory.usage),
    workingSetBytes: value(workingSet),
    availableBytes: value(Math.max(0, memory.limit - workingSet)),
    rssBytes: value(stats['total_rss'] ?? stats['anon'] ?? 0),
    pageFaults: value(stats['total_pgfault'] ?? stats['pgfault'] ?? 0),
    majorPageFaults: value(stats['total_pgmajfault'] ?? stats['pgmajfault'] ?? 0),
  };
}

const withPressure = <T extends object>(usage: T, psi: Pressure[keyof Pressure]): T =>
  psi ? { ...usage, psi } : usage;

function ioOf(ctx: Context, { io }: Pressure): { io?: IoUsage } {
  return io ? { io: { timestamp: toNanoseconds(ctx.clock.now()), psi: io } } : {};
}

/** Returns the swap usage. In cgroup v1 it is part of the memory statistics; in v2 it is in a separate file. */
function swapOf(ctx: Context, { memory_stats: memory }: DockerStats, { swap }: CgroupReadings): { swap?: SwapUsage } {
  const used = memory.stats['total_swap'] ?? swap;
  return used === undefined ? {} : { swap: { timestamp: toNanoseconds(ctx.clock.now()), swapUsageBytes: value(used) } };
}

interface Measured {
  readonly stats: ContainerStats;
  /** The number of processes and threads. */
  readonly processes: number;
}

/**
 * Returns the statistics of a container.
 * @throws CriError NotFound
 */
export const containerStats = async (
  ctx: Context,
  dependencies: DockershimDependencies,
  samples: CpuSamples,
  containerId: string,
): Promise<ContainerStats> => (await measure(ctx, dependencies, samples, containerId)).stats;

async function measure(
  ctx: Context,
  dependencies: DockershimDependencies,
  samples: CpuSamples,
  containerId: string,
): Promise<Measured> {
  const container = await dependencies.objects.inspect(ctx, containerId, 'container', { size: true });
  const { id, metadata, labels, annotations } = await containerStatusOf(ctx, dependencies, container);
  const attributes = { id, metadata, labels, annotations };
  const timestamp = toNanoseconds(ctx.clock.now());
  const writableLayer = {
    timestamp,
    fsId: { mountpoint: dependencies.engine.rootDirectory },
    usedBytes: value(container.SizeRw ?? 0),
  };
  if (!container.State.Running) return { stats: { attributes, writableLayer }, processes: 0 };
  const [stats, cgroup] = await Promise.all([
    dependencies.docker.containerStats(ctx, { id }),
    cgroupOf(dependencies, container),
  ]);
  const { pressure } = cgroup;
  const measured = {
    attributes,
    cpu: withPressure(cpuOf(ctx, samples.containers, id, stats), pressure.cpu),
    memory: withPressure(memoryOf(ctx, stats), pressure.memory),
    writableLayer,
    ...swapOf(ctx, stats, cgroup),
    ...ioOf(ctx, pressure),
  };
  return { stats: measured, processes: stats.pids_stats.current };
}

/** Returns the results for all ids. Objects that are removed meanwhile are omitted. */
async function gather<T>(ids: readonly string[], look: (id: string) => Promise<T>): Promise<T[]> {
  const results = await Promise.all(
    ids.map((id) =>
      look(id).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }),
    ),
  );
  return results.filter(
    (result): result is Awaited<typeof result> & NonNullable<typeof result> => result !== undefined,
  );
}

/** Returns the statistics of all containers that match the filter. */
export const listContainerStats = async (
  ctx: Context,
  dependencies: DockershimDependencies,
  samples: CpuSamples,
  filter?: ContainerStatsFilter,
): Promise<ContainerStats[]> => (await measureAll(ctx, dependencies, samples, filter)).map(({ stats }) => stats);

async function measureAll(
  ctx: Context,
  dependencies: DockershimDependencies,
  samples: CpuSamples,
  filter: ContainerStatsFilter = {},
): Promise<Measured[]> {
  const { containers } = await listContainers(ctx, dependencies, { filter });
  if (!filter.id && !filter.podSandboxId && !filter.labelSelector)
    samples.containers.keep(new Set(containers.map(({ id }) => id)));
  return gather(
    containers.map(({ id }) => id),
    (id) => measure(ctx, dependencies, samples, id),
  );
}

/**
 * Returns the statistics of a pod: its network, its containers and their sum.
 * @throws CriError NotFound
 */
export async function podSandboxStats(
  ctx: Context,
  dependencies: DockershimDependencies,
  samples: CpuSamples,
  podSandboxId: string,
): Promise<PodSandboxStats> {
  const sandbox = await dependencies.objects.inspect(ctx, podSandboxId, 'podsandbox');
  const { id, metadata, labels, annotations } = await sandboxStatusOf(ctx, dependencies, sandbox);
  const attributes = { id, metadata, labels, annotations };
  if (!sandbox.State.Running) return { attributes };
  const [own, { pressure }, containers] = await Promise.all([
    dependencies.docker
      .containerStats(ctx, { id })
      .then((stats) => withNetworkCounters(stats, dependencies.engine, sandbox)),
    podCgroupOf(dependencies, sandbox, metadata.uid),
    measureAll(ctx, dependencies, samples, { podSandboxId: id }),
  ]);
  return { attributes, linux: withPodPressure(ctx, sumUp(ctx, samples, id, own, containers), pressure) };
}

/** Adds the stall times of the whole pod. They differ from the sum of its containers' stall times. */
function withPodPressure(ctx: Context, stats: LinuxPodSandboxStats, pressure: Pressure): LinuxPodSandboxStats {
  const { cpu, memory } = stats;
  return {
    ...stats,
    ...(cpu ? { cpu: withPressure(cpu, pressure.cpu) } : {}),
    ...(memory ? { memory: withPressure(memory, pressure.memory) } : {}),
    ...ioOf(ctx, pressure),
  };
}

function sumUp(
  ctx: Context,
  samples: CpuSamples,
  id: string,
  own: DockerStats,
  measured: readonly Measured[],
): LinuxPodSandboxStats {
  const timestamp = toNanoseconds(ctx.clock.now());
  const cpu = cpuOf(ctx, samples.sandboxes, id, own);
  const memory = memoryOf(ctx, own);
  const containers = measured.map(({ stats }) => stats);
  // If one value is unknown, the sum is unknown.
  const total = (
    first: UInt64Value | undefined,
    pick: (stats: ContainerStats) => UInt64Value | undefined,
  ): UInt64Value | undefined => {
    const parts = [first, ...containers.filter((each) => each.cpu).map(pick)];
    return parts.some((part) => part === undefined)
      ? undefined
      : value(parts.reduce((sum, part) => sum + (part?.value ?? 0), 0));
  };
  const interfaces = Object.entries(own.networks).map(
    ([name, counters]): NetworkInterfaceUsage => ({
      name,
      rxBytes: value(counters.rx_bytes),
      rxErrors: value(counters.rx_errors),
      txBytes: value(counters.tx_bytes),
      txErrors: value(counters.tx_errors),
    }),
  );
  // CNI names the pod's interface eth0. Plugins may add other interfaces that are listed before it.
  const first = interfaces.find(({ name }) => name === 'eth0') ?? interfaces[0];
  return {
    cpu: {
      timestamp,
      usageCoreNanoSeconds: total(cpu.usageCoreNanoSeconds, (each) => each.cpu?.usageCoreNanoSeconds),
      usageNanoCores: total(cpu.usageNanoCores, (each) => each.cpu?.usageNanoCores),
    },
    memory: {
      timestamp,
      usageBytes: total(memory.usageBytes, (each) => each.memory?.usageBytes),
      workingSetBytes: total(memory.workingSetBytes, (each) => each.memory?.workingSetBytes),
      rssBytes: total(memory.rssBytes, (each) => each.memory?.rssBytes),
    },
    network: { timestamp, ...(first ? { defaultInterface: first } : {}), interfaces },
    process: {
      timestamp,
      processCount: value(measured.reduce((sum, { processes }) => sum + processes, own.pids_stats.current)),
    },
    containers,
  };
}

/** Returns the statistics of all running pods that match the filter. */
export async function listPodSandboxStats(
  ctx: Context,
  dependencies: DockershimDependencies,
  samples: CpuSamples,
  filter: PodSandboxStatsFilter = {},
): Promise<PodSandboxStats[]> {
  const { items } = await listPodSandbox(ctx, dependencies, {
    filter: { ...filter, state: { state: 'SANDBOX_READY' } },
  });
  if (!filter.id && !filter.labelSelector) samples.sandboxes.keep(new Set(items.map(({ id }) => id)));
  return gather(
    items.map(({ id }) => id),
    (id) => podSandboxStats(ctx, dependencies, samples, id),
  );
}
