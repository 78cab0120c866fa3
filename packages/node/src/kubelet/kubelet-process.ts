/**
 * Runs the kubelet like a process of the node: starts and restarts it, and delivers the pods of the API and of files to
 * it. As after a crash, a restarted kubelet has an empty memory. Upstream: cmd/kubelet/app.RunKubelet, and
 * config.PodConfig's sources (v1.36).
 */
import { findPolicyViolations, formatPolicyViolations, type PodPolicyOptions, type Storage } from '@podscope/apiserver';
import type { Pod } from '@podscope/k8s';
import type { Kubelet, KubeletDependencies } from '@podscope/kubelet';
import { type Clock, type Context, describeError, type Timer, withSignal } from '@podscope/trace';
import type { RefusedPod, StaticPodSource } from '../node-host-options.ts';

export interface KubeletProcessDependencies {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly nodeName: string;
  readonly policy: PodPolicyOptions;
  readonly createKubelet: (memory?: KubeletDependencies['memory']) => Kubelet;
  /** The state that another kubelet had in memory. The first kubelet continues from it. */
  readonly memory: KubeletDependencies['memory'];
  /** Returns a context for a thread of the node. */
  readonly context: (thread: string) => Context;
  /** The signal that is aborted when the node stops. */
  readonly signal: AbortSignal;
  /** Called each time a kubelet starts. */
  readonly onStart: () => void;
  readonly onError?: ((message: string, error: unknown) => void) | undefined;
}

/** The kubelet that runs on the node. */
export class KubeletProcess {
  readonly #dependencies: KubeletProcessDependencies;
  readonly #staticPods = new Map<StaticPodSource, readonly Pod[]>();
  #kubelet: Kubelet;
  /** Ends the current kubelet. */
  #controller = new AbortController();
  #run: Promise<void> = Promise.resolve();
  #delivery: Timer | undefined;

  constructor(dependencies: KubeletProcessDependencies) {
    this.#dependencies = dependencies;
    this.#kubelet = dependencies.createKubelet(dependencies.memory);
  }

  /** The running kubelet, or the last one if none is running. */
  get kubelet(): Kubelet {
    return this.#kubelet;
  }

  /** Starts the kubelet. */
  start(): void {
    const { signal } = this.#controller;
    this.#dependencies.onStart();
    this.#run = this.#guard(
      'The kubelet stopped',
      this.kubelet.run(withSignal(this.#dependencies.context('syncLoop'), signal)),
      signal,
    );
  }

  /** Resolves once the kubelet's loops have ended. */
  ended(): Promise<void> {
    return this.#run;
  }

  /**
   * Ends the kubelet at once, as SIGKILL would, and starts another one. Back-offs, caches and probe results are lost.
   * API objects and files are read again, and containers continue to run.
   * @param whileDown changes the machine before the new kubelet starts; an error is thrown once the kubelet runs again
   */
  async restart(whileDown: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    this.#controller.abort(new DOMException('The kubelet is restarted.', 'AbortError'));
    this.#warn('The kubelet was killed. Everything in its memory is lost.');
    await this.#run;
    try {
      await whileDown();
    } finally {
      if (!this.#dependencies.signal.aborted) {
        this.#kubelet = this.#dependencies.createKubelet();
        this.#controller = new AbortController();
        for (const [source, pods] of this.#staticPods) this.#kubelet.podConfig.set(source, pods);
        this.deliverPods();
        this.#warn('A new kubelet starts.');
        this.start();
      }
    }
  }

  /**
   * Replaces the static pods of a source. Pods that violate the pod security policy are rejected.
   * @returns the rejected pods
   */
  setStaticPods(pods: readonly Pod[], source: StaticPodSource): readonly RefusedPod[] {
    const checked = pods.map((pod) => ({ pod, violations: findPolicyViolations(pod, this.#dependencies.policy) }));
    const admitted = checked.filter(({ violations }) => violations.length === 0).map(({ pod }) => pod);
    this.#staticPods.set(source, admitted);
    this.kubelet.podConfig.set(source, admitted);
    return checked
      .filter(({ violations }) => violations.length > 0)
      .map(({ pod, violations }) => ({ pod, message: formatPolicyViolations(violations) }));
  }

  /**
   * Delivers the node's pods from the API in the next turn of the event loop. Otherwise, the kubelet would receive the
   * effect of its own API call before the call returns.
   */
  deliverPods(): void {
    const { clock, storage, nodeName, signal } = this.#dependencies;
    if (signal.aborted) return;
    this.#delivery ??= clock.schedule(0, () => {
      this.#delivery = undefined;
      this.kubelet.podConfig.set(
        'api',
        storage.list('Pod').filter(({ spec }) => spec.nodeName === nodeName),
      );
    });
  }

  /** Cancels a pending delivery. */
  cancelDelivery(): void {
    this.#delivery?.cancel();
  }

  async #guard(what: string, loop: Promise<void>, signal?: AbortSignal): Promise<void> {
    const { context, onError, signal: stopped } = this.#dependencies;
    try {
      await loop;
    } catch (error) {
      if (stopped.aborted || signal?.aborted) return;
      const ctx = context('node');
      ctx.tracer.emit(ctx, { type: 'output', level: 'error', message: `${what}: ${describeError(error).message}` });
      onError?.(what, error);
    }
  }

  #warn(message: string): void {
    const ctx = this.#dependencies.context('node');
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  }
}
