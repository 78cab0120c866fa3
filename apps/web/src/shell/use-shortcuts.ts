/** Runs the page's keys, unless something is being typed or a dialog is open. */
import { useEffect } from 'react';
import { useSession } from '../run/node-session.ts';
import { useSelectedUid } from '../state/use-selected-pod.ts';
import { timelineHandle } from '../timeline/timeline-handle.ts';
import { shortcuts } from './shortcuts.ts';

/** Keys of the timeline that work wherever the focus is. */
const timelineKeys: ReadonlySet<string> = new Set(['w', 'a', 's', 'd', 'f', '.', ',', '+', '-', '=', 'Escape']);

/** An element that wants the key itself. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.shadowRoot !== null ||
    target.closest('input, textarea, select, [role="dialog"], [role="menu"], [role="combobox"]') !== null
  );
}

export function useShortcuts(): void {
  const session = useSession();
  const uid = useSelectedUid();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return;
      // A list goes to the entry whose name is typed; ours have no such search, others do.
      const shortcut = shortcuts.find(({ key, shift }) => key === event.key && (!key.startsWith('F') || (shift ?? false) === event.shiftKey));
      if (shortcut) {
        event.preventDefault();
        shortcut.action({ session, uid });
      } else if (timelineKeys.has(event.key)) {
        timelineHandle()?.handleKey(event);
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [session, uid]);
}
