/** Says when the server was started anew: what was here belonged to the run before. */
import { useEffect } from 'react';
import { notify } from '../state/interface.ts';
import { useRestartTime } from './use-run.ts';

export function useRunRestart(): void {
  const restartedAt = useRestartTime();
  useEffect(() => {
    if (restartedAt !== undefined) notify('info', 'The server was restarted. This is its new run; what was here before belonged to the last one.');
  }, [restartedAt]);
}
