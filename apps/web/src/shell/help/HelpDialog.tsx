/** Lists the keyboard shortcuts. Default export: loaded when first opened. */
import { glossary } from '@podscope/lessons/glossary';
import { timelineKeys } from '@podscope/timeline';
import type { Message } from '../../base/i18n/define-messages.ts';
import { useLanguage, useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { Keys } from '../../base/ui/marks/Keys.tsx';
import { closeDialog, openDialog } from '../../node/view/interface.ts';
import { commands } from '../commands/commands.ts';
import { shownChord } from '../commands/key-chord.ts';
import { commandGroupMessages } from '../commands/messages.en.ts';
import { guideMessages } from '../guide/messages.en.ts';
import styles from './HelpDialog.module.css';
import { helpMessages, timelineKeyMessages } from './messages.en.ts';

interface Entry {
  readonly keys: readonly string[];
  readonly title: Message;
}

const groupNames = ['page', 'run', 'pods', 'tabs', 'debugger', 'time'] as const;

const entriesOf = (name: (typeof groupNames)[number]): readonly Entry[] =>
  commands.flatMap(({ group, keys, title }) =>
    group === name && keys !== undefined ? [{ keys: shownChord(keys), title }] : [],
  );

const groups: readonly { readonly title: Message; readonly entries: readonly Entry[] }[] = [
  ...groupNames.map((name) => ({ title: commandGroupMessages[name], entries: entriesOf(name) })),
  {
    title: commandGroupMessages.timeline,
    entries: timelineKeys.map(({ keys, action }) => ({
      keys: keys.flatMap(shownKey),
      title: timelineKeyMessages[action],
    })),
  },
];

/** Splits a chord at `+`, except the timeline's key `+` itself. */
function shownKey(key: string): readonly string[] {
  return key === '+' ? ['+'] : shownChord(key);
}

/**
 * True if the documentation is served beside the page, as on the static site. A server's page and a package for
 * learning platforms don't contain it.
 */
const hasDocs = typeof podscopeHasDocs !== 'undefined' && podscopeHasDocs;

export default function HelpDialog() {
  const t = useT();
  const language = useLanguage();
  const guide = (
    <Button kind="quiet" icon="info" onPress={() => openDialog('guide')}>
      {t(guideMessages.title)}
    </Button>
  );
  const tools = (
    <>
      {hasDocs ? (
        <a href="docs/index.html" target="_blank" rel="noreferrer">
          {t(helpMessages.documentation)}
        </a>
      ) : null}
      {guide}
    </>
  );
  return (
    <PageDialog title={t(helpMessages.title)} size="large" onClose={closeDialog} tools={tools}>
      {/* Make it focusable, so that users can scroll the list with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.body} tabIndex={0} role="group" aria-label={t(helpMessages.title)}>
        <div className={styles.groups}>
          {groups.map(({ title, entries }) => (
            <section key={title.id}>
              <h3 className={styles.group}>{t(title)}</h3>
              <dl>
                {entries.map(({ keys, title: name }) => (
                  <div key={name.id} className={styles.row}>
                    <dt>
                      <Keys keys={keys} />
                    </dt>
                    <dd>{t(name)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p className={styles.note}>{t(helpMessages.pointer)}</p>
        <section aria-label={t(helpMessages.glossary)}>
          <h3 className={styles.group}>{t(helpMessages.glossary)}</h3>
          <dl className={styles.glossary}>
            {glossary(language).map(({ id, name, text }) => (
              <div key={id}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </PageDialog>
  );
}
