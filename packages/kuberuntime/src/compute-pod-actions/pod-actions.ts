/**
 * Defines the actions that computePodActions returns. Upstream: kuberuntime podActions (v1.36). Fields marked "v1.20
 * only" exist only in that release.
 */
import type { Container, EphemeralContainer } from '@podscope/k8s';
import { type ContainerID, type ContainerResources, formatContainerID, type Status } from '../runtime.ts';

/** The reason for killing a container. Upstream: containerKillReason (v1.36). */
export type KillReason =
  | ''
  | 'StartupProbe'
  | 'LivenessProbe'
  | 'FailedPostStartHook'
  | 'RestartAllContainers'
  | 'Unknown';

/** A container to stop. */
interface ContainerToKill {
  readonly id: ContainerID;
  readonly container: Container;
  readonly name: string;
  /** The message of the Killing event. */
  readonly message: string;
  readonly reason: KillReason;
}

/** A running container whose resources change. */
export interface ContainerToUpdate {
  readonly id: ContainerID;
  readonly container: Container;
  readonly desired: Required<ContainerResources>;
  readonly current: Required<ContainerResources>;
}

/** A container to remove before all containers start again. */
export interface ContainerToReset {
  readonly id: ContainerID;
  readonly container: Container;
  /** True if the container is still running. */
  readonly kill: boolean;
}

export type ResizedResource = 'cpu' | 'memory';

/**
 * The containers to update, by resource. Containers whose value decreases come first, because an increase may need the
 * freed amount.
 */
type ContainersToUpdate = Readonly<Record<ResizedResource, readonly ContainerToUpdate[]>>;

export interface PodActions {
  /** True if every running container and every sandbox must be stopped. */
  readonly killPod: boolean;
  /** True if a new sandbox must be created after the pod was killed. */
  readonly createSandbox: boolean;
  /** The id of the sandbox to use, or of the sandbox that is replaced; empty if the pod has no sandbox. */
  readonly sandboxID: string;
  readonly attempt: number;
  /** The init container to start next. v1.20 only. */
  readonly nextInitContainerToStart: Container | undefined;
  /** The init containers to start, in this order, as indices into `spec.initContainers`. v1.36 only. */
  readonly initContainersToStart: readonly number[];
  /** The containers to start, as indices into `spec.containers`. */
  readonly containersToStart: readonly number[];
  /** The ephemeral containers to start, as indices into `spec.ephemeralContainers`. */
  readonly ephemeralContainersToStart: readonly number[];
  /** The containers to kill; the key is `type://id`. */
  readonly containersToKill: ReadonlyMap<string, ContainerToKill>;
  /** The containers to resize. Undefined if in-place resize isn't allowed or wasn't evaluated. */
  readonly containersToUpdate: ContainersToUpdate | undefined;
  /** True if a resize restarts a container. */
  readonly updatePodResources: boolean;
  /** True if the pod-level resources differ from those that were applied last. */
  readonly updatePodLevelResources: boolean;
  readonly containersToReset: readonly ContainerToReset[];
}

type Draft<T> = {
  -readonly [K in keyof T]: T[K] extends readonly (infer E)[]
    ? E[]
    : T[K] extends ReadonlyMap<infer K2, infer V>
      ? Map<K2, V>
      : T[K];
};

/** Mutable pod actions, to which computePodActions adds its decisions. */
export type PodActionsDraft = Draft<Omit<PodActions, 'containersToUpdate'>> & {
  containersToUpdate: Record<ResizedResource, ContainerToUpdate[]> | undefined;
};

/** Returns pod actions that contain only the decision about the sandbox. */
export const newPodActions = (sandboxChanged: boolean, attempt: number, sandboxID: string): PodActionsDraft => ({
  killPod: sandboxChanged,
  createSandbox: sandboxChanged,
  sandboxID,
  attempt,
  nextInitContainerToStart: undefined,
  initContainersToStart: [],
  containersToStart: [],
  ephemeralContainersToStart: [],
  containersToKill: new Map(),
  containersToUpdate: undefined,
  updatePodResources: false,
  updatePodLevelResources: false,
  containersToReset: [],
});

/** Adds a container to the containers to kill. */
export function addContainerToKill(
  actions: PodActionsDraft,
  status: Status,
  container: Container | EphemeralContainer,
  message: string,
  reason: KillReason,
): void {
  actions.containersToKill.set(formatContainerID(status.id), {
    id: status.id,
    container,
    name: status.name,
    message,
    reason,
  });
}
