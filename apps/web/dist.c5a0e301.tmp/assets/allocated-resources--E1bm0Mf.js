var e=`/** The resources that the node has granted to each pod, which may be others than its spec asks for. Upstream: pkg/kubelet/allocation/state (v1.36). */
import {
  type Container,
  isRestartableInitContainer,
  type Pod,
  parseQuantity,
  quantityMilliValue,
  type ResourceList,
  type ResourceRequirements,
} from '@podscope/k8s';

/** What a pod's containers have been granted, by name, and the pod as a whole. */
interface Allocation {
  readonly containers: Readonly<Record<string, ResourceRequirements>>;
  readonly pod?: ResourceRequirements;
}

const resizable = ['cpu', 'memory'] as const;

/** Regular containers and sidecars: others are not resized. */
const resizableContainers = ({ spec }: Pod): readonly Container[] => [...spec.containers, ...(spec.initContainers ?? []).filter(isRestartableInitContainer)];

const milli = (list: ResourceList | undefined, resource: string): number | undefined =>
  list?.[resource] === undefined ? undefined : quantityMilliValue(parseQuantity(list[resource]));

const sameList = (a: ResourceList | undefined, b: ResourceList | undefined): boolean =>
  resizable.every((resource) => milli(a, resource) === milli(b, resource));

/** Equal as far as a resize goes. */
const sameResources = (a: ResourceRequirements | undefined, b: ResourceRequirements | undefined): boolean =>
  sameList(a?.requests, b?.requests) && sameList(a?.limits, b?.limits);

/** Allocations by pod. */
export class AllocatedResources {
  readonly #allocations = new Map<string, Allocation>();

  /** Grants a pod what its spec asks for. Upstream: SetAllocatedResources. */
  set(pod: Pod): void {
    const containers = Object.fromEntries(resizableContainers(pod).map(({ name, resources = {} }) => [name, resources]));
    this.#allocations.set(pod.metadata.uid, { containers, ...(pod.spec.resources ? { pod: pod.spec.resources } : {}) });
  }

  has(uid: string): boolean {
    return this.#allocations.has(uid);
  }

  /** True when the spec asks for something else than was granted. */
  differs(pod: Pod): boolean {
    const allocation = this.#allocations.get(pod.metadata.uid);
    if (!allocation) return false;
    return (
      resizableContainers(pod).some(({ name, resources }) => name in allocation.containers && !sameResources(resources, allocation.containers[name])) ||
      !sameResources(pod.spec.resources, allocation.pod)
    );
  }

  /** The pod with what was granted in place of what is asked for. Upstream: UpdatePodFromAllocation. */
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

  /** Forgets pods that are gone. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#allocations.keys()) if (!uids.has(uid)) this.#allocations.delete(uid);
  }

  /** For the file that outlives the kubelet. */
  toJSON(): unknown {
    return Object.fromEntries(this.#allocations);
  }

  /** Takes over what an earlier kubelet had granted. */
  restore(saved: Readonly<Record<string, Allocation>>): void {
    for (const [uid, allocation] of Object.entries(saved)) this.#allocations.set(uid, allocation);
  }
}
`;export{e as default};
//# sourceMappingURL=allocated-resources--E1bm0Mf.js.map