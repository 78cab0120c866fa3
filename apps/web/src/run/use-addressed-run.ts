/** Shows the kept run that the address names, and the node again once it names none: links and the browser's back button do both. */
import { useEffect } from 'react';
import { notify } from '../state/interface.ts';
import { useView } from '../state/view-store.ts';
import { showHome, showKeptRun, useOpenNode } from './open-node.ts';
import { useConnectionState } from './use-run.ts';

export function useAddressedRun(): void {
  const wanted = useView(({ run }) => run);
  const shown = useOpenNode(({ keptRun }) => keptRun);
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
        const [{ readKeptRun }, { keptRunNode }] = await Promise.all([import('../files/kept-run.ts'), import('../files/file-node.ts')]);
        const { run, events } = await readKeptRun(home.connection, wanted, loading.signal);
        if (!loading.signal.aborted) showKeptRun(keptRunNode(run, events), wanted);
      } catch (error) {
        if (loading.signal.aborted) return;
        notify('error', error instanceof Error ? error.message : String(error));
        useView.getState().show({ run: undefined });
      }
    };
    void open();
    return () => loading.abort();
  }, [wanted, shown, isReady, home]);
}
