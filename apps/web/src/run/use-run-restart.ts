/** Says when the server was started anew: what was here belonged to the run before. */
import { useEffect } from 'react';
import { translate } from '../i18n/i18n.ts';
import { notify } from '../state/interface.ts';
import { runMessages } from './messages.en.ts';
import { useRestartTime } from './use-run.ts';

export function useRunRestart(): void {
  const restartedAt = useRestartTime();
  useEffect(() => {
    if (restartedAt !== undefined) notify('info', translate(runMessages.restarted));
  }, [restartedAt]);
}
