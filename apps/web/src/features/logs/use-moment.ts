/** Returns the time and label of the selected moment; undefined for other selections. */

import { useView } from '../../node/address/view-store.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import { resolveSelection } from '../../node/selection/resolve-selection.ts';

export interface Moment {
  readonly time: number;
  readonly text: string;
}

export function useMoment(): Moment | undefined {
  const { run } = useSession();
  const { pod } = useSelectedPod();
  const selected = useView((view) => view.selected);
  if (!pod || selected === undefined) return undefined;
  const selection = resolveSelection(selected, pod, (id) => run.span(id));
  switch (selection.kind) {
    case 'span':
      return { time: selection.span.start, text: selection.span.title };
    case 'event':
      return { time: selection.event.time, text: selection.event.reason };
    case 'stop':
      return { time: selection.stop.start, text: selection.stop.point };
    default:
      return undefined;
  }
}
