/** Handles keyboard shortcuts, except in text fields and dialogs. */
import { useEffect } from 'react';
import { translate } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { timelineHandle } from '../../features/timeline/index.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useSelectedUid } from '../../node/run/use-selected-pod.ts';
import { typeAhead, useInterface } from '../../node/view/interface.ts';
import { commands, isAvailable, refusalFor } from './commands.ts';
import { isModChord, matchesChord } from './key-chord.ts';

/** Keys of the timeline that work wherever the focus is. */
const timelineKeys: ReadonlySet<string> = new Set(['w', 'a', 's', 'd', 'f', 'g', '.', ',', '+', '-', '=', 'Escape']);

/** Returns true if the element handles keys itself. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && ['range', 'checkbox', 'radio'].includes(target.type)) return false;
  return (
    target.isContentEditable ||
    target.shadowRoot !== null ||
    target.closest('input, textarea, select, [role="dialog"], [role="menu"], [role="combobox"], [role="terminal"]') !==
      null
  );
}

const isDialogOpen = (): boolean => {
  const { dialog, editor } = useInterface.getState();
  return dialog !== undefined || editor !== undefined;
};

/** Stores a character that the user types while a dialog with a search field loads. */
function keepTyped(event: KeyboardEvent): void {
  const isSearchable = ['palette', 'scenarios', 'sources'].includes(useInterface.getState().dialog ?? '');
  const isText = /^.$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isSearchable || !isText || takesKeys(event.target)) return;
  event.preventDefault();
  typeAhead(event.key);
}

export function useShortcuts(): void {
  const session = useSession();
  const uid = useSelectedUid();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if (isDialogOpen()) {
        keepTyped(event);
        return;
      }
      const isTyping = takesKeys(event.target);
      const command = commands.find(
        ({ keys }) => keys !== undefined && (!isTyping || isModChord(keys)) && matchesChord(keys, event),
      );
      if (command) {
        event.preventDefault();
        const context = { session, uid };
        if (!isAvailable(command, context)) {
          const reason = command.whyUnavailable?.(context);
          if (reason) notify('info', translate(reason));
          return;
        }
        const refusal = refusalFor(command, context);
        if (refusal) notify('info', translate(refusal));
        else command.run(context);
      } else if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && timelineKeys.has(event.key)) {
        timelineHandle()?.handleKey(event);
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [session, uid]);
}
