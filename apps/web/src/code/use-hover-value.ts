/** What a name under the pointer stands for: in the chosen frame of the stop, else in the selected span's record. */
import { useStop } from '../debug/use-debug.ts';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { useSelectedUid } from '../state/use-selected-pod.ts';
import { spanOf, useView } from '../state/view-store.ts';
import { frameValue, type HoverValue, recordedValue } from './frame-values.ts';
import { codeMessages } from './messages.en.ts';

export function useHoverValue(): (path: string) => Promise<(HoverValue & { readonly origin: string }) | undefined> {
  const { connection, run } = useSession();
  const t = useT();
  const stop = useStop(useSelectedUid());
  const selected = useView((view) => spanOf(view.selected));
  return async (path) => {
    const span = run.span(selected ?? stop?.span);
    // The frames of a stop are the spans that are open: one that has ended is looked at as it was recorded.
    const frame = span && span.end === undefined ? span.id : stop?.span;
    const value = (stop && frame !== undefined ? await frameValue(connection, stop, frame, path) : undefined) ?? (span && recordedValue(span, path));
    return value && { ...value, origin: t(codeMessages[value.from]) };
  };
}
