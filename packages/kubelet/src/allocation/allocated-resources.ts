/**
 * Stores the resources that the node has granted to each pod; they can differ from the spec. Upstream:
 * pkg/kubelet/allocation/state (v1.36).
 */
import {
  type Container,
  isRestartableInitContainer,
  type Pod,
  parseQuantity,
  quantityMilliValue,
  type ResourceList,
  type ResourceRequirements,
} from '@podscope/k8s';

/** The granted resources of a pod's containers by name, and of the pod as a whole. */
interface Allocation {
  readonly containers: Readonly<Record<string, ResourceRequirements>>;
  readonly pod?: ResourceRequirements;
}

const resizable = ['cpu', 'memory'] as const;

/** Returns the containers that can be resized: regular ones and sidecars. */
const resizableContainers = ({ spec }: Pod): readonly Container[] => [
  ...spec.containers,
  ...(spec.initContainers ?? []).filter(isRestartableInitContainer),
];

const milli = (list: ResourceList | undefined, resource: string): number | undefined =>
  list?.[resource] === undefined ? undefined : quantityMilliValue(parseQuantity(list[resource]));

const sameList = (a: ResourceList | undefined, b: ResourceList | undefined): boolean =>
  resizable.every((resource) => milli(a, resource) === milli(b, resource));

/** True when the resizable resources are equal. */
const sameResources = (a: ResourceRequirements | undefined, b: ResourceRequirements | undefined): boolean =>
  sameList(a?.requests, b?.requests) && sameList(a?.limits, b?.limits);

/** Allocations by pod UID. */
export class AllocatedResources {
  readonly #allocations = new Map<string, Allocation>();

  /** Grants a pod the resources of its spec. Upstream: SetAllocatedResources. */
  set(pod: Pod): void {
    const containers = Object.fromEntries(
      resizableContainers(pod).map(({ name, resources = {} }) => [name, resources]),
    );
    this.#allocations.set(pod.metadata.uid, { containers, ...(pod.spec.resources ? { pod: pod.spec.resources } : {}) });
  }

  has(uid: string): boolean {
    return this.#allocations.has(uid);
  }

  /** True when the spec requests different resources than the node has granted. */
  differs(pod: Pod): boolean {
    const allocation = this.#allocations.get(pod.metadata.uid);
    if (!allocation) return false;
    return (
      resizableContainers(pod).some(
        ({ name, resources }) =>
          name in allocation.containers && !sameResources(resources, allocation.containers[name]),
      ) || !sameResources(pod.spec.resources, allocation.pod)
    );
  }

  /**
   * Returns the pod with the granted resources, which replace the requested ones. Upstream: UpdatePodFromAllocation.
   */
  apply(pod: Pod): Pod {
    const allocation = this.#allocations.get(pod.metadata.uid);
    if (!allocation || !this.differs(pod)) return pod;
    const granted = (container: Container): Container => {
      const resources = allocation.containers[container.name];
      return resources ? { ...container, resources: { ...container.resources, ...resources } } : container;
    };
    const { containers, initContainers } = pod.spec;
    return {
      ...pod,
      spec: {
        ...pod.spec,
        containers: containers.map(granted),
        ...(initContainers ? { initContainers: initContainers.map(granted) } : {}),
        ...(allocation.pod ? { resources: allocation.pod } : {}),
      },
    };
  }

  /** Removes the allocations of all pods except these. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#allocations.keys()) if (!uids.has(uid)) this.#allocations.delete(uid);
  }

  /** Returns the content of the state file. */
  toJSON(): unknown {
    return Object.fromEntries(this.#allocations);
  }

  /** Restores the allocations that an earlier kubelet stored. */
  restore(saved: Readonly<Record<string, Allocation>>): void {
    for (const [uid, allocation] of Object.entries(saved)) this.#allocations.set(uid, allocation);
  }
}
