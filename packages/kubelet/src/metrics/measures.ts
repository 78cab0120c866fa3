/**
 * Collects durations and counts for metrics that the event log doesn't contain: most of the measured work finds nothing
 * to do and emits nothing.
 */
import type { Pod } from '@podscope/k8s';
import type { Clock, Milliseconds } from '@podscope/trace';
import type { CgroupManager } from '../dependencies.ts';

export type Measure =
  /** A relist of all pods. `interval` is the time since the start of the previous relist. */
  | { readonly of: 'relist'; readonly duration: Milliseconds; readonly interval: Milliseconds | undefined }
  /** A relist of a single pod, which the pod's worker requested. */
  | { readonly of: 'podRelist'; readonly duration: Milliseconds }
  | { readonly of: 'cgroup'; readonly operation: 'create' | 'update' | 'destroy'; readonly duration: Milliseconds }
  /** A pod that was preempted and has ended. `resource` is the first resource that the critical pod lacked. */
  | { readonly of: 'preemption'; readonly resource: string }
  /** A container whose status has become terminated. */
  | {
      readonly of: 'termination';
      readonly container: 'container' | 'init_container' | 'ephemeral_container';
      readonly exitCode: number;
      readonly reason: string;
    }
  /** The directories that a sweep found for pods that are gone, and how many of them it couldn't remove. */
  | { readonly of: 'orphans'; readonly found: number; readonly kept: number }
  /** The end of the worker of a probe. */
  | { readonly of: 'probeEnd'; readonly pod: Pod; readonly container: string; readonly type: string };

/** Forwards measures to listeners. A measure without a listener is dropped. */
export class Measures {
  readonly #listeners = new Set<(measure: Measure) => void>();

  /**
   * Adds a listener.
   * @returns a function that removes it
   */
  subscribe(listener: (measure: Measure) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  take(measure: Measure): void {
    for (const listener of this.#listeners) listener(measure);
  }

  /** Runs the work and records its duration, even if the work fails. */
  async time<T>(clock: Clock, work: () => Promise<T>, measure: (duration: Milliseconds) => Measure): Promise<T> {
    const start = clock.now();
    try {
      return await work();
    } finally {
      this.take(measure(clock.now() - start));
    }
  }
}

/**
 * Wraps a cgroup manager so that the duration of each change is recorded. Upstream: cgroup_manager_linux.go, the
 * deferred CgroupManagerDuration (v1.36 and v1.20).
 */
export function measuredCgroups(cgroups: CgroupManager, measures: Measures, clock: () => Clock): CgroupManager {
  const timed = (operation: 'create' | 'update' | 'destroy', work: () => Promise<void>): Promise<void> =>
    measures.time(clock(), work, (duration) => ({ of: 'cgroup', operation, duration }));
  return {
    exists: (path) => cgroups.exists(path),
    create: (path, config) => timed('create', () => cgroups.create(path, config)),
    update: (path, config) => timed('update', () => cgroups.update(path, config)),
    read: (path, resource) => cgroups.read(path, resource),
    memoryUsage: (path) => cgroups.memoryUsage(path),
    destroy: (path) => timed('destroy', () => cgroups.destroy(path)),
    pods: () => cgroups.pods(),
  };
}
