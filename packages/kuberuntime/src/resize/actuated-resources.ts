/**
 * Records which resources were applied last. A resize is found by comparing them with the requested ones. Upstream:
 * pkg/kubelet/allocation/state (v1.36), actuated state.
 */
import { type Container, isRestartableInitContainer, type Pod, type ResourceRequirements } from '@podscope/k8s';
import type { RuntimeGates } from '../profiles/gates.ts';
import { findContainerStatusByName, type OSInterface, type PodStatus } from '../runtime.ts';
import { type ResourceNumbers, resourceNumbers, sameNumbers, withPodLimits } from './container-resources.ts';

/** The facts that a comparison of allocated and applied resources depends on. */
interface ResizeFacts {
  readonly gates: RuntimeGates;
  readonly actuated: ActuatedResources;
}

interface PodRecord {
  pod: ResourceRequirements | undefined;
  readonly containers: Map<string, ResourceRequirements>;
}

/** The content of the state file, by pod UID. */
type SavedRecords = Readonly<
  Record<
    string,
    { readonly pod?: ResourceRequirements; readonly containers: Readonly<Record<string, ResourceRequirements>> }
  >
>;

/** The file that keeps the record when the kubelet restarts: `<root>/actuated_pods_state`. */
interface ActuatedStateFile {
  readonly os: Pick<OSInterface, 'readFile' | 'writeFile'>;
  readonly path: string;
}

/** Stores the applied resources by pod UID and container name. */
export class ActuatedResources {
  readonly #pods = new Map<string, PodRecord>();
  readonly #file: ActuatedStateFile | undefined;
  #isSaveDue = false;
  #saving: Promise<void> = Promise.resolve();

  /**
   * Creates an empty record.
   * @param file the file that stores the record; if absent, the record is kept in memory only
   */
  constructor(file?: ActuatedStateFile) {
    this.#file = file;
  }

  /** Reads the record that an earlier kubelet stored. An unreadable file is ignored. */
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
      // The file is truncated or invalid, so the resources of running containers are applied again.
    }
  }

  /** Returns the resources that were last applied to a container. */
  container(uid: string, name: string): ResourceRequirements | undefined {
    return this.#pods.get(uid)?.containers.get(name);
  }

  /** Returns the pod-level resources that were last applied. */
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

  /** Removes the records of all pods for which `isKept` returns false. */
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

  /**
   * Writes the record to the file. Writes run one after another, and each contains the record as it is when the write
   * starts. If a write fails, the resources are applied again after a restart.
   */
  #save(): void {
    const file = this.#file;
    if (!file || this.#isSaveDue) return;
    this.#isSaveDue = true;
    this.#saving = this.#saving
      .then(() => {
        this.#isSaveDue = false;
        const records = [...this.#pods].map(([uid, { pod, containers }]) => [
          uid,
          { ...(pod ? { pod } : {}), containers: Object.fromEntries(containers) },
        ]);
        return file.os.writeFile(file.path, JSON.stringify(Object.fromEntries(records)), 0o600);
      })
      .catch(() => undefined);
  }
}

/** Returns the desired and the applied resources of a container, for comparison. */
export function desiredAndActuated(
  { gates, actuated }: ResizeFacts,
  { metadata, spec }: Pod,
  { name, resources }: Container,
): { readonly desired: ResourceNumbers; readonly current: ResourceNumbers } {
  const desired = resourceNumbers(resources);
  const current = resourceNumbers(actuated.container(metadata.uid, name));
  if (!gates.InPlacePodLevelResourcesVerticalScaling) return { desired, current };
  return {
    desired: withPodLimits(desired, resourceNumbers(spec.resources)),
    current: withPodLimits(current, resourceNumbers(actuated.pod(metadata.uid))),
  };
}

/**
 * Returns true if the resources of a running container or of the pod differ from the allocated ones. Upstream:
 * IsPodResizeInProgress (v1.36).
 * @param pod the pod with its allocated resources
 */
export function isPodResizeInProgress(facts: ResizeFacts, pod: Pod, podStatus: PodStatus): boolean {
  const { gates, actuated } = facts;
  if (!gates.InPlacePodVerticalScaling) return false;
  const { containers, initContainers = [], resources } = pod.spec;
  const all = gates.InPlacePodVerticalScalingInitContainers;
  const resizable = [...containers, ...(all ? initContainers : initContainers.filter(isRestartableInitContainer))];
  const isResizing = resizable.some((container) => {
    if (findContainerStatusByName(podStatus, container.name)?.state !== 'running') return false;
    const { desired, current } = desiredAndActuated(facts, pod, container);
    return !sameNumbers(desired, current);
  });
  if (isResizing || !gates.InPlacePodLevelResourcesVerticalScaling) return isResizing;
  // A pod without a record has only just started, so no resize is in progress.
  const ofPod = actuated.pod(pod.metadata.uid);
  return (
    resources !== undefined && ofPod !== undefined && !sameNumbers(resourceNumbers(resources), resourceNumbers(ofPod))
  );
}

/**
 * Returns the resources with which a container starts: its own resources and, if the release supports pod-level limits,
 * the pod's limit where the container declares none.
 */
export function actuatedAtStart(
  pod: Pod,
  { resources = {} }: Container,
  podLevelLimits: boolean,
): ResourceRequirements {
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
