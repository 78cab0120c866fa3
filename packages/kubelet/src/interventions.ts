/** What a person may do to a kubelet that runs, past its own decisions. */
import { goQuote, type Pod } from '@podscope/k8s';
import { type Backoff, KubeGenericRuntimeManager, type Runtime } from '@podscope/kuberuntime';
import type { Context, Milliseconds } from '@podscope/trace';
import type { RestoredBackOff } from './dependencies.ts';
import type { PodCache } from './pod-cache.ts';
import type { PodManager } from './pod-manager.ts';

export interface KubeletInterventionsDependencies {
  readonly podManager: PodManager;
  readonly podCache: PodCache;
  readonly resync: (ctx: Context, pod: Pod) => void;
  readonly runtime: Runtime;
  readonly backOff: () => Backoff;
  readonly root: () => Context;
}

/** A pod or container that is not there, or not in the state that is needed. */
export class InterventionError extends Error {
  override readonly name = 'InterventionError';
}

/** Interventions by pod name. All throw {@link InterventionError} when there is no such pod or container. */
export class KubeletInterventions {
  readonly #deps: KubeletInterventionsDependencies;

  constructor(deps: KubeletInterventionsDependencies) {
    this.#deps = deps;
  }

  /** Lets the pod's worker make another pass at once. */
  resync(uid: string): void {
    const pod = this.#deps.podManager.getPodByUID(uid);
    const ctx = this.#deps.root();
    if (pod) this.#deps.resync(ctx, pod);
  }

  /**
   * Ends the waits a container is in.
   * @returns which: `restart`, `image pull`; empty when it waits for nothing
   */
  skipBackOff(namespace: string, name: string, container: string): readonly string[] {
    const pod = this.#pod(namespace, name);
    const skipped: string[] = [];
    if (this.#deps.backOff().waive(this.#restartKey(pod, container))) skipped.push('restart');
    if (this.#manager()?.imageBackOff(this.#deps.root()).waive(pullKey(pod, container))) skipped.push('image pull');
    this.resync(pod.metadata.uid);
    return skipped;
  }

  /** Puts waits in place that another kubelet had in its memory. */
  restoreBackOffs(entries: readonly RestoredBackOff[]): void {
    for (const { kind, pod, container, ...entry } of entries) {
      if (kind === 'container') this.#deps.backOff().restore(this.#restartKey(pod, container), entry);
      else this.#manager()?.imageBackOff(this.#deps.root()).restore(pullKey(pod, container), entry);
    }
  }

  /** Gives a container's restart back-off another length. */
  setBackOff(namespace: string, name: string, container: string, duration: Milliseconds): void {
    const pod = this.#pod(namespace, name);
    this.#deps.backOff().set(this.#restartKey(pod, container), duration);
    this.resync(pod.metadata.uid);
  }

  /** The id of the container's running instance, as the runtime last showed it. */
  runningContainer(namespace: string, name: string, container: string): { readonly id: string; readonly pod: Pod } {
    const pod = this.#pod(namespace, name);
    this.#restartKey(pod, container);
    const { status } = this.#deps.podCache.get(pod.metadata.uid);
    const running = status.containerStatuses.find((candidate) => candidate.name === container && candidate.state === 'running');
    if (!running) throw new InterventionError(`container ${goQuote(container)} of pod ${goQuote(name)} does not run`);
    return { id: running.id.id, pod };
  }

  #pod(namespace: string, name: string): Pod {
    const pod = this.#deps.podManager.getPodByName(namespace, name);
    if (!pod) throw new InterventionError(`this node has no pod ${goQuote(name)} in namespace ${goQuote(namespace)}`);
    return pod;
  }

  #restartKey(pod: Pod, name: string): string {
    const container = findContainer(pod, name);
    if (!container) throw new InterventionError(`pod ${goQuote(pod.metadata.name)} has no container ${goQuote(name)}`);
    return this.#manager()?.containerBackOffKey(pod, container) ?? '';
  }

  /** Another runtime manager, as tests have, keeps its back-offs to itself. */
  #manager(): KubeGenericRuntimeManager | undefined {
    const { runtime } = this.#deps;
    return runtime instanceof KubeGenericRuntimeManager ? runtime : undefined;
  }
}

const findContainer = ({ spec }: Pod, name: string): Pod['spec']['containers'][number] | undefined =>
  [...spec.containers, ...(spec.initContainers ?? [])].find((container) => container.name === name);

/** The key of the back-off of a container's image. */
const pullKey = (pod: Pod, container: string): string => `${pod.metadata.uid}_${findContainer(pod, container)?.image ?? ''}`;
