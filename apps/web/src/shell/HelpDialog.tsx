/** What the keys do. Default export: it is loaded when first opened. */
import { timelineKeys } from '@podscope/timeline';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { setHelpOpen } from '../state/interface.ts';
import { IconButton } from '../ui/Button.tsx';
import styles from './HelpDialog.module.css';
import { shortcuts } from './shortcuts.ts';

interface Entry {
  readonly keys: readonly string[];
  readonly description: string;
}

const arrows: Readonly<Record<string, string>> = {
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: '↵',
  escape: 'Esc',
  home: 'Home',
  end: 'End',
};
const keyName = (key: string): string => arrows[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key);

const groups: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  ...(['Page', 'Pods', 'Steps and tabs'] as const).map((title) => ({
    title,
    entries: shortcuts.filter(({ group }) => group === title).map(({ key, shown, description }) => ({ keys: [shown ?? key], description })),
  })),
  { title: 'Timeline', entries: timelineKeys },
];

export default function HelpDialog() {
  return (
    <ModalOverlay className={styles.veil} isOpen onOpenChange={setHelpOpen} isDismissable>
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog}>
          <header className={styles.head}>
            <Heading slot="title" className={styles.title}>
              Keys
            </Heading>
            <IconButton icon="close" label="Close" shortcut="Esc" onPress={() => setHelpOpen(false)} />
          </header>
          <div className={styles.groups}>
            {groups.map(({ title, entries }) => (
              <section key={title}>
                <h3 className={styles.group}>{title}</h3>
                <dl>
                  {entries.map(({ keys, description }) => (
                    <div key={keys.join()} className={styles.row}>
                      <dt>
                        {keys.map((key) => (
                          <kbd key={key} className={styles.key}>
                            {keyName(key)}
                          </kbd>
                        ))}
                      </dt>
                      <dd>{description}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <p className={styles.note}>
            In the timeline: wheel with Ctrl or pinch zooms, drag pans, Shift and drag measures a stretch of time, a double click fits.
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
