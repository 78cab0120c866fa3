/** Links to the other parts of Podscope: lessons, scenarios, explain, saved runs, faults. */
import type { Message } from '../../base/i18n/define-messages.ts';
import { useT } from '../../base/i18n/i18n.ts';
import { useDebugState } from '../../node/debugger/use-debug.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { type DialogName, openDialog, useInterface } from '../../node/view/interface.ts';
import { shellMessages as texts } from '../messages.en.ts';
import styles from './Navigation.module.css';

interface Place {
  readonly dialog: DialogName;
  readonly title: Message;
  /** Keyboard shortcut. */
  readonly keys: string;
}

const places: readonly Place[] = [
  { dialog: 'lessons', title: texts.lessons, keys: 'H' },
  { dialog: 'scenarios', title: texts.scenarios, keys: 'C' },
  { dialog: 'snapshot', title: texts.explain, keys: 'Y' },
  { dialog: 'runs', title: texts.runs, keys: 'R' },
  { dialog: 'faults', title: texts.faults, keys: 'X' },
];

export function Navigation() {
  const open = useInterface(({ dialog }) => dialog);
  const refusal = useRefusal();
  const hasDebugger = useDebugState() !== undefined;
  const t = useT();
  return (
    <nav className={styles.places} aria-label={t(texts.navigation)} data-noise="">
      {places.map(({ dialog, title, keys }) => {
        const isRefused = dialog === 'faults' && (refusal !== undefined || !hasDebugger);
        return (
          <button
            key={dialog}
            type="button"
            className={styles.place}
            aria-haspopup="dialog"
            aria-keyshortcuts={keys}
            aria-current={open === dialog ? 'true' : undefined}
            disabled={isRefused}
            title={isRefused ? refusal : `${t(title)} (${keys})`}
            onClick={() => openDialog(dialog)}
          >
            {t(title)}
          </button>
        );
      })}
    </nav>
  );
}
