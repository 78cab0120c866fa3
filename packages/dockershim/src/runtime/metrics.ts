/** ListPodSandboxMetrics: the engine's counters of every running pod. */
import { type ContainerMetrics, type Metric, type MetricDescriptor, type PodSandboxMetrics, readMetrics } from '@podscope/cri';
import { type Context, toNanoseconds } from '@podscope/trace';
import { isNotFound } from '../docker/error.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { exists } from '../files.ts';
import { labelKeys } from '../labels.ts';
import { sandboxContainerName } from '../names.ts';
import { containersOfSandbox } from '../sandbox/containers-of-sandbox.ts';
import { listPodSandbox } from '../sandbox/list-pod-sandbox.ts';
import type { Shim } from '../shim.ts';
import { cgroupOf, countsHugePages } from './cgroup-readings.ts';
import { readLocally } from './local-readings.ts';
import type { MetricDefinition, MetricNeed, MetricSource } from './metric-definition.ts';
import { containerMetrics, descriptorsOf, sandboxMetrics } from './metric-table.ts';

/** Pods that vanish while they are looked at are left out. */
export async function listPodSandboxMetrics(shim: Shim, ctx: Context): Promise<PodSandboxMetrics[]> {
  const { items } = await listPodSandbox(shim, ctx, { filter: { state: { state: 'SANDBOX_READY' } } });
  const all = await Promise.all(items.map(({ id }) => unlessGone(podMetrics(shim, ctx, id))));
  return all.filter((each) => each !== undefined);
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

async function podMetrics(shim: Shim, ctx: Context, podSandboxId: string): Promise<PodSandboxMetrics> {
  const [sandbox, summaries] = await Promise.all([
    shim.objects.inspect(ctx, podSandboxId, 'podsandbox', { size: true }),
    containersOfSandbox(shim, ctx, podSandboxId, { running: true }),
  ]);
  const [own, ...containers] = await Promise.all([
    sourceOf(shim, ctx, sandbox),
    ...summaries.map(({ Id }) => unlessGone(shim.objects.inspect(ctx, Id, 'container', { size: true }).then((container) => sourceOf(shim, ctx, container)))),
  ]);
  return {
    podSandboxId,
    metrics: metricsOf(own, [...containerMetrics, ...sandboxMetrics], sandboxContainerName),
    containerMetrics: containers.flatMap((source): ContainerMetrics[] => {
      if (!source) return [];
      const { Id, Config } = source.container;
      return [{ containerId: Id, metrics: metricsOf(source, containerMetrics, Config.Labels[labelKeys.containerName] ?? '') }];
    }),
  };
}

async function sourceOf(shim: Shim, ctx: Context, container: ContainerInspect): Promise<MetricSource> {
  const { Id: id, State } = container;
  const [stats, local, cgroup] = await Promise.all([shim.docker.containerStats(ctx, { id }), readLocally(shim.engine, State.Pid), cgroupOf(shim, container)]);
  return { container, stats, now: ctx.clock.now(), local, cgroup };
}

/** What there is to be measured on this engine's machine. */
export async function listMetricDescriptors({ engine }: Pick<Shim, 'engine'>): Promise<MetricDescriptor[]> {
  const has = new Set<MetricNeed>();
  if (engine.hasLocalFiles) has.add('localFiles');
  if (engine.isLocal && (await hasPressure())) has.add('pressure');
  if (engine.isLocal && (await countsHugePages())) has.add('hugePages');
  return descriptorsOf(has);
}

/** Control groups tell it with version 2, which may stand beside version 1. */
async function hasPressure(): Promise<boolean> {
  const files = ['/sys/fs/cgroup/cgroup.controllers', '/sys/fs/cgroup/unified/cgroup.controllers'];
  return (await exists('/proc/pressure')) && (await Promise.all(files.map(exists))).includes(true);
}

const metricsOf = (source: MetricSource, definitions: readonly MetricDefinition[], name: string): Metric[] =>
  readMetrics(source, definitions, { id: source.container.Id, name, image: source.container.Config.Image }, toNanoseconds(source.now));
