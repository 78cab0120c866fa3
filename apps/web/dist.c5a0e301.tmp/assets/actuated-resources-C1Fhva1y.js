var e=`/** The record of the resources that were last applied, against which a resize is measured. Upstream: pkg/kubelet/allocation/state (v1.36), actuated state. */
import type { Container, Pod, ResourceRequirements } from '@podscope/k8s';
import { resourceNumbers } from './container-resources.ts';

interface PodRecord {
  pod: ResourceRequirements | undefined;
  readonly containers: Map<string, ResourceRequirements>;
}

/** By pod UID and container name. */
export class ActuatedResources {
  readonly #pods = new Map<string, PodRecord>();

  /** What a container last got. */
  container(uid: string, name: string): ResourceRequirements | undefined {
    return this.#pods.get(uid)?.containers.get(name);
  }

  /** What the pod as a whole last got. */
  pod(uid: string): ResourceRequirements | undefined {
    return this.#pods.get(uid)?.pod;
  }

  setContainer(uid: string, name: string, resources: ResourceRequirements): void {
    this.#record(uid).containers.set(name, resources);
  }

  setPod(uid: string, resources: ResourceRequirements): void {
    this.#record(uid).pod = resources;
  }

  /** Forgets pods that are gone. */
  retain(isKept: (uid: string) => boolean): void {
    for (const uid of this.#pods.keys()) if (!isKept(uid)) this.#pods.delete(uid);
  }

  #record(uid: string): PodRecord {
    let record = this.#pods.get(uid);
    if (!record) {
      record = { pod: undefined, containers: new Map() };
      this.#pods.set(uid, record);
    }
    return record;
  }
}

/** What a container that starts now has: its own resources, with the pod's limits where it has none and the release knows those. */
export function actuatedAtStart(pod: Pod, { resources = {} }: Container, podLevelLimits: boolean): ResourceRequirements {
  const ofPod = pod.spec.resources?.limits;
  if (!podLevelLimits || !ofPod) return resources;
  const own = resourceNumbers(resources);
  return {
    ...resources,
    limits: {
      ...resources.limits,
      ...(own.cpuLimit === 0 && ofPod['cpu'] !== undefined ? { cpu: ofPod['cpu'] } : {}),
      ...(own.memoryLimit === 0 && ofPod['memory'] !== undefined ? { memory: ofPod['memory'] } : {}),
    },
  };
}
`;export{e as default};
//# sourceMappingURL=actuated-resources-C1Fhva1y.js.map