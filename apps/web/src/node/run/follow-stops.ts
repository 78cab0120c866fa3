/** Selects each pod that stops, so that the page follows the debug session of an editor. */
import { useView } from '../address/view-store.ts';
import type { NodeSession } from './node-session.ts';

/**
 * Shows the pod of each new stop, with its latest sync, and returns the page to the present. If several pods stop,
 * shows the pod that stopped last. A pod that is already stopped is shown at once. Returns a function that ends this.
 */
export function followStops({ run, debug }: Pick<NodeSession, 'run' | 'debug'>): () => void {
  let last = 0;
  const look = (): void => {
    const newest = debug.state?.stopped
      .filter(({ stop, pod }) => stop > last && pod !== undefined)
      .toSorted((a, b) => b.stop - a.stop)[0];
    if (!newest?.pod) return;
    last = newest.stop;
    const { uid, namespace, name } = newest.pod;
    run.travel(undefined);
    useView.getState().show({
      uid,
      pod: `${namespace}/${name}`,
      sync: undefined,
      selected: undefined,
      at: undefined,
      follow: true,
      range: undefined,
    });
  };
  look();
  return debug.subscribe(look);
}
