/** Removes dead sandboxes as soon as the last container in them is gone. Upstream: podSandboxDeletor (pkg/kubelet/pod_sandbox_deletor.go, v1.20). */
import type { RuntimeService } from '@podscope/cri';
import { type Context, withPod, withThread } from '@podscope/trace';
import type { PodCache } from '../pod-cache.ts';
import { kubeletPoints } from '../points.ts';
import { errorText } from '../util/error-text.ts';
import type { TaskGroup } from '../util/task-group.ts';

export interface SandboxDeletorDependencies {
  readonly runtime: Pick<RuntimeService, 'listContainers' | 'removePodSandbox'>;
  readonly cache: PodCache;
  readonly tasks: TaskGroup;
  /** Nothing of the pod is needed any more. */
  readonly isPodDeleted: (uid: string) => boolean;
}

/** Deletes in the background, on a thread of its own. */
export class SandboxDeletor {
  readonly #deps: SandboxDeletorDependencies;
  readonly #asked = new Set<string>();

  constructor(deps: SandboxDeletorDependencies) {
    this.#deps = deps;
  }

  /** A container of a pod was removed: its newest sandbox stays, unless the pod is gone. */
  containerRemoved(ctx: Context, uid: string): void {
    const { cache, isPodDeleted, tasks } = this.#deps;
    const { status } = cache.get(uid);
    const candidates = status.sandboxStatuses
      .toSorted((a, b) => Number(b.createdAt - a.createdAt))
      .slice(isPodDeleted(uid) ? 0 : 1)
      .filter(({ id, state }) => state !== 'SANDBOX_READY' && !this.#asked.has(id))
      .map(({ id }) => id);
    if (candidates.length === 0) return;
    const own = withPod(withThread(ctx, 'sandboxDeletor'), { uid, namespace: status.namespace, name: status.name });
    for (const id of candidates) this.#asked.add(id);
    tasks.start(() => own.tracer.span(own, kubeletPoints.sandboxDeletor, { sandboxes: candidates }, (inner) => this.#remove(inner, candidates)));
  }

  async #remove(ctx: Context, sandboxes: readonly string[]): Promise<void> {
    const { runtime } = this.#deps;
    for (const podSandboxId of sandboxes) {
      try {
        const { containers } = await runtime.listContainers(ctx, { filter: { podSandboxId } });
        if (containers.length === 0) await runtime.removePodSandbox(ctx, { podSandboxId });
      } catch (error) {
        ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `RemovePodSandbox ${podSandboxId}: ${errorText(error)}` });
      } finally {
        this.#asked.delete(podSandboxId);
      }
    }
  }
}
