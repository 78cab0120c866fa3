/** What a difference between two looks at the runtime means. Upstream: pkg/kubelet/pleg (generateEvents, v1.36). */
import type { State } from '@podscope/kuberuntime';

/** A container's or sandbox's state as the PLEG sees it. */
export type PlegState = 'running' | 'exited' | 'unknown' | 'nonexistent';

/** `PodSync`: a pod was inspected again although nothing changed. */
export type PodLifecycleEventType = 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'ContainerChanged' | 'PodSync';

/** Something happened to a pod. */
export interface PodLifecycleEvent {
  readonly uid: string;
  readonly type: PodLifecycleEventType;
  /** Container or sandbox id, without the runtime's name. */
  readonly id?: string;
}

const plegStates: Readonly<Record<State, PlegState>> = { created: 'unknown', running: 'running', exited: 'exited', unknown: 'unknown' };

/** A container that was created but not started counts as unknown. Upstream: convertState. */
export const plegState = (state: State | undefined): PlegState => (state === undefined ? 'nonexistent' : plegStates[state]);

const transitions: Readonly<Record<PlegState, Readonly<Record<PlegState, readonly PodLifecycleEventType[]>>>> = {
  running: { running: [], exited: ['ContainerDied'], unknown: ['ContainerChanged'], nonexistent: ['ContainerDied', 'ContainerRemoved'] },
  exited: { running: ['ContainerStarted'], exited: [], unknown: ['ContainerChanged'], nonexistent: ['ContainerRemoved'] },
  unknown: { running: ['ContainerStarted'], exited: ['ContainerDied'], unknown: [], nonexistent: ['ContainerDied', 'ContainerRemoved'] },
  nonexistent: { running: ['ContainerStarted'], exited: ['ContainerDied'], unknown: ['ContainerChanged'], nonexistent: [] },
};

/** The events that lead from one state to another. Upstream: generateEvents. */
export const generateEvents = (from: PlegState, to: PlegState): readonly PodLifecycleEventType[] => transitions[from][to];
