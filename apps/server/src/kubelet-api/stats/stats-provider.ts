/**
 * Computes the resource usage of containers and the node from the runtime's counters. A rate needs two samples.
 * Upstream: the kubelet's CRI stats provider (v1.36), which samples continuously; this provider samples on demand.
 */
import type { ContainerStats, RuntimeService } from '@podscope/cri';
import { type Clock, type Context, type Instant, type Milliseconds, withTimeout } from '@podscope/trace';
import type { MachineUsage } from './machine-usage.ts';

export interface Usage {
  /** Average CPU usage over the window, in billionths of a core. */
  readonly cpuNanoCores: number;
  /** CPU time since the start, in nanoseconds. */
  readonly cpuNanoSeconds: number;
  readonly workingSetBytes: number;
}

export interface ContainerUsage extends Usage {
  readonly id: string;
  readonly podUID: string;
  readonly pod: string;
  readonly namespace: string;
  readonly container: string;
  readonly usageBytes: number;
  readonly rssBytes: number;
  readonly rootfsBytes: number;
}

/** The usage of all containers and the node at one instant. */
export interface UsageReport {
  readonly at: Instant;
  /** The time over which the rates were computed, in milliseconds. */
  readonly windowMs: Milliseconds;
  readonly node: Usage;
  readonly containers: readonly ContainerUsage[];
}

/** The values of the counters at one instant. */
interface Sample {
  readonly at: Instant;
  readonly machine: ReturnType<MachineUsage>;
  readonly containers: ReadonlyMap<string, ContainerStats>;
}

/**
 * The minimum time between the two samples of a rate. A sample that is older than `longestWindow` isn't used, because
 * it doesn't describe the present.
 */
const shortestWindow: Milliseconds = 1_000;
const longestWindow: Milliseconds = 60_000;
/** Maximum time for the runtime's response. */
const sampleTimeout: Milliseconds = 10_000;

export interface StatsProviderOptions {
  readonly runtime: Pick<RuntimeService, 'listContainerStats'>;
  readonly clock: Clock;
  /** Returns this machine's usage. Returns undefined for a simulated node, whose usage is the sum of its containers. */
  readonly machine: MachineUsage;
  /** True if the runtime itself reports rates. In this case one sample is enough, even while virtual time is paused. */
  readonly knowsRates: boolean;
  /** A context without tracing, because sampling isn't a step of the kubelet's flow. */
  readonly ctx: Context;
}

/** Samples usage on demand. */
export class StatsProvider {
  readonly #options: StatsProviderOptions;
  #last: Sample | undefined;
  #reading: Promise<UsageReport> | undefined;

  constructor(options: StatsProviderOptions) {
    this.#options = options;
  }

  /**
   * Returns the current usage. Takes a second if the last minute contains no sample.
   * @throws CriError
   */
  read(): Promise<UsageReport> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<UsageReport> {
    const { clock, knowsRates } = this.#options;
    if (knowsRates) return report(undefined, await this.#sample());
    const age = this.#last === undefined ? Number.POSITIVE_INFINITY : clock.now() - this.#last.at;
    const before = this.#last !== undefined && age <= longestWindow ? this.#last : await this.#sample();
    const missing = shortestWindow - (clock.now() - before.at);
    if (missing > 0) await new Promise<void>((resolve) => void clock.schedule(missing, resolve));
    const now = await this.#sample();
    this.#last = now;
    return report(before, now);
  }

  async #sample(): Promise<Sample> {
    const { ctx, runtime, clock, machine } = this.#options;
    const { stats } = await withTimeout(ctx, sampleTimeout, (limited) => runtime.listContainerStats(limited, {}));
    return {
      at: clock.now(),
      machine: machine(),
      containers: new Map(stats.map((each) => [each.attributes.id, each])),
    };
  }
}

const nanoSeconds = (stats: ContainerStats | undefined): number | undefined => stats?.cpu?.usageCoreNanoSeconds?.value;

/**
 * Returns a rate per second over a window. A container without an earlier value is new, so its whole usage belongs to
 * the window.
 */
const rate = (before: number | undefined, now: number, windowMs: Milliseconds): number =>
  windowMs > 0 ? Math.max(0, ((now - Math.min(before ?? 0, now)) / windowMs) * 1000) : 0;

/** Computes the report from two samples. @param before undefined to use the runtime's own rates */
function report(before: Sample | undefined, now: Sample): UsageReport {
  const windowMs = before ? now.at - before.at : shortestWindow;
  const containers = [...now.containers.values()].flatMap((stats): ContainerUsage[] => {
    const total = nanoSeconds(stats);
    // A container without usage has exited.
    if (total === undefined) return [];
    const { id, labels, metadata } = stats.attributes;
    const { workingSetBytes, usageBytes, rssBytes } = stats.memory ?? {};
    return [
      {
        id,
        podUID: labels['io.kubernetes.pod.uid'] ?? '',
        pod: labels['io.kubernetes.pod.name'] ?? '',
        namespace: labels['io.kubernetes.pod.namespace'] ?? '',
        container: labels['io.kubernetes.container.name'] ?? metadata.name,
        cpuNanoCores: before
          ? rate(nanoSeconds(before.containers.get(id)), total, windowMs)
          : (stats.cpu?.usageNanoCores?.value ?? 0),
        cpuNanoSeconds: total,
        workingSetBytes: workingSetBytes?.value ?? 0,
        usageBytes: usageBytes?.value ?? 0,
        rssBytes: rssBytes?.value ?? 0,
        rootfsBytes: stats.writableLayer?.usedBytes?.value ?? 0,
      },
    ];
  });
  return { at: now.at, windowMs, node: nodeUsage(before, now, containers, windowMs), containers };
}

function nodeUsage(
  before: Sample | undefined,
  now: Sample,
  containers: readonly ContainerUsage[],
  windowMs: Milliseconds,
): Usage {
  const sum = (value: (each: ContainerUsage) => number): number =>
    containers.reduce((total, each) => total + value(each), 0);
  if (!now.machine) {
    return {
      cpuNanoCores: sum(({ cpuNanoCores }) => cpuNanoCores),
      cpuNanoSeconds: sum(({ cpuNanoSeconds }) => cpuNanoSeconds),
      workingSetBytes: sum(({ workingSetBytes }) => workingSetBytes),
    };
  }
  const { cpuNanoSeconds, workingSetBytes } = now.machine;
  return {
    cpuNanoCores: rate(before?.machine?.cpuNanoSeconds, cpuNanoSeconds, windowMs),
    cpuNanoSeconds,
    workingSetBytes,
  };
}
