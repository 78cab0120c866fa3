/** Ends pods that no source wants any more. Upstream: podKillerWithChannel (pkg/kubelet/kubelet_pods.go, v1.20). */
import type { Pod } from '@podscope/k8s';
import { getPodFullName, type Runtime, type RuntimePod } from '@podscope/kuberuntime';
import { type Context, withPod, withThread } from '@podscope/trace';
import { kubeletPoints } from '../../points.ts';
import { errorText } from '../../util/error-text.ts';
import type { TaskGroup } from '../../util/task-group.ts';

export interface PodKillerDependencies {
  readonly runtime: Pick<Runtime, 'killPod'>;
  readonly tasks: TaskGroup;
  /** Upstream: what kubelet.killPod does after the runtime has done its part. */
  readonly onKilled: () => void;
}

/** One kill for a pod at a time, each on its own; housekeeping asks again for what failed. */
export class PodKiller {
  readonly #deps: PodKillerDependencies;
  readonly #killing = new Set<string>();
  /** Full names by UID of static pods whose mirror is to outlive them until they have ended. */
  readonly #mirrorPodTermination = new Map<string, string>();

  constructor(deps: PodKillerDependencies) {
    this.#deps = deps;
  }

  /** @param apiPod undefined when no source has it any more: containers tell their grace periods. */
  killPod(ctx: Context, apiPod: Pod | undefined, runningPod: RuntimePod): void {
    const { runtime, tasks, onKilled } = this.#deps;
    const { id: uid, name, namespace } = runningPod;
    if (this.#killing.has(uid)) return;
    this.#killing.add(uid);
    const own = withPod(withThread(ctx, `podKiller ${uid}`), { uid, name, namespace });
    const facts = { containers: runningPod.containers.map((container) => container.name), known: apiPod !== undefined };
    tasks.start(async () => {
      try {
        await own.tracer.span(own, kubeletPoints.podKiller, facts, (inner) => runtime.killPod(inner, apiPod, runningPod));
        onKilled();
      } catch (error) {
        own.tracer.emit(own, { type: 'output', level: 'warning', message: `Failed killing the pod ${name}: ${errorText(error)}` });
      } finally {
        this.#killing.delete(uid);
        this.#mirrorPodTermination.delete(uid);
      }
    });
  }

  /** The mirror of this static pod stays, and its cgroup is left alone, until it has been killed. */
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
