/**
 * Collects durations for metrics that the event log doesn't contain, because the measured work often finds nothing to
 * do.
 */
import type { Clock, Milliseconds } from '@podscope/trace';
import type { CgroupManager } from '../dependencies.ts';

export type Measure =
  /** One relist. `interval`: the time since the start of the relist before. */
  | { readonly of: 'relist'; readonly duration: Milliseconds; readonly interval: Milliseconds | undefined }
  /** One relist of a single pod, requested by its worker. */
  | { readonly of: 'podRelist'; readonly duration: Milliseconds }
  | { readonly of: 'cgroup'; readonly operation: 'create' | 'update' | 'destroy'; readonly duration: Milliseconds };

/** Passes measures to listeners; costs nothing without any. */
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

  /** Runs the work and records its duration, also when it fails. */
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
