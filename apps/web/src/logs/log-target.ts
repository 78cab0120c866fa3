/** Which log is shown. */
import { create } from 'zustand';
import { useView } from '../state/view-store.ts';

export interface LogTarget {
  /** Undefined: the pod's first app container. */
  readonly container: string | undefined;
  /** The instance before the current one. */
  readonly previous: boolean;
}

export const useLogTarget = create<LogTarget>()(() => ({ container: undefined, previous: false }));

/** Opens the tab of logs at that container. */
export function showLogs(target: LogTarget): void {
  useLogTarget.setState(target);
  useView.getState().show({ tab: 'logs' });
}
