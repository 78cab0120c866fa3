/** What a sync has to do. Upstream: kuberuntime podActions (v1.36; v1.20 has the part said so). */
import type { Container, EphemeralContainer } from '@podscope/k8s';
import { type ContainerID, type ContainerResources, formatContainerID, type Status } from '../runtime.ts';

/** Why a container is killed. Upstream: containerKillReason (v1.36). */
export type KillReason = '' | 'StartupProbe' | 'LivenessProbe' | 'FailedPostStartHook' | 'RestartAllContainers' | 'Unknown';

/** A container to stop. */
interface ContainerToKill {
  readonly id: ContainerID;
  readonly container: Container;
  readonly name: string;
  /** What the event says. */
  readonly message: string;
  readonly reason: KillReason;
}

/** A container that gets other resources while it runs. */
export interface ContainerToUpdate {
  readonly id: ContainerID;
  readonly container: Container;
  readonly desired: Required<ContainerResources>;
  readonly current: Required<ContainerResources>;
}

/** A container to remove before all containers start anew. */
export interface ContainerToReset {
  readonly id: ContainerID;
  readonly container: Container;
  /** It still runs. */
  readonly kill: boolean;
}

export type ResizedResource = 'cpu' | 'memory';

/** Decreases first, as what one gives up another may take. */
type ContainersToUpdate = Readonly<Record<ResizedResource, readonly ContainerToUpdate[]>>;

export interface PodActions {
  /** Stop every running container and every sandbox. */
  readonly killPod: boolean;
  /** Then create a new sandbox. */
  readonly createSandbox: boolean;
  /** The sandbox to use, or the one being replaced; may be empty. */
  readonly sandboxID: string;
  readonly attempt: number;
  /** v1.20 only. */
  readonly nextInitContainerToStart: Container | undefined;
  /** v1.36 only: indices into `spec.initContainers`, in start order. */
  readonly initContainersToStart: readonly number[];
  /** Indices into `spec.containers`. */
  readonly containersToStart: readonly number[];
  /** Indices into `spec.ephemeralContainers`. */
  readonly ephemeralContainersToStart: readonly number[];
  /** By `type://id`. */
  readonly containersToKill: ReadonlyMap<string, ContainerToKill>;
  /** Undefined when resize in place is not allowed or was not looked at. */
  readonly containersToUpdate: ContainersToUpdate | undefined;
  /** A resize restarts some container. */
  readonly updatePodResources: boolean;
  /** The pod's own resources differ from what was last applied. */
  readonly updatePodLevelResources: boolean;
  readonly containersToReset: readonly ContainerToReset[];
}

type Draft<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] extends ReadonlyMap<infer K2, infer V> ? Map<K2, V> : T[K] };

/** Pod actions in the making. */
export type PodActionsDraft = Draft<Omit<PodActions, 'containersToUpdate'>> & {
  containersToUpdate: Record<ResizedResource, ContainerToUpdate[]> | undefined;
};

/** Actions that so far only say what becomes of the sandbox. */
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

/** Adds a container to those that will be killed. */
export function addContainerToKill(
  actions: PodActionsDraft,
  status: Status,
  container: Container | EphemeralContainer,
  message: string,
  reason: KillReason,
): void {
  actions.containersToKill.set(formatContainerID(status.id), { id: status.id, container, name: status.name, message, reason });
}
