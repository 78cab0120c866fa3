/** Stores which log or terminal is shown. */
import { create } from 'zustand';
import { useView } from '../../node/address/view-store.ts';

/** Stands for all containers of the pod; no container has this name. */
export const allContainers = '*';

export interface LogTarget {
  /** Undefined selects the first app container; {@link allContainers} all of them. */
  readonly container: string | undefined;
  /** The previous instance. */
  readonly previous: boolean;
  /** A shell in the container instead of its log. */
  readonly mode: 'log' | 'terminal';
}

export const useLogTarget = create<LogTarget>()(() => ({ container: undefined, previous: false, mode: 'log' }));

/** Opens the Logs tab at a container. */
export function showLogs(target: Pick<LogTarget, 'container' | 'previous'>): void {
  useLogTarget.setState({ ...target, mode: 'log' });
  useView.getState().show({ tab: 'logs' });
}

/** Opens a shell in a container. */
export function showTerminal(container: string): void {
  useLogTarget.setState({ container, previous: false, mode: 'terminal' });
  useView.getState().show({ tab: 'logs' });
}
