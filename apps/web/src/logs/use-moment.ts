/** The moment that is selected, when it is one: its time, and what it is. */
import { resolveSelection } from '../inspector/resolve-selection.ts';
import { useSession } from '../run/node-session.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { useView } from '../state/view-store.ts';

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
