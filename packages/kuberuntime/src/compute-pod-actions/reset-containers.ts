/**
 * Computes which containers to remove before all containers start again. Upstream: computePodActions, restart of all
 * containers (v1.36).
 */
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { PodStatus } from '../runtime.ts';
import type { ContainerToReset } from './pod-actions.ts';
import { findMatchingRestartRule } from './restart-predicates.ts';
import { containerFacts } from './shared.ts';

interface Sorted {
  /** The containers to remove because another container's restart rule requires it. */
  readonly targets: ContainerToReset[];
  /** The containers whose exits triggered the restart. */
  readonly sources: ContainerToReset[];
}

function sort(ctx: Context, containers: readonly Container[], podStatus: PodStatus): Sorted {
  const sorted: Sorted = { targets: [], sources: [] };
  for (const container of containers) {
    for (const status of podStatus.containerStatuses) {
      if (status.name !== container.name) continue;
      const exited = status.state === 'exited';
      const isSource = exited && findMatchingRestartRule(container, status.exitCode)?.action === 'RestartAllContainers';
      const outcome = isSource ? 'remove it last: its exit restarts all' : exited ? 'remove it' : 'stop and remove it';
      ctx.tracer.decide(
        ctx,
        'computePodActions.restartAllContainers',
        () => containerFacts(container, status),
        outcome,
      );
      (isSource ? sorted.sources : sorted.targets).push({ id: status.id, container, kill: !exited });
    }
  }
  return sorted;
}

/**
 * Returns the containers to remove. The containers that triggered the restart come last, because an interrupted restart
 * continues only while they exist.
 */
export function containersToReset(ctx: Context, { spec }: Pod, podStatus: PodStatus): ContainerToReset[] {
  const init = sort(ctx, spec.initContainers ?? [], podStatus);
  const regular = sort(ctx, spec.containers, podStatus);
  return [...regular.targets, ...init.targets, ...regular.sources, ...init.sources];
}
