/**
 * Implements ListMetricDescriptors and ListPodSandboxMetrics. Upstream: containerd's CRI metrics (2.1); no dockershim
 * had these RPCs.
 */
import {
  type ContainerMetrics,
  type Metric,
  type MetricDescriptor,
  type PodSandboxMetrics,
  readMetrics,
} from '@podscope/cri';
import { type Context, toNanoseconds } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { isNotFound } from '../docker/error.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { exists } from '../engine/local-files.ts';
import { labelKeys } from '../objects/labels.ts';
import { sandboxContainerName } from '../objects/names.ts';
import { containersOfSandbox } from '../sandbox/containers-of-sandbox.ts';
import { listPodSandbox } from '../sandbox/list-pod-sandbox.ts';
import { cgroupOf, countsHugePages } from './cgroup-readings.ts';
import { readLocally } from './local-readings.ts';
import type { MetricDefinition, MetricNeed, MetricSource } from './metric-definition.ts';
import { containerMetrics, descriptorsOf, sandboxMetrics } from './metric-table.ts';
import { withNetworkCounters } from './network-counters.ts';

/** Returns the metrics of all running pods. A pod that is removed meanwhile is omitted. */
export async function listPodSandboxMetrics(
  ctx: Context,
  dependencies: DockershimDependencies,
): Promise<PodSandboxMetrics[]> {
  const { items } = await listPodSandbox(ctx, dependencies, { filter: { state: { state: 'SANDBOX_READY' } } });
  const all = await Promise.all(items.map(({ id }) => unlessGone(podMetrics(ctx, dependencies, id))));
  return all.filter((each) => each !== undefined);
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

async function podMetrics(
  ctx: Context,
  dependencies: DockershimDependencies,
  podSandboxId: string,
): Promise<PodSandboxMetrics> {
  const [sandbox, summaries] = await Promise.all([
    dependencies.objects.inspect(ctx, podSandboxId, 'podsandbox', { size: true }),
    containersOfSandbox(ctx, dependencies, podSandboxId, { running: true }),
  ]);
  const [own, ...containers] = await Promise.all([
    sandboxSourceOf(ctx, dependencies, sandbox),
    ...summaries.map(({ Id }) =>
      unlessGone(
        dependencies.objects
          .inspect(ctx, Id, 'container', { size: true })
          .then((container) => sourceOf(ctx, dependencies, container)),
      ),
    ),
  ]);
  return {
    podSandboxId,
    metrics: metricsOf(own, [...containerMetrics, ...sandboxMetrics], sandboxContainerName),
    containerMetrics: containers.flatMap((source): ContainerMetrics[] => {
      if (!source) return [];
      const { Id, Config } = source.container;
      return [
        { containerId: Id, metrics: metricsOf(source, containerMetrics, Config.Labels[labelKeys.containerName] ?? '') },
      ];
    }),
  };
}

async function sourceOf(
  ctx: Context,
  dependencies: DockershimDependencies,
  container: ContainerInspect,
): Promise<MetricSource> {
  const { Id: id, State } = container;
  const [stats, local, cgroup] = await Promise.all([
    dependencies.docker.containerStats(ctx, { id }),
    readLocally(dependencies.engine, State.Pid),
    cgroupOf(dependencies, container),
  ]);
  return { container, stats, now: ctx.clock.now(), local, cgroup };
}

async function sandboxSourceOf(
  ctx: Context,
  dependencies: DockershimDependencies,
  sandbox: ContainerInspect,
): Promise<MetricSource> {
  const source = await sourceOf(ctx, dependencies, sandbox);
  return { ...source, stats: await withNetworkCounters(source.stats, dependencies.engine, sandbox) };
}

/** Returns the descriptors of the metrics that can be measured on the engine's machine. */
export async function listMetricDescriptors({
  engine,
}: Pick<DockershimDependencies, 'engine'>): Promise<MetricDescriptor[]> {
  const has = new Set<MetricNeed>();
  if (engine.hasLocalFiles) has.add('localFiles');
  if (engine.isLocal && (await hasPressure())) has.add('pressure');
  if (engine.isLocal && (await countsHugePages())) has.add('hugePages');
  return descriptorsOf(has);
}

/** Returns true if the machine has cgroup v2, which reports pressure. cgroup v2 may be mounted next to v1. */
async function hasPressure(): Promise<boolean> {
  const files = ['/sys/fs/cgroup/cgroup.controllers', '/sys/fs/cgroup/unified/cgroup.controllers'];
  return (await exists('/proc/pressure')) && (await Promise.all(files.map(exists))).includes(true);
}

const metricsOf = (source: MetricSource, definitions: readonly MetricDefinition[], name: string): Metric[] =>
  readMetrics(
    source,
    definitions,
    { id: source.container.Id, name, image: source.container.Config.Image },
    toNanoseconds(source.now),
  );
