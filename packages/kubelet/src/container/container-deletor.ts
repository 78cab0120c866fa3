/**
 * Removes dead instances of a container when another instance dies. Upstream: pkg/kubelet/pod_container_deletor.go
 * (v1.36).
 */
import { errorText } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import type { PodStatus, Runtime, Status } from '@podscope/kuberuntime';
import { type Context, withPod, withThread } from '@podscope/trace';
import type { TaskGroup } from '../util/task-group.ts';
import { DeletionQueue } from './deletion-queue.ts';
import type { PodCache } from './pod-cache.ts';

export interface ContainerDeletorDependencies {
  readonly runtime: Pick<Runtime, 'deleteContainer'>;
  readonly cache: PodCache;
  readonly tasks: TaskGroup;
  readonly shouldPodContentBeRemoved: (ctx: Context, uid: string) => boolean;
  /** How many dead instances of each container are kept. */
  readonly containersToKeep: number;
}

/**
 * Returns the dead container instances to remove: those of the container that has `filterContainerID`, or those of all
 * containers if it is undefined. The newest `keep` instances are kept. Upstream: getContainersToDeleteInPod.
 */
function containersToDelete(
  podStatus: PodStatus,
  filterContainerID: string | undefined,
  keep: number,
): readonly Status[] {
  const filter =
    filterContainerID === undefined
      ? undefined
      : podStatus.containerStatuses.find(({ id }) => id.id === filterContainerID);
  if (filterContainerID !== undefined && !filter) return [];
  return podStatus.containerStatuses
    .filter(({ state, name }) => state === 'exited' && (filter === undefined || name === filter.name))
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .slice(keep);
}

/** Upstream: containerDeletorBufferLimit. */
const queueCapacity = 50;

const warn = (ctx: Context, message: string): void =>
  ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });

/** Deletes containers in the background, on its own thread. */
export class ContainerDeletor {
  readonly #dependencies: ContainerDeletorDependencies;
  /**
   * The containers whose removal has been requested, with their pods, until the cache drops them. Upstream requests the
   * removal again when a sandbox dies together with its containers, and logs that the container is gone.
   */
  readonly #requested = new Map<string, string>();
  readonly #queue: DeletionQueue;

  constructor(dependencies: ContainerDeletorDependencies) {
    this.#dependencies = dependencies;
    this.#queue = new DeletionQueue(dependencies.tasks, queueCapacity);
  }

  /** Removes old instances after a container of the pod died. */
  containerDied(ctx: Context, uid: string, id: string): void {
    this.deleteContainersInPod(ctx, uid, id, this.#dependencies.shouldPodContentBeRemoved(ctx, uid));
  }

  /**
   * Removes dead containers: with `removeAll` all of the pod, otherwise the old instances of the container that has
   * `id`.
   */
  deleteContainersInPod(ctx: Context, uid: string, id: string | undefined, removeAll: boolean): void {
    const { cache, runtime } = this.#dependencies;
    const { status } = cache.get(uid);
    const candidates = removeAll
      ? containersToDelete(status, undefined, 0)
      : containersToDelete(status, id, this.#dependencies.containersToKeep);
    this.#forgetRemoved();
    const own = withPod(withThread(ctx, 'containerDeletor'), { uid, namespace: status.namespace, name: status.name });
    const containers = candidates.filter(({ id: { id: candidate } }) => {
      if (this.#requested.has(candidate)) return false;
      if (this.#queue.reserve()) return true;
      warn(own, `Failed to issue the request to remove container ${candidate}`);
      return false;
    });
    if (containers.length === 0) return;
    for (const container of containers) this.#requested.set(container.id.id, uid);
    const forget = (container: Status): void => void this.#requested.delete(container.id.id);
    this.#queue.add(
      containers,
      (begin) =>
        own.tracer.span(
          own,
          kubeletPoints.containerDeletor,
          { containers: containers.map((container) => container.id.id), removeAll },
          async (inner) => {
            for (const container of containers) {
              begin(container);
              try {
                await runtime.deleteContainer(inner, container.id);
              } catch (error) {
                warn(inner, `DeleteContainer ${container.id.id}: ${errorText(error)}`);
                forget(container);
              }
            }
          },
        ),
      forget,
    );
  }

  #forgetRemoved(): void {
    for (const [id, uid] of this.#requested) {
      if (!this.#dependencies.cache.get(uid).status.containerStatuses.some((status) => status.id.id === id))
        this.#requested.delete(id);
    }
  }
}
