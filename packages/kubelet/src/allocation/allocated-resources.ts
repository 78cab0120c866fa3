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
import type { FeatureGates } from '../features.ts';

/** The granted resources of a pod's containers by name, and of the pod as a whole. */
interface Allocation {
  readonly containers: Readonly<Record<string, ResourceRequirements>>;
  readonly pod?: ResourceRequirements;
}

const resizable = ['cpu', 'memory'] as const;

/** The gates that decide which resources can be resized. */
type ResizeGates = Pick<
  FeatureGates,
  'InPlacePodVerticalScalingInitContainers' | 'InPlacePodLevelResourcesVerticalScaling'
>;

const milli = (list: ResourceList | undefined, resource: string): number | undefined =>
  list?.[resource] === undefined ? undefined : quantityMilliValue(parseQuantity(list[resource]));

const sameList = (a: ResourceList | undefined, b: ResourceList | undefined): boolean =>
  resizable.every((resource) => milli(a, resource) === milli(b, resource));

/** True when the resizable resources are equal. */
const sameResources = (a: ResourceRequirements | undefined, b: ResourceRequirements | undefined): boolean =>
  sameList(a?.requests, b?.requests) && sameList(a?.limits, b?.limits);

/** Allocations by pod UID. */
export class AllocatedResources {
  readonly #gates: ResizeGates;
  readonly #allocations = new Map<string, Allocation>();

  constructor(gates: ResizeGates) {
    this.#gates = gates;
  }

  /** Grants a pod the resources of its spec. Upstream: SetAllocatedResources. */
  set(pod: Pod): void {
    const containers = Object.fromEntries(
      this.#resizableContainers(pod).map(({ name, resources = {} }) => [name, resources]),
    );
    const ofPod = this.#gates.InPlacePodLevelResourcesVerticalScaling ? pod.spec.resources : undefined;
    this.#allocations.set(pod.metadata.uid, { containers, ...(ofPod ? { pod: ofPod } : {}) });
  }

  has(uid: string): boolean {
    return this.#allocations.has(uid);
  }

  /** True when the spec requests different resources than the node has granted. */
  differs(pod: Pod): boolean {
    const allocation = this.#allocations.get(pod.metadata.uid);
    if (!allocation) return false;
    return (
      this.#resizableContainers(pod).some(
        ({ name, resources }) =>
          name in allocation.containers && !sameResources(resources, allocation.containers[name]),
      ) ||
      (this.#gates.InPlacePodLevelResourcesVerticalScaling && !sameResources(pod.spec.resources, allocation.pod))
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
        ...(this.#gates.InPlacePodLevelResourcesVerticalScaling ? { resources: allocation.pod } : {}),
      },
    };
  }

  /** True when the cpu or memory of a container or of the pod differs. Upstream: recordResizeOperations. */
  isResized(before: Pod, after: Pod): boolean {
    const old = new Map(this.#resizableContainers(before).map(({ name, resources }) => [name, resources]));
    return (
      this.#resizableContainers(after).some(({ name, resources }) => !sameResources(old.get(name), resources)) ||
      !sameResources(before.spec.resources, after.spec.resources)
    );
  }

  /** Returns the containers whose resources can change. Upstream: IsResizableContainer. */
  #resizableContainers({ spec }: Pod): readonly Container[] {
    const { initContainers = [] } = spec;
    const all = this.#gates.InPlacePodVerticalScalingInitContainers;
    return [...spec.containers, ...(all ? initContainers : initContainers.filter(isRestartableInitContainer))];
  }

  /** Removes the allocation of a pod. Returns false without an allocation. */
  delete(uid: string): boolean {
    return this.#allocations.delete(uid);
  }

  /** Returns the UIDs of the pods that have an allocation. */
  uids(): readonly string[] {
    return [...this.#allocations.keys()];
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
