/**
 * Records the resources applied last, which a resize is compared with. Upstream: pkg/kubelet/allocation/state (v1.36),
 * actuated state.
 */
import { type Container, isRestartableInitContainer, type Pod, type ResourceRequirements } from '@podscope/k8s';
import type { RuntimeGates } from '../profiles/gates.ts';
import { findContainerStatusByName, type OSInterface, type PodStatus } from '../runtime.ts';
import { type ResourceNumbers, resourceNumbers, sameNumbers, withPodLimits } from './container-resources.ts';

/** Facts needed to compare allocated with applied resources. */
interface ResizeFacts {
  readonly gates: RuntimeGates;
  readonly actuated: ActuatedResources;
}

interface PodRecord {
  pod: ResourceRequirements | undefined;
  readonly containers: Map<string, ResourceRequirements>;
}

/** The format of the file, by pod UID. */
type SavedRecords = Readonly<
  Record<
    string,
    { readonly pod?: ResourceRequirements; readonly containers: Readonly<Record<string, ResourceRequirements>> }
  >
>;

/** The file that keeps the record across restarts: `<root>/actuated_pods_state`. */
interface ActuatedStateFile {
  readonly os: Pick<OSInterface, 'readFile' | 'writeFile'>;
  readonly path: string;
}

/** The applied resources, by pod UID and container name. */
export class ActuatedResources {
  readonly #pods = new Map<string, PodRecord>();
  readonly #file: ActuatedStateFile | undefined;
  #isSaveDue = false;
  #saving: Promise<void> = Promise.resolve();

  /** Creates an empty record. @param file if absent, the record is kept in memory only */
  constructor(file?: ActuatedStateFile) {
    this.#file = file;
  }

  /** Reads the record of an earlier kubelet. Ignores an unreadable file. */
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
      // The file is truncated or invalid, so resources of running containers are applied again.
    }
  }

  /** Returns the resources applied to a container last. */
  container(uid: string, name: string): ResourceRequirements | undefined {
    return this.#pods.get(uid)?.containers.get(name);
  }

  /** Returns the pod-level resources applied last. */
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

  /** Removes the records of all other pods. */
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
   * Writes the file; writes don't overlap, and each contains everything known at its start. Resources that couldn't be
   * saved are applied again after a restart.
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
 * Returns true if a running container or the pod has other resources than allocated.
 * @param pod the pod with its allocated resources. Upstream: IsPodResizeInProgress (v1.36).
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
  // A pod without a record has only just started, so no resize is in progress.
  const ofPod = actuated.pod(pod.metadata.uid);
  return ofPod !== undefined && !sameNumbers(resourceNumbers(resources), resourceNumbers(ofPod));
}

/**
 * Returns the resources of a starting container: its own, plus the pod's limits for those it doesn't declare, if the
 * release supports them.
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
