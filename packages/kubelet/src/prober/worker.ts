/** Probes one container periodically. Upstream: pkg/kubelet/prober/worker.go (v1.36). */
import {
  type PodStatus as ApiPodStatus,
  type Container,
  type ContainerStatus,
  type Pod,
  type Probe,
} from '@podscope/k8s';
import { type ContainerID, formatContainerID, type ProbeResult, parseContainerID } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, parseTime, withSignal } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import { isTerminalPhase } from '../status/manager/merge-pod-status.ts';
import { shouldAllContainersRestart } from '../status/restart-all-containers.ts';
import { pause, waitUntil } from '../util/wait.ts';
import { isSidecarOf, type ProbeProfile } from './probe-profile.ts';
import type { Prober } from './prober.ts';
import type { ResultsManager } from './results-manager.ts';
import type { ProbeType } from './update-pod-status.ts';

const initialResults: Readonly<Record<ProbeType, ProbeResult>> = {
  liveness: 'success',
  readiness: 'failure',
  startup: 'unknown',
};

export interface ProbeWorkerDependencies {
  readonly prober: Prober;
  readonly results: ResultsManager;
  readonly podStatus: (uid: string) => ApiPodStatus | undefined;
  readonly random: () => number;
  readonly startTime: Instant;
  readonly gates: FeatureGates;
  readonly profile: ProbeProfile;
  /** How many failures in a row an earlier kubelet counted for the running instance. */
  readonly failuresBefore: number;
}

/** A container that started at least this many ms before the kubelet gets no initial result. */
const restartTolerance = 10_000;

/** Probes one container with one type of probe. Keeps the spec that the pod had when the worker was created. */
export class ProbeWorker {
  readonly type: ProbeType;
  readonly #dependencies: ProbeWorkerDependencies;
  readonly #pod: Pod;
  readonly #container: Container;
  readonly #probe: Probe;
  readonly #stop = new AbortController();
  #wake: (() => void) | undefined;
  #triggered = false;
  #containerID: ContainerID | undefined;
  #lastResult: ProbeResult = 'unknown';
  #resultRun = 0;
  #onHold = false;

