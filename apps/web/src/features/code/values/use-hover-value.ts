/**
 * Resolves the name under the pointer. The value comes from the selected frame of the stop, or else from the selected
 * span's recorded data.
 */

import { useT } from '../../../base/i18n/i18n.ts';
import { spanOf, useView } from '../../../node/address/view-store.ts';
import { useStop } from '../../../node/debugger/use-debug.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { useSelectedUid } from '../../../node/run/use-selected-pod.ts';
import { codeMessages } from '../messages.en.ts';
import { frameValue, type HoverValue, recordedValue } from './frame-values.ts';

export function useHoverValue(): (path: string) => Promise<(HoverValue & { readonly origin: string }) | undefined> {
  const { connection, run } = useSession();
  const t = useT();
  const stop = useStop(useSelectedUid());
  const selected = useView((view) => spanOf(view.selected));
  return async (path) => {
    const span = run.span(selected ?? stop?.span);
    // Evaluate the path in the frame of the selected span if the span is open, or else in the innermost frame of the
    // stop. If the frame has no such value, use the span's recorded data.
    const frame = span && span.end === undefined ? span.id : stop?.span;
    const value =
      (stop && frame !== undefined ? await frameValue(connection, stop, frame, path) : undefined) ??
      (span && recordedValue(span, path));
    return value && { ...value, origin: t(codeMessages[value.from]) };
  };
}
