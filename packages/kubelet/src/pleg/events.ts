/**
 * Maps the difference between two relists to pod lifecycle events. Upstream: pkg/kubelet/pleg (generateEvents, v1.36).
 */
import type { State } from '@podscope/kuberuntime';

/** The state of a container or sandbox as the PLEG compares it. */
export type PlegState = 'running' | 'exited' | 'unknown' | 'nonexistent';

/** The types of pod lifecycle events. `PodSync`: the pod was inspected again and hadn't changed. */
export type PodLifecycleEventType =
  | 'ContainerStarted'
  | 'ContainerDied'
  | 'ContainerRemoved'
  | 'ContainerChanged'
  | 'PodSync';

/** An event of a pod. */
export interface PodLifecycleEvent {
  readonly uid: string;
  readonly type: PodLifecycleEventType;
  /** The id of the container or sandbox, without the runtime's name. */
  readonly id?: string;
}

const plegStates: Readonly<Record<State, PlegState>> = {
  created: 'unknown',
  running: 'running',
  exited: 'exited',
  unknown: 'unknown',
};

/** Converts a runtime state. A container that was created but not started is `unknown`. Upstream: convertState. */
export const plegState = (state: State | undefined): PlegState =>
  state === undefined ? 'nonexistent' : plegStates[state];

const transitions: Readonly<Record<PlegState, Readonly<Record<PlegState, readonly PodLifecycleEventType[]>>>> = {
  running: {
    running: [],
    exited: ['ContainerDied'],
    unknown: ['ContainerChanged'],
    nonexistent: ['ContainerDied', 'ContainerRemoved'],
  },
  exited: {
    running: ['ContainerStarted'],
    exited: [],
    unknown: ['ContainerChanged'],
    nonexistent: ['ContainerRemoved'],
  },
  unknown: {
    running: ['ContainerStarted'],
    exited: ['ContainerDied'],
    unknown: [],
    nonexistent: ['ContainerDied', 'ContainerRemoved'],
  },
  nonexistent: {
    running: ['ContainerStarted'],
    exited: ['ContainerDied'],
    unknown: ['ContainerChanged'],
    nonexistent: [],
  },
};

/** Returns the events for a change from one state to another. Upstream: generateEvents. */
export const generateEvents = (from: PlegState, to: PlegState): readonly PodLifecycleEventType[] =>
  transitions[from][to];