  constructor(type: ProbeType, pod: Pod, container: Container, probe: Probe, dependencies: ProbeWorkerDependencies) {
    this.type = type;
    this.#pod = pod;
    this.#container = container;
    this.#probe = probe;
    this.#dependencies = dependencies;
    if (dependencies.failuresBefore > 0) [this.#lastResult, this.#resultRun] = ['failure', dependencies.failuresBefore];
  }

  /** Stops the worker once the current attempt has ended. */
  stop(): void {
    this.#stop.abort();
  }

  /** Probes now. */
  trigger(): void {
    this.#triggered = true;
    this.#wake?.();
  }

  /**
   * Probes periodically until {@link stop} is called. As upstream, a stop interrupts neither an attempt nor the wait
   * before the first one.
   */
  async run(ctx: Context): Promise<void> {
    const stoppable = withSignal(ctx, this.#stop.signal);
    const period = (this.#probe.periodSeconds ?? 10) * 1000;
    const { profile, startTime } = this.#dependencies;
    // After a restart of the kubelet, each probe starts at a random instant within its period, so that not all run at
    // once.
    if (
      (profile.alwaysSleepsFirst || ctx.clock.now() - startTime < period) &&
      !(await pause(ctx, this.#dependencies.random() * period))
    )
      return this.#end();
    let next = addMilliseconds(ctx.clock.now(), period);
    while (await this.#doProbe(ctx)) {
      // A Go ticker keeps one of the ticks that pass during an attempt, so the next attempt starts at once.
      if (!this.#triggered && next > ctx.clock.now()) await waitUntil(stoppable, next, (wake) => (this.#wake = wake));
      if (stoppable.signal.aborted) break;
      const now = ctx.clock.now();
      if (this.#triggered) next = addMilliseconds(now, period);
      else while (next <= now) next = addMilliseconds(next, period);
      this.#triggered = false;
    }
    this.#end();
  }

  #end(): void {
    if (this.#containerID) this.#dependencies.results.remove(this.#containerID);
  }

  /**
   * Runs the probe if the container has to be probed now. Upstream: doProbe.
   * @returns false when the worker can stop
   */
  async #doProbe(ctx: Context): Promise<boolean> {
    const { uid } = this.#pod.metadata;
    const status = this.#dependencies.podStatus(uid);
    if (!status) return true;
    if (isTerminalPhase(status.phase)) return false;
    const { profile } = this.#dependencies;
    const container = profile.statusesOf(status).find(({ name }) => name === this.#container.name);
    if (!container?.containerID) return true;
    const id = parseContainerID(container.containerID);
    if (!this.#containerID || formatContainerID(this.#containerID) !== container.containerID)
      this.#startInstance(id, container);
    if (this.#onHold) return true;
    const startedAt = container.state?.running?.startedAt;
    if (!container.state?.running || typeof startedAt !== 'string') {
      this.#dependencies.results.set(id, 'failure', uid);
      const terminated = container.state?.terminated;
      const { gates } = this.#dependencies;
      return (
        !terminated ||
        profile.mayComeBack(this.#container, this.#pod, terminated.exitCode, gates) ||
        shouldAllContainersRestart(this.#pod, undefined, status, gates)
      );
    }
    // As in upstream, this is the pod as it was when the worker was created: a deletion that follows doesn't end the
    // worker.
    const isDeleted = this.#pod.metadata.deletionTimestamp !== undefined;
    if (profile.endsWithDeletion && isDeleted && this.type !== 'readiness') {
      this.#dependencies.results.set(id, 'success', uid);
      return false;
    }
    if (Math.floor((ctx.clock.now() - parseTime(startedAt)) / 1000) < (this.#probe.initialDelaySeconds ?? 0))
      return true;
    if ((container.started === true) === (this.type === 'startup')) return true;
    await this.#attempt(ctx, status, id);
    return true;
  }

  /** Resets the state for a new instance of the container. */
  #startInstance(id: ContainerID, container: ContainerStatus): void {
    const { results, gates, startTime } = this.#dependencies;
    const { uid } = this.#pod.metadata;
    if (this.#containerID) results.remove(this.#containerID);
    this.#containerID = id;
    this.#onHold = false;
    const startedAt = container.state?.running?.startedAt;
    const old = typeof startedAt === 'string' && parseTime(startedAt) < startTime - restartTolerance;
    const ignoresRestarts = gates.ChangeContainerStatusOnKubeletRestart;
    if (!ignoresRestarts && this.type === 'startup' && container.started && isSidecarOf(this.#pod, this.#container))
      results.set(id, 'success', uid);
    if (ignoresRestarts || !old) results.set(id, initialResults[this.type], uid);
  }

  async #attempt(ctx: Context, status: ApiPodStatus, id: ContainerID): Promise<void> {
    const { prober, results, profile } = this.#dependencies;
    const { uid } = this.#pod.metadata;
    let result: ProbeResult;
    try {
      result = await prober.probe(ctx, {
        type: this.type,
        probe: this.#probe,
        pod: this.#pod,
        status,
        container: this.#container,
        id,
      });
    } catch {
      return;
    }
    this.#resultRun = result === this.#lastResult ? this.#resultRun + 1 : 1;
    this.#lastResult = result;
    const threshold = result === 'success' ? (this.#probe.successThreshold ?? 1) : (this.#probe.failureThreshold ?? 3);
    if (this.#resultRun < threshold) return;
    results.set(id, result, uid);
    // After this result the container is restarted or has started, so the worker doesn't probe this instance any more.
    if (
      (result === 'failure' && this.type !== 'readiness') ||
      (profile.startupSuccessHolds && result === 'success' && this.type === 'startup')
    ) {
      this.#onHold = true;
      this.#resultRun = 0;
    }
  }
}
