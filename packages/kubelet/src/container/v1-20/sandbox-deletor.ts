/**
 * Removes dead sandboxes when their last container has been removed. Upstream: podSandboxDeletor
 * (pkg/kubelet/pod_sandbox_deletor.go, v1.20).
 */
import { errorText } from '@podscope/base';
import type { RuntimeService } from '@podscope/cri';
import { kubeletPoints } from '@podscope/flow';
import { type Context, withPod, withThread } from '@podscope/trace';
import type { TaskGroup } from '../../util/task-group.ts';
import { DeletionQueue } from '../deletion-queue.ts';
import type { PodCache } from '../pod-cache.ts';

export interface SandboxDeletorDependencies {
  readonly runtime: Pick<RuntimeService, 'listContainers' | 'removePodSandbox'>;
  readonly cache: PodCache;
  readonly tasks: TaskGroup;
  /** True when the pod is deleted, so that none of its sandboxes has to be kept. */
  readonly isPodDeleted: (uid: string) => boolean;
}

/** Upstream: sandboxDeletionBufferLimit. */
const queueCapacity = 20;

const warn = (ctx: Context, message: string): void =>
  ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });

/** Deletes sandboxes in the background, on its own thread. */
export class SandboxDeletor {
  readonly #dependencies: SandboxDeletorDependencies;
  readonly #requested = new Set<string>();
  readonly #queue: DeletionQueue;

  constructor(dependencies: SandboxDeletorDependencies) {
    this.#dependencies = dependencies;
    this.#queue = new DeletionQueue(dependencies.tasks, queueCapacity);
  }

  /**
   * Removes the dead sandboxes of a pod after one of its containers was removed. The newest sandbox is kept unless the
   * pod is deleted.
   */
  containerRemoved(ctx: Context, uid: string): void {
    const { cache, isPodDeleted } = this.#dependencies;
    const { status } = cache.get(uid);
    const own = withPod(withThread(ctx, 'sandboxDeletor'), { uid, namespace: status.namespace, name: status.name });
    const candidates = status.sandboxStatuses
      .toSorted((a, b) => Number(b.createdAt - a.createdAt))
      .slice(isPodDeleted(uid) ? 0 : 1)
      .filter(({ id, state }) => state !== 'SANDBOX_READY' && !this.#requested.has(id))
      .map(({ id }) => id)
      .filter((id) => {
        if (this.#queue.reserve()) return true;
        warn(own, `Failed to issue the request to remove sandbox ${id}`);
        return false;
      });
    if (candidates.length === 0) return;
    for (const id of candidates) this.#requested.add(id);
    this.#queue.add(
      candidates,
      (begin) =>
        own.tracer.span(own, kubeletPoints.sandboxDeletor, { sandboxes: candidates }, (inner) =>
          this.#remove(inner, candidates, begin),
        ),
      (id) => void this.#requested.delete(id),
    );
  }

  async #remove(ctx: Context, sandboxes: readonly string[], begin: (id: string) => void): Promise<void> {
    const { runtime } = this.#dependencies;
    for (const podSandboxId of sandboxes) {
      begin(podSandboxId);
      try {
        const { containers } = await runtime.listContainers(ctx, { filter: { podSandboxId } });
        if (containers.length === 0) await runtime.removePodSandbox(ctx, { podSandboxId });
      } catch (error) {
        warn(ctx, `RemovePodSandbox ${podSandboxId}: ${errorText(error)}`);
      } finally {
        this.#requested.delete(podSandboxId);
      }
    }
  }
}
