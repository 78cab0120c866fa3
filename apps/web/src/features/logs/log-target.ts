/** Stores which container's log or terminal the Logs tab shows. */
import { create } from 'zustand';
import { useView } from '../../node/address/view-store.ts';

/** A value that selects all containers of the pod. It isn't a valid container name. */
export const allContainers = '*';

export interface LogTarget {
  /** Name of the container; {@link allContainers} selects all. Undefined selects the first app container. */
  readonly container: string | undefined;
  /** True for the log of the previous instance. */
  readonly previous: boolean;
  /** Whether the tab shows the log, or a shell in the container. */
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
