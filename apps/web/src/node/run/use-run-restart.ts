/** Shows a notice when the server was restarted or its run was replayed. */
import { useEffect } from 'react';
import { translate } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { runMessages } from './messages.en.ts';
import { useSession } from './node-session.ts';
import { useRestartTime } from './use-run.ts';

export function useRunRestart(): void {
  const { connection } = useSession();
  const restartedAt = useRestartTime();
  useEffect(() => {
    if (restartedAt === undefined) return;
    const repeats = connection.node?.repeats;
    notify('info', repeats ? translate(runMessages.repeated, { seq: repeats.seq }) : translate(runMessages.restarted));
  }, [restartedAt, connection]);
}
