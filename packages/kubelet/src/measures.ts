/** What the kubelet counts and the event log has no word for, as nothing came of it: for whoever keeps metrics. */
import type { Clock, Milliseconds } from '@podscope/trace';
import type { CgroupManager } from './dependencies.ts';

export type Measure =
  /** One look at all pods. `interval`: since the start of the look before. */
  | { readonly of: 'relist'; readonly duration: Milliseconds; readonly interval: Milliseconds | undefined }
  /** One look at one pod, asked for by its worker. */
  | { readonly of: 'podRelist'; readonly duration: Milliseconds }
  | { readonly of: 'cgroup'; readonly operation: 'create' | 'update' | 'destroy'; readonly duration: Milliseconds };

/** Hands measures to listeners; without any it costs nothing. */
export class Measures {
  readonly #listeners = new Set<(measure: Measure) => void>();

  /** @returns ends it */
  subscribe(listener: (measure: Measure) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  take(measure: Measure): void {
    for (const listener of this.#listeners) listener(measure);
  }

  /** Does the work and tells how long it took, also when it failed. */
  async time<T>(clock: Clock, work: () => Promise<T>, measure: (duration: Milliseconds) => Measure): Promise<T> {
    const start = clock.now();
    try {
      return await work();
    } finally {
      this.take(measure(clock.now() - start));
    }
  }
}

/** The cgroups with the time that changes of them take. Upstream: cgroup_manager_linux.go, the deferred CgroupManagerDuration (v1.36 and v1.20). */
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
