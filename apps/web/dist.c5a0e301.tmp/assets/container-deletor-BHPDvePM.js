var e=`/** Removes dead instances of a container as soon as another dies. Upstream: pkg/kubelet/pod_container_deletor.go (v1.36). */
import type { PodStatus, Runtime, Status } from '@podscope/kuberuntime';
import { type Context, withPod, withThread } from '@podscope/trace';
import type { PodCache } from '../pod-cache.ts';
import { kubeletPoints } from '../points.ts';
import { errorText } from '../util/error-text.ts';
import type { TaskGroup } from '../util/task-group.ts';

export interface ContainerDeletorDependencies {
  readonly runtime: Pick<Runtime, 'deleteContainer'>;
  readonly cache: PodCache;
  readonly tasks: TaskGroup;
  readonly shouldPodContentBeRemoved: (uid: string, ctx: Context) => boolean;
  /** Dead instances to keep of each container. */
  readonly containersToKeep: number;
}

/** The dead containers to remove after one of them died, newest kept. Upstream: getContainersToDeleteInPod. */
function containersToDelete(podStatus: PodStatus, filterContainerID: string | undefined, keep: number): readonly Status[] {
  const filter = filterContainerID === undefined ? undefined : podStatus.containerStatuses.find(({ id }) => id.id === filterContainerID);
  if (filterContainerID !== undefined && !filter) return [];
  return podStatus.containerStatuses
    .filter(({ state, name }) => state === 'exited' && (filter === undefined || name === filter.name))
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .slice(keep);
}

/** Deletes in the background, on a thread of its own. */
export class ContainerDeletor {
  readonly #deps: ContainerDeletorDependencies;
  /** Ids asked for, with their pods, until the cache has forgotten them: a sandbox that dies with its containers asks for the same ones again. */
  readonly #asked = new Map<string, string>();

  constructor(deps: ContainerDeletorDependencies) {
    this.#deps = deps;
  }

  /** A container of a pod died. */
  containerDied(ctx: Context, uid: string, id: string): void {
    this.deleteContainersInPod(ctx, uid, id, this.#deps.shouldPodContentBeRemoved(uid, ctx));
  }

  /** Removes dead containers: all of the pod, or beyond those to keep of the container that \`id\` is an instance of. */
  deleteContainersInPod(ctx: Context, uid: string, id: string | undefined, removeAll: boolean): void {
    const { cache, runtime, tasks } = this.#deps;
    const { status } = cache.get(uid);
    const candidates = removeAll ? containersToDelete(status, undefined, 0) : containersToDelete(status, id, this.#deps.containersToKeep);
    this.#forgetRemoved();
    const containers = candidates.filter((container) => !this.#asked.has(container.id.id));
    if (containers.length === 0) return;
    for (const container of containers) this.#asked.set(container.id.id, uid);
    const own = withPod(withThread(ctx, 'containerDeletor'), { uid, namespace: status.namespace, name: status.name });
    tasks.start(() =>
      own.tracer.span(own, kubeletPoints.containerDeletor, { containers: containers.map((container) => container.id.id), removeAll }, async (inner) => {
        for (const container of containers) {
          try {
            await runtime.deleteContainer(inner, container.id);
          } catch (error) {
            inner.tracer.emit(inner, { type: 'output', level: 'warning', message: \`DeleteContainer \${container.id.id}: \${errorText(error)}\` });
            this.#asked.delete(container.id.id);
          }
        }
      }),
    );
  }

  #forgetRemoved(): void {
    for (const [id, uid] of this.#asked) {
      if (!this.#deps.cache.get(uid).status.containerStatuses.some((status) => status.id.id === id)) this.#asked.delete(id);
    }
  }
}
`;export{e as default};
//# sourceMappingURL=container-deletor-BHPDvePM.js.map