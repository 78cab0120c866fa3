/** Which log is shown, or the terminal in its place. */
import { create } from 'zustand';
import { useView } from '../state/view-store.ts';

export interface LogTarget {
  /** Undefined: the pod's first app container. */
  readonly container: string | undefined;
  /** The instance before the current one. */
  readonly previous: boolean;
  /** A shell in the container instead of its log. */
  readonly mode: 'log' | 'terminal';
}

export const useLogTarget = create<LogTarget>()(() => ({ container: undefined, previous: false, mode: 'log' }));

/** Opens the tab of logs at that container. */
export function showLogs(target: Pick<LogTarget, 'container' | 'previous'>): void {
  useLogTarget.setState({ ...target, mode: 'log' });
  useView.getState().show({ tab: 'logs' });
}

/** Opens a shell in that container. */
export function showTerminal(container: string): void {
  useLogTarget.setState({ container, previous: false, mode: 'terminal' });
  useView.getState().show({ tab: 'logs' });
}
