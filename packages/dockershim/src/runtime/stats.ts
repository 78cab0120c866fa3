/** Statistics of containers and sandboxes. */
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
import { isNotFound } from '../docker/error.ts';
import type { DockerStats } from '../docker/schemas.ts';
import { listPodSandbox } from '../sandbox/list-pod-sandbox.ts';
import { sandboxStatusOf } from '../sandbox/pod-sandbox-status.ts';
import type { Shim } from '../shim.ts';
import { type CgroupReadings, cgroupOf, type Pressure, podCgroupOf } from './cgroup-readings.ts';

const value = (number: number): UInt64Value => ({ value: number });

/** The rate of CPU use needs two looks: the last one at each container is kept. */
export class CpuSamples {
  readonly #last = new Map<string, { readonly at: number; readonly total: number }>();

  /** Cores used since the last look, in billionths; undefined at the first. */
  rate(id: string, at: number, total: number): number | undefined {
    const last = this.#last.get(id);
    this.#last.set(id, { at, total });
    return last && at > last.at && total >= last.total ? Math.round(((total - last.total) / (at - last.at)) * 1000) : undefined;
  }

  /** Forgets containers that are gone. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id);
  }
}

function cpuOf(samples: CpuSamples, ctx: Context, id: string, stats: DockerStats): CpuUsage {
  const now = ctx.clock.now();
  const total = stats.cpu_stats.cpu_usage.total_usage;
  const rate = samples.rate(id, now, total);
  return { timestamp: toNanoseconds(now), usageCoreNanoSeconds: value(total), ...(rate === undefined ? {} : { usageNanoCores: value(rate) }) };
}

/** What cannot be given back under pressure counts as working set. cgroup v1 and v2 name their counters differently. */
function memoryOf(ctx: Context, { memory_stats: memory }: DockerStats): MemoryUsage {
  const { stats } = memory;
  const inactive = stats['total_inactive_file'] ?? stats['inactive_file'] ?? 0;
  const workingSet = Math.max(0, memory.usage - inactive);
  // Without a limit the engine reports the machine's memory.
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

const withPressure = <T extends object>(usage: T, psi: Pressure[keyof Pressure]): T => (psi ? { ...usage, psi } : usage);

function ioOf(ctx: Context, { io }: Pressure): { io?: IoUsage } {
  return io ? { io: { timestamp: toNanoseconds(ctx.clock.now()), psi: io } } : {};
}

/** cgroup v1 counts swap among the memory's numbers, v2 in a file of its own. */
function swapOf(ctx: Context, { memory_stats: memory }: DockerStats, { swap }: CgroupReadings): { swap?: SwapUsage } {
  const used = memory.stats['total_swap'] ?? swap;
  return used === undefined ? {} : { swap: { timestamp: toNanoseconds(ctx.clock.now()), swapUsageBytes: value(used) } };
}

interface Measured {
  readonly stats: ContainerStats;
  /** Processes and threads that it has. */
  readonly processes: number;
}

/** Upstream: ContainerStats (dockershim docker_stats_linux.go, v1.20). @throws CriError NotFound */
export const containerStats = async (shim: Shim, samples: CpuSamples, ctx: Context, containerId: string): Promise<ContainerStats> =>
  (await measure(shim, samples, ctx, containerId)).stats;

async function measure(shim: Shim, samples: CpuSamples, ctx: Context, containerId: string): Promise<Measured> {
  const container = await shim.objects.inspect(ctx, containerId, 'container', { size: true });
  const { id, metadata, labels, annotations } = await containerStatusOf(shim, ctx, container);
  const attributes = { id, metadata, labels, annotations };
  const timestamp = toNanoseconds(ctx.clock.now());
  const writableLayer = { timestamp, fsId: { mountpoint: shim.engine.rootDirectory }, usedBytes: value(container.SizeRw ?? 0) };
  if (!container.State.Running) return { stats: { attributes, writableLayer }, processes: 0 };
  const [stats, cgroup] = await Promise.all([shim.docker.containerStats(ctx, { id }), cgroupOf(shim, container)]);
  const { pressure } = cgroup;
  const measured = {
    attributes,
    cpu: withPressure(cpuOf(samples, ctx, id, stats), pressure.cpu),
    memory: withPressure(memoryOf(ctx, stats), pressure.memory),
    writableLayer,
    ...swapOf(ctx, stats, cgroup),
    ...ioOf(ctx, pressure),
  };
  return { stats: measured, processes: stats.pids_stats.current };
}

/** Containers that vanish while they are looked at are left out. */
async function gather<T>(ids: readonly string[], look: (id: string) => Promise<T>): Promise<T[]> {
  const results = await Promise.all(
    ids.map((id) =>
      look(id).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }),
    ),
  );
  return results.filter((result): result is Awaited<typeof result> & NonNullable<typeof result> => result !== undefined);
}

