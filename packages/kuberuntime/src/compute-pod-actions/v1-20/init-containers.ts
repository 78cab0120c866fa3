/** Finds the next init container to run. Upstream: kuberuntime findNextInitContainerToRun (v1.20). */
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { findContainerStatusByName, type PodStatus, type Status } from '../../runtime.ts';
import { containerFacts } from '../shared.ts';
import { isInitContainerFailedV120 } from './predicates.ts';

export interface InitProgress {
  /** The status of the init container that failed; absent if none failed. */
  readonly status?: Status;
  /** The init container to start next; absent if none has to be started. */
  readonly next?: Container;
  /** True if all init containers have finished. */
  readonly done: boolean;
}

/**
 * Returns the progress of the init containers. The search begins with the last one, because earlier ones that completed
 * may have been removed.
 */
export function findNextInitContainerToRun(ctx: Context, { spec }: Pod, podStatus: PodStatus): InitProgress {
  const containers = spec.initContainers ?? [];
  if (containers.length === 0) return { done: true };
  const recordDecision = (rule: string, container: Container, status: Status | undefined, outcome: string): void =>
    ctx.tracer.decide(ctx, `computePodActions.initContainer.${rule}`, () => containerFacts(container, status), outcome);
  const newestFirst = containers
    .map((container, index) => ({ container, index, status: findContainerStatusByName(podStatus, container.name) }))
    .toReversed();
  for (const { container, status } of newestFirst) {
    if (!status || !isInitContainerFailedV120(status)) continue;
    recordDecision('failed', container, status, 'it failed');
    return { status, next: container, done: false };
  }
  for (const { container, index, status } of newestFirst) {
    if (status?.state === 'running') {
      recordDecision('running', container, status, 'wait for it');
      return { done: false };
    }
    if (status?.state !== 'exited') continue;
    const next = containers[index + 1];
    recordDecision('succeeded', container, status, next ? `start the next: ${next.name}` : 'initialization is over');
    return next ? { next, done: false } : { done: true };
  }
  const [first] = containers;
  if (first) recordDecision('first', first, undefined, 'start: no init container has run yet');
  return { next: first, done: false };
}
