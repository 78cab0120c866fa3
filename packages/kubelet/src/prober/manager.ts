/** Manages a worker for each probe of each running pod. Upstream: pkg/kubelet/prober/prober_manager.go (v1.36). */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { ContainerID, ProbeResult } from '@podscope/kuberuntime';
import { type Context, type Instant, instant, withThread } from '@podscope/trace';
import type { RestoredProbeFailures } from '../dependencies.ts';
import type { FeatureGates } from '../features.ts';
import type { Measures } from '../metrics/measures.ts';
import type { TaskGroup } from '../util/task-group.ts';
import { type ProbeProfile, probeProfileV136 } from './probe-profile.ts';
import type { Prober } from './prober.ts';
import { type ProbeUpdate, ResultsManager } from './results-manager.ts';
import type { ProbeState, ProbeType } from './update-pod-status.ts';
import { ProbeWorker } from './worker.ts';

/** A probe result for the sync loop. */
export interface ProbeMessage extends ProbeUpdate {
  readonly type: ProbeType;
}

export interface ProbeManagerDependencies {
  readonly prober: Prober;
  readonly podStatus: (uid: string) => ApiPodStatus | undefined;
  readonly random: () => number;
  readonly gates: FeatureGates;
  /** The release's rules for probes. Default: v1.36. */
  readonly profile?: ProbeProfile;
  readonly tasks: TaskGroup;
  readonly deliver: (message: ProbeMessage) => void;
  readonly measures?: Measures;
}

// Startup comes first, because a startup probe delays the other probes.
const probeTypes: readonly ProbeType[] = ['startup', 'readiness', 'liveness'];

/** Stores the workers by pod, container and type, and the results by type. */
export class ProbeManager implements ProbeState {
  readonly results: Readonly<Record<ProbeType, ResultsManager>>;
  readonly #dependencies: ProbeManagerDependencies;
  readonly #workers = new Map<string, Map<string, ProbeWorker>>();
  #root: Context | undefined;
  /** How many failures an earlier kubelet counted, by pod, container and type. */
  readonly #failuresBefore = new Map<string, number>();

  constructor(dependencies: ProbeManagerDependencies) {
    this.#dependencies = dependencies;
    const manager = (type: ProbeType): ResultsManager =>
      new ResultsManager((update) => dependencies.deliver({ ...update, type }));
    this.results = { liveness: manager('liveness'), readiness: manager('readiness'), startup: manager('startup') };
  }

  /**
   * Starts probing.
   * @param failures the failures that an earlier kubelet counted
   */
  start(ctx: Context, failures: readonly RestoredProbeFailures[] = []): void {
    this.#root = ctx;
    this.startTime = ctx.clock.now();
    for (const { pod, container, type, count } of failures)
      this.#failuresBefore.set(`${pod.metadata.uid}/${container}/${type}`, count);
  }

  startTime: Instant = instant(0);

  /** Starts the missing workers of a pod. Upstream: AddPod. */
  addPod(pod: Pod): void {
    const root = this.#root;
    if (!root) return;
    const { uid, name, namespace = '' } = pod.metadata;
    const workers = this.#workers.get(uid) ?? new Map<string, ProbeWorker>();
    const profile = this.#dependencies.profile ?? probeProfileV136;
    for (const container of profile.probed(pod)) {
      for (const type of probeTypes) {
        const probe = container[`${type}Probe`];
        if (!probe) continue;
        const key = `${container.name}/${type}`;
        if (workers.has(key)) return;
        const worker = new ProbeWorker(type, pod, container, probe, {
          ...this.#dependencies,
          profile,
          results: this.results[type],
          startTime: this.startTime,
          failuresBefore: this.#failuresBefore.get(`${uid}/${key}`) ?? 0,
        });
        this.#failuresBefore.delete(`${uid}/${key}`);
        workers.set(key, worker);
        this.#workers.set(uid, workers);
        const ctx = withThread(root, `probe ${uid}/${key}`, { uid, name, namespace });
        this.#dependencies.tasks.start(async () => {
          await worker.run(ctx);
          this.#dependencies.measures?.take({ of: 'probeEnd', pod, container: container.name, type });
          if (workers.get(key) === worker) workers.delete(key);
          if (workers.size === 0 && this.#workers.get(uid) === workers) this.#workers.delete(uid);
        });
      }
    }
  }

  /**
   * Stops the liveness and startup probes of the regular containers of a terminating pod. As in v1.36, the probes of
   * sidecars continue until {@link removePod}; later releases stop them too. Upstream: StopLivenessAndStartup (v1.36).
   */
  stopLivenessAndStartup({ metadata, spec }: Pod): void {
    for (const { name } of spec.containers)
      for (const type of ['liveness', 'startup']) this.#workers.get(metadata.uid)?.get(`${name}/${type}`)?.stop();
  }

  /** Stops all workers of a pod. */
  removePod(uid: string): void {
    for (const worker of this.#workers.get(uid)?.values() ?? []) worker.stop();
  }

  /** Stops the workers of all pods except these. Upstream: CleanupPods. */
  cleanupPods(desired: ReadonlySet<string>): void {
    for (const uid of this.#workers.keys()) if (!desired.has(uid)) this.removePod(uid);
  }

  result(type: ProbeType, id: ContainerID): ProbeResult | undefined {
    return this.results[type].get(id);
  }

  hasWorker(type: ProbeType, uid: string, container: string): boolean {
    // A probe of an earlier kubelet counts too, because its worker is about to be created.
    return (
      (this.#workers.get(uid)?.has(`${container}/${type}`) ?? false) ||
      this.#failuresBefore.has(`${uid}/${container}/${type}`)
    );
  }

  /**
   * Runs a readiness probe as soon as the caller has stored the status that it is generating. With the previous status,
   * the worker would probe the previous instance of the container.
   */
  triggerReadiness(uid: string, container: string): void {
    const worker = this.#workers.get(uid)?.get(`${container}/readiness`);
    if (worker) this.#root?.clock.schedule(0, () => worker.trigger());
  }
}
