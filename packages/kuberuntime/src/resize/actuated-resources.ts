/** The record of the resources that were last applied, against which a resize is measured. Upstream: pkg/kubelet/allocation/state (v1.36), actuated state. */
import { type Container, isRestartableInitContainer, type Pod, type ResourceRequirements } from '@podscope/k8s';
import type { RuntimeGates } from '../gates.ts';
import { findContainerStatusByName, type OSInterface, type PodStatus } from '../runtime.ts';
import { type ResourceNumbers, resourceNumbers, sameNumbers, withPodLimits } from './container-resources.ts';

/** What a comparison of the granted with the applied needs. */
interface ResizeFacts {
  readonly gates: RuntimeGates;
  readonly actuated: ActuatedResources;
}

interface PodRecord {
  pod: ResourceRequirements | undefined;
  readonly containers: Map<string, ResourceRequirements>;
}

/** The record as the file has it, by pod UID. */
type SavedRecords = Readonly<Record<string, { readonly pod?: ResourceRequirements; readonly containers: Readonly<Record<string, ResourceRequirements>> }>>;

/** Where the record outlives the kubelet: `<root>/actuated_pods_state`. */
interface ActuatedStateFile {
  readonly os: Pick<OSInterface, 'readFile' | 'writeFile'>;
  readonly path: string;
}

/** By pod UID and container name. */
export class ActuatedResources {
  readonly #pods = new Map<string, PodRecord>();
  readonly #file: ActuatedStateFile | undefined;
  #isSaveDue = false;
  #saving: Promise<void> = Promise.resolve();

  /** @param file absent: the record ends with this object. */
  constructor(file?: ActuatedStateFile) {
    this.#file = file;
  }

  /** Reads what an earlier kubelet had applied. A file that can't be read is as none. */
  async load(): Promise<void> {
    if (!this.#file) return;
    const content = await this.#file.os.readFile(this.#file.path).catch(() => undefined);
    if (!content) return;
    try {
      const saved = JSON.parse(new TextDecoder().decode(content)) as SavedRecords;
      const records = Object.entries(saved).map(([uid, { pod, containers }]): [string, PodRecord] => [
        uid,
        { pod, containers: new Map(Object.entries(containers)) },
      ]);
      for (const [uid, record] of records) this.#pods.set(uid, record);
    } catch {
      // Half a file: running containers are told their resources again.
    }
  }

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
    this.#save();
  }

  setPod(uid: string, resources: ResourceRequirements): void {
    this.#record(uid).pod = resources;
    this.#save();
  }

  /** Forgets pods that are gone. */
  retain(isKept: (uid: string) => boolean): void {
    const before = this.#pods.size;
    for (const uid of this.#pods.keys()) if (!isKept(uid)) this.#pods.delete(uid);
    if (this.#pods.size !== before) this.#save();
  }

  #record(uid: string): PodRecord {
    let record = this.#pods.get(uid);
    if (!record) {
      record = { pod: undefined, containers: new Map() };
      this.#pods.set(uid, record);
    }
    return record;
  }

  /** One write after the other, each with all that is known when it begins. What can't be written is applied anew after a restart. */
  #save(): void {
    const file = this.#file;
    if (!file || this.#isSaveDue) return;
    this.#isSaveDue = true;
    this.#saving = this.#saving
      .then(() => {
        this.#isSaveDue = false;
        const records = [...this.#pods].map(([uid, { pod, containers }]) => [uid, { ...(pod ? { pod } : {}), containers: Object.fromEntries(containers) }]);
        return file.os.writeFile(file.path, JSON.stringify(Object.fromEntries(records)), 0o600);
      })
      .catch(() => undefined);
  }
}

/** What a container shall have, and what it last got, as a resize compares them. */
export function desiredAndActuated(
  { gates, actuated }: ResizeFacts,
  { metadata, spec }: Pod,
  { name, resources }: Container,
): { readonly desired: ResourceNumbers; readonly current: ResourceNumbers } {
  const desired = resourceNumbers(resources);
  const current = resourceNumbers(actuated.container(metadata.uid, name));
  if (!gates.InPlacePodLevelResourcesVerticalScaling) return { desired, current };
  return { desired: withPodLimits(desired, resourceNumbers(spec.resources)), current: withPodLimits(current, resourceNumbers(actuated.pod(metadata.uid))) };
}

/**
 * Whether something that runs has other resources than were granted.
 * @param pod with what was granted. Upstream: IsPodResizeInProgress (v1.36).
 */
export function isPodResizeInProgress(facts: ResizeFacts, pod: Pod, podStatus: PodStatus): boolean {
  const { gates, actuated } = facts;
  if (!gates.InPlacePodVerticalScaling) return false;
  const { containers, initContainers = [], resources } = pod.spec;
  const isResizing = [...containers, ...initContainers.filter(isRestartableInitContainer)].some((container) => {
    if (findContainerStatusByName(podStatus, container.name)?.state !== 'running') return false;
    const { desired, current } = desiredAndActuated(facts, pod, container);
    return !sameNumbers(desired, current);
  });
  if (isResizing || !gates.InPlacePodLevelResourcesVerticalScaling) return isResizing;
  // A pod without a record has only just begun: nothing of it is resized yet.
  const ofPod = actuated.pod(pod.metadata.uid);
  return ofPod !== undefined && !sameNumbers(resourceNumbers(resources), resourceNumbers(ofPod));
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
