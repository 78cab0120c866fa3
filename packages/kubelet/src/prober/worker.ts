/** Probes one container again and again. Upstream: pkg/kubelet/prober/worker.go (v1.36). */
import { type PodStatus as ApiPodStatus, type Container, type ContainerStatus, type Pod, type Probe } from '@podscope/k8s';
import { type ContainerID, formatContainerID, type ProbeResult, parseContainerID } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, parseTime } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import { isTerminalPhase } from '../status/merge-pod-status.ts';
import { pause, waitUntil } from '../util/wait.ts';
import type { ProbeProfile } from './probe-profile.ts';
import type { Prober } from './prober.ts';
import type { ResultsManager } from './results-manager.ts';
import type { ProbeType } from './update-pod-status.ts';

const initialResults: Readonly<Record<ProbeType, ProbeResult>> = { liveness: 'success', readiness: 'failure', startup: 'unknown' };

export interface ProbeWorkerDependencies {
  readonly prober: Prober;
  readonly results: ResultsManager;
  readonly podStatus: (uid: string) => ApiPodStatus | undefined;
  /** The pod as it is wanted now, for its deletion timestamp. */
  readonly pod: (uid: string) => Pod | undefined;
  readonly random: () => number;
  readonly startTime: Instant;
  readonly gates: FeatureGates;
  readonly profile: ProbeProfile;
  /** Failures in a row that another kubelet counted of the instance that runs. */
  readonly failuresBefore: number;
}

/** Containers that ran this long before the kubelet are not given a first value. */
const restartTolerance = 10_000;

/** One worker: a container and a type of probe, with the spec it was made with. */
export class ProbeWorker {
  readonly type: ProbeType;
  readonly #deps: ProbeWorkerDependencies;
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

  constructor(type: ProbeType, pod: Pod, container: Container, probe: Probe, deps: ProbeWorkerDependencies) {
    this.type = type;
    this.#pod = pod;
    this.#container = container;
    this.#probe = probe;
    this.#deps = deps;
    if (deps.failuresBefore > 0) [this.#lastResult, this.#resultRun] = ['failure', deps.failuresBefore];
  }

  /** Ends the worker after the attempt under way. */
  stop(): void {
    this.#stop.abort();
    this.#wake?.();
  }

  /** Probes at once. */
  trigger(): void {
    this.#triggered = true;
    this.#wake?.();
  }

  /** Probes until stopped. */
  async run(root: Context): Promise<void> {
    const ctx: Context = { ...root, signal: AbortSignal.any([root.signal, this.#stop.signal]) };
    const period = (this.#probe.periodSeconds ?? 10) * 1000;
    const { profile, startTime } = this.#deps;
    // After a restart of the kubelet not all probes at once.
    if ((profile.alwaysSleepsFirst || ctx.clock.now() - startTime < period) && !(await pause(ctx, this.#deps.random() * period))) return this.#end();
    let next = addMilliseconds(ctx.clock.now(), period);
    while (await this.#doProbe(ctx)) {
      while (next <= ctx.clock.now()) next = addMilliseconds(next, period);
      if (!this.#triggered) await waitUntil(ctx, next, (wake) => (this.#wake = wake));
      if (ctx.signal.aborted) break;
      if (this.#triggered) next = addMilliseconds(ctx.clock.now(), period);
      this.#triggered = false;
    }
    this.#end();
  }

  #end(): void {
    if (this.#containerID) this.#deps.results.remove(this.#containerID);
  }

  /** @returns false when there is nothing left to probe. Upstream: doProbe. */
  async #doProbe(ctx: Context): Promise<boolean> {
    const { uid } = this.#pod.metadata;
    const status = this.#deps.podStatus(uid);
    if (!status) return true;
    if (isTerminalPhase(status.phase)) return false;
    const { profile } = this.#deps;
    const container = profile.statusesOf(status).find(({ name }) => name === this.#container.name);
    if (!container?.containerID) return true;
    const id = parseContainerID(container.containerID);
    if (!this.#containerID || formatContainerID(this.#containerID) !== container.containerID) this.#meet(id, container);
    if (this.#onHold) return true;
    const startedAt = container.state?.running?.startedAt;
    if (!container.state?.running || typeof startedAt !== 'string') {
      this.#deps.results.set(id, 'failure', uid);
      const terminated = container.state?.terminated;
      return !terminated || profile.mayComeBack(this.#container, this.#pod, terminated.exitCode, this.#deps.gates);
    }
    const pod = this.#deps.pod(uid) ?? this.#pod;
    if (profile.endsWithDeletion && pod.metadata.deletionTimestamp !== undefined && this.type !== 'readiness') {
      this.#deps.results.set(id, 'success', uid);
      return false;
    }
    if (Math.floor((ctx.clock.now() - parseTime(startedAt)) / 1000) < (this.#probe.initialDelaySeconds ?? 0)) return true;
    if ((container.started === true) === (this.type === 'startup')) return true;
    await this.#attempt(ctx, status, id);
    return true;
  }

  /** A new instance of the container. */
  #meet(id: ContainerID, container: ContainerStatus): void {
    const { results, gates, startTime } = this.#deps;
    const { uid } = this.#pod.metadata;
    if (this.#containerID) results.remove(this.#containerID);
    this.#containerID = id;
    this.#onHold = false;
    const startedAt = container.state?.running?.startedAt;
    const old = typeof startedAt === 'string' && parseTime(startedAt) < startTime - restartTolerance;
    if (gates.ChangeContainerStatusOnKubeletRestart || !old) results.set(id, initialResults[this.type], uid);
    else if (this.type === 'startup' && container.started && this.#container.restartPolicy === 'Always') results.set(id, 'success', uid);
  }

  async #attempt(ctx: Context, status: ApiPodStatus, id: ContainerID): Promise<void> {
    const { prober, results, profile } = this.#deps;
    const { uid } = this.#pod.metadata;
    let result: ProbeResult;
    try {
      result = await prober.probe(ctx, { type: this.type, probe: this.#probe, pod: this.#pod, status, container: this.#container, id });
    } catch {
      return;
    }
    this.#resultRun = result === this.#lastResult ? this.#resultRun + 1 : 1;
    this.#lastResult = result;
    const threshold = result === 'success' ? (this.#probe.successThreshold ?? 1) : (this.#probe.failureThreshold ?? 3);
    if (this.#resultRun < threshold) return;
    results.set(id, result, uid);
    // The container will be restarted, or (startup) is up: nothing to probe until then.
    if ((result === 'failure' && this.type !== 'readiness') || (profile.startupSuccessHolds && result === 'success' && this.type === 'startup')) {
      this.#onHold = true;
      this.#resultRun = 0;
    }
  }
}
