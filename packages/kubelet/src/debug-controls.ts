/**
 * Offers the actions of a debugger on a running kubelet: sync a pod now, end or set a back-off, find a running
 * container.
 */
import { goQuote, type Pod } from '@podscope/k8s';
import { type Backoff, KubeGenericRuntimeManager, type Runtime } from '@podscope/kuberuntime';
import type { Context, Milliseconds } from '@podscope/trace';
import type { PodCache } from './container/pod-cache.ts';
import type { RestoredBackOff } from './dependencies.ts';
import type { PodManager } from './pod/pod-manager.ts';

export interface DebugControlsDependencies {
  readonly podManager: PodManager;
  readonly podCache: PodCache;
  readonly resync: (ctx: Context, pod: Pod) => void;
  readonly runtime: Runtime;
  readonly backOff: () => Backoff;
  readonly root: () => Context;
}

/** Thrown when the pod or container doesn't exist or isn't in the required state. */
export class DebugControlError extends Error {
  override readonly name = 'DebugControlError';
}

/** The actions by pod name. All throw {@link DebugControlError} when the pod or container doesn't exist. */
export class DebugControls {
  readonly #dependencies: DebugControlsDependencies;

  constructor(dependencies: DebugControlsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the pod's worker sync the pod now. */
  resync(uid: string): void {
    const pod = this.#dependencies.podManager.getPodByUID(uid);
    const ctx = this.#dependencies.root();
    if (pod) this.#dependencies.resync(ctx, pod);
  }

  /**
   * Ends the back-offs of a container and syncs its pod.
   * @returns the back-offs that were ended: `restart`, `image pull`; empty when the container wasn't waiting
   */
  skipBackOff(namespace: string, name: string, container: string): readonly string[] {
    const pod = this.#pod(namespace, name);
    const skipped: string[] = [];
    if (this.#dependencies.backOff().waive(this.#restartKey(pod, container))) skipped.push('restart');
    if (this.#manager()?.imageBackOff(this.#dependencies.root()).waive(pullKey(pod, container)))
      skipped.push('image pull');
    this.resync(pod.metadata.uid);
    return skipped;
  }

  /** Restores the back-offs that an earlier kubelet had. */
  restoreBackOffs(entries: readonly RestoredBackOff[]): void {
    for (const { kind, pod, container, ...entry } of entries) {
      if (kind === 'container') this.#dependencies.backOff().restore(this.#restartKey(pod, container), entry);
      else this.#manager()?.imageBackOff(this.#dependencies.root()).restore(pullKey(pod, container), entry);
    }
  }

  /** Sets the length of a container's restart back-off and syncs its pod. */
  setBackOff(namespace: string, name: string, container: string, duration: Milliseconds): void {
    const pod = this.#pod(namespace, name);
    this.#dependencies.backOff().set(this.#restartKey(pod, container), duration);
    this.resync(pod.metadata.uid);
  }

  /** Returns the id of the container's running instance, as the runtime last reported it. */
  runningContainer(namespace: string, name: string, container: string): { readonly id: string; readonly pod: Pod } {
    const pod = this.#pod(namespace, name);
    this.#restartKey(pod, container);
    const { status } = this.#dependencies.podCache.get(pod.metadata.uid);
    const running = status.containerStatuses.find(
      (candidate) => candidate.name === container && candidate.state === 'running',
    );
    if (!running) throw new DebugControlError(`container ${goQuote(container)} of pod ${goQuote(name)} is not running`);
    return { id: running.id.id, pod };
  }

  #pod(namespace: string, name: string): Pod {
    const pod = this.#dependencies.podManager.getPodByName(namespace, name);
    if (!pod) throw new DebugControlError(`this node has no pod ${goQuote(name)} in namespace ${goQuote(namespace)}`);
    return pod;
  }

  #restartKey(pod: Pod, name: string): string {
    const container = findContainer(pod, name);
    if (!container) throw new DebugControlError(`pod ${goQuote(pod.metadata.name)} has no container ${goQuote(name)}`);
    return this.#manager()?.containerBackOffKey(pod, container) ?? '';
  }

  /** Returns the runtime manager; undefined in tests with a fake runtime manager, which has no back-offs. */
  #manager(): KubeGenericRuntimeManager | undefined {
    const { runtime } = this.#dependencies;
    return runtime instanceof KubeGenericRuntimeManager ? runtime : undefined;
  }
}

const findContainer = ({ spec }: Pod, name: string): Pod['spec']['containers'][number] | undefined =>
  [...spec.containers, ...(spec.initContainers ?? [])].find((container) => container.name === name);

/** Returns the key of a container's image back-off. */
const pullKey = (pod: Pod, container: string): string =>
  `${pod.metadata.uid}_${findContainer(pod, container)?.image ?? ''}`;
