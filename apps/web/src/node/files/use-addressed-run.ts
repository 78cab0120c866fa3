/**
 * Shows the saved run that the address names, or else the node. Follows changes of the address by links and the back
 * button.
 */
import { errorMessage } from '@podscope/base';
import { useEffect } from 'react';
import { notify } from '../../base/notices/notices.ts';
import { useView } from '../address/view-store.ts';
import { showHome, showSavedRun, useOpenNode } from '../run/open-node.ts';
import { useConnectionState } from '../run/use-run.ts';

export function useAddressedRun(): void {
  const wanted = useView(({ run }) => run);
  const shown = useOpenNode(({ savedRun }) => savedRun);
  const home = useOpenNode((state) => state.home);
  const isReady = useConnectionState().phase === 'live';
  useEffect(() => {
    if (wanted === shown) return undefined;
    if (wanted === undefined) {
      showHome();
      return undefined;
    }
    if (!isReady || wanted === home.connection.node?.run) return undefined;
    const loading = new AbortController();
    const open = async (): Promise<void> => {
      try {
        const [{ readSavedRun }, { savedRunNode }] = await Promise.all([
          import('./saved-run.ts'),
          import('./file-node.ts'),
        ]);
        const { run, events } = await readSavedRun(home.connection, wanted, loading.signal);
        const node = await savedRunNode(run, events);
        if (!loading.signal.aborted) showSavedRun(node, wanted);
      } catch (error) {
        if (loading.signal.aborted) return;
        notify('error', errorMessage(error));
        useView.getState().show({ run: undefined });
      }
    };
    void open();
    return () => loading.abort();
  }, [wanted, shown, isReady, home]);
}
