/** Kills pods that no source delivers any more. Upstream: podKillerWithChannel (pkg/kubelet/kubelet_pods.go, v1.20). */
import { errorText } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import { getPodFullName, type Runtime, type RuntimePod } from '@podscope/kuberuntime';
import { type Context, withPod, withThread } from '@podscope/trace';
import type { TaskGroup } from '../../util/task-group.ts';

export interface PodKillerDependencies {
  readonly runtime: Pick<Runtime, 'killPod'>;
  readonly tasks: TaskGroup;
  /** Runs after the runtime has killed the pod. Upstream: the end of Kubelet.killPod. */
  readonly onKilled: (ctx: Context) => Promise<void>;
}

/** Runs at most one kill per pod at a time. If a kill fails, housekeeping retries it. */
export class PodKiller {
  readonly #dependencies: PodKillerDependencies;
  readonly #killing = new Set<string>();
  /** The full names, by UID, of static pods whose mirror pods are kept until the static pods have terminated. */
  readonly #mirrorPodTermination = new Map<string, string>();

  constructor(dependencies: PodKillerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Starts to kill a pod in the background.
   * @param apiPod undefined when no source delivers the pod; the grace periods are then those in the containers'
   * annotations
   */
  killPod(ctx: Context, apiPod: Pod | undefined, runningPod: RuntimePod): void {
    const { runtime, tasks, onKilled } = this.#dependencies;
    const { id: uid, name, namespace } = runningPod;
    if (this.#killing.has(uid)) return;
    this.#killing.add(uid);
    const own = withPod(withThread(ctx, `podKiller ${uid}`), { uid, name, namespace });
    const facts = { containers: runningPod.containers.map((container) => container.name), known: apiPod !== undefined };
    tasks.start(async () => {
      try {
        await own.tracer.span(own, kubeletPoints.podKiller, facts, async (inner) => {
          await runtime.killPod(inner, apiPod, runningPod);
          await onKilled(inner);
        });
      } catch (error) {
        own.tracer.emit(own, {
          type: 'output',
          level: 'warning',
          message: `Failed killing the pod ${name}: ${errorText(error)}`,
        });
      } finally {
        this.#killing.delete(uid);
        this.#mirrorPodTermination.delete(uid);
      }
    });
  }

  /** Keeps the mirror pod and the cgroup of this static pod until the pod has been killed. */
  markMirrorPodPendingTermination(pod: Pod): void {
    this.#mirrorPodTermination.set(pod.metadata.uid, getPodFullName(pod));
  }

  isMirrorPodPendingTerminationByUID(uid: string): boolean {
    return this.#mirrorPodTermination.has(uid);
  }

  isMirrorPodPendingTerminationByPodName(fullName: string): boolean {
    return [...this.#mirrorPodTermination.values()].includes(fullName);
  }
}
