/**
 * Derives the state of pods from their statuses, because the workers of v1.20 keep no states. Upstream:
 * pkg/kubelet/kubelet_pods.go (v1.20).
 */
import type { PodStatus as ApiPodStatus, ContainerStatus, Pod } from '@podscope/k8s';
import type { PodStateProvider } from '@podscope/kuberuntime';
import type { PodManager } from '../../pod/pod-manager.ts';
import { isTerminalPhase } from '../../status/manager/merge-pod-status.ts';
import type { StatusManager } from '../../status/manager/status-manager.ts';

/** True when no container of the list is running. Upstream: notRunning. */
export const notRunning = (statuses: readonly ContainerStatus[] = []): boolean =>
  statuses.every(({ state }) => state?.terminated ?? state?.waiting);

/** True when the status is that of an evicted pod. Upstream: PodIsEvicted. */
export const isEvicted = (status: ApiPodStatus | undefined): boolean =>
  status?.phase === 'Failed' && status.reason === 'Evicted';

/** Evaluates the cached status of each pod. If no status is cached, evaluates the status in the API. */
export class PodStatesV120 implements PodStateProvider {
  readonly #podManager: PodManager;
  readonly #statusManager: Pick<StatusManager, 'getPodStatus'>;

  constructor(podManager: PodManager, statusManager: Pick<StatusManager, 'getPodStatus'>) {
    this.#podManager = podManager;
    this.#statusManager = statusManager;
  }

  status(pod: Pod): ApiPodStatus {
    return this.#statusManager.getPodStatus(pod.metadata.uid) ?? pod.status ?? {};
  }

  /** True when no regular container is running; init containers don't count. */
  containersTerminal(pod: Pod): boolean {
    return notRunning(this.status(pod).containerStatuses);
  }

  /** True when the pod has terminated. Upstream: podIsTerminated. */
  isTerminated(pod: Pod): boolean {
    return (
      isTerminalPhase(this.status(pod).phase) ||
      (pod.metadata.deletionTimestamp !== undefined && this.containersTerminal(pod))
    );
  }

  /** Returns the pods that haven't terminated. Upstream: GetActivePods, filterOutTerminatedPods. */
  activePods(): readonly Pod[] {
    return this.#podManager.getPods().filter((pod) => !this.isTerminated(pod));
  }

  isPodTerminationRequested(uid: string): boolean {
    return this.#podManager.getPodByUID(uid)?.metadata.deletionTimestamp !== undefined;
  }

  /**
   * True when the pod is unknown, is evicted, or is being deleted and has no running regular container. Upstream:
   * IsPodDeleted.
   */
  shouldPodContentBeRemoved(uid: string): boolean {
    const pod = this.#podManager.getPodByUID(uid);
    if (!pod) return true;
    return (
      isEvicted(this.status(pod)) || (pod.metadata.deletionTimestamp !== undefined && this.containersTerminal(pod))
    );
  }

  /** True when the pod is unknown or has terminated. Upstream: IsPodTerminated. */
  shouldPodRuntimeBeRemoved(uid: string): boolean {
    const pod = this.#podManager.getPodByUID(uid);
    return !pod || this.isTerminated(pod);
  }
}