/** Upstream: ListContainerStats (dockershim docker_stats.go, v1.20). */
export const listContainerStats = async (shim: Shim, samples: CpuSamples, ctx: Context, filter?: ContainerStatsFilter): Promise<ContainerStats[]> =>
  (await measureAll(shim, samples, ctx, filter)).map(({ stats }) => stats);

async function measureAll(shim: Shim, samples: CpuSamples, ctx: Context, filter: ContainerStatsFilter = {}): Promise<Measured[]> {
  const { containers } = await listContainers(shim, ctx, { filter });
  if (!filter.id && !filter.podSandboxId && !filter.labelSelector) samples.keep(new Set(containers.map(({ id }) => id)));
  return gather(
    containers.map(({ id }) => id),
    (id) => measure(shim, samples, ctx, id),
  );
}

/** A pod: its network as the sandbox sees it, its containers, and their sum. @throws CriError NotFound */
export async function podSandboxStats(shim: Shim, samples: CpuSamples, ctx: Context, podSandboxId: string): Promise<PodSandboxStats> {
  const sandbox = await shim.objects.inspect(ctx, podSandboxId, 'podsandbox');
  const { id, metadata, labels, annotations } = await sandboxStatusOf(shim, ctx, sandbox);
  const attributes = { id, metadata, labels, annotations };
  if (!sandbox.State.Running) return { attributes };
  const [own, { pressure }, containers] = await Promise.all([
    shim.docker.containerStats(ctx, { id }),
    podCgroupOf(shim, sandbox, metadata.uid),
    measureAll(shim, samples, ctx, { podSandboxId: id }),
  ]);
  return { attributes, linux: withPodPressure(ctx, sumUp(samples, ctx, id, own, containers), pressure) };
}

/** How long the pod as a whole waited; that of containers does not add up to it. */
function withPodPressure(ctx: Context, stats: LinuxPodSandboxStats, pressure: Pressure): LinuxPodSandboxStats {
  const { cpu, memory } = stats;
  return {
    ...stats,
    ...(cpu ? { cpu: withPressure(cpu, pressure.cpu) } : {}),
    ...(memory ? { memory: withPressure(memory, pressure.memory) } : {}),
    ...ioOf(ctx, pressure),
  };
}

function sumUp(samples: CpuSamples, ctx: Context, id: string, own: DockerStats, measured: readonly Measured[]): LinuxPodSandboxStats {
  const timestamp = toNanoseconds(ctx.clock.now());
  const cpu = cpuOf(samples, ctx, id, own);
  const memory = memoryOf(ctx, own);
  const containers = measured.map(({ stats }) => stats);
  // A sum in which a part is unknown is unknown.
  const total = (first: UInt64Value | undefined, pick: (stats: ContainerStats) => UInt64Value | undefined): UInt64Value | undefined => {
    const parts = [first, ...containers.filter((each) => each.cpu).map(pick)];
    return parts.some((part) => part === undefined) ? undefined : value(parts.reduce((sum, part) => sum + (part?.value ?? 0), 0));
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
    network: { timestamp, ...(interfaces[0] ? { defaultInterface: interfaces[0] } : {}), interfaces },
    process: { timestamp, processCount: value(measured.reduce((sum, { processes }) => sum + processes, own.pids_stats.current)) },
    containers,
  };
}

/** Statistics of all running pods that fit. */
export async function listPodSandboxStats(shim: Shim, samples: CpuSamples, ctx: Context, filter: PodSandboxStatsFilter = {}): Promise<PodSandboxStats[]> {
  const { items } = await listPodSandbox(shim, ctx, { filter: { ...filter, state: { state: 'SANDBOX_READY' } } });
  return gather(
    items.map(({ id }) => id),
    (id) => podSandboxStats(shim, samples, ctx, id),
  );
}
