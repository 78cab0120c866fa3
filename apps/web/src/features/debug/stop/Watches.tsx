/** Renders watch expressions and their values. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { setPreference, usePreferences } from '../../../base/preferences/preferences.ts';
import { IconButton } from '../../../base/ui/fields/Button.tsx';
import { useSession } from '../../../node/run/node-session.ts';
import { stopMessages as texts } from './messages.en.ts';
import styles from './Watches.module.css';

interface WatchesProps {
  readonly thread: string;
  readonly frame: number;
  readonly stop: number;
}

export function Watches({ thread, frame, stop }: WatchesProps) {
  const { connection } = useSession();
  const t = useT();
  const expressions = usePreferences((preferences) => preferences.watches);
  const [draft, setDraft] = useState('');
  const { data } = useQuery({
    queryKey: ['watch', stop, frame, expressions],
    queryFn: ({ signal }) =>
      connection.command<'watch'>({ command: 'watch', thread, frame, expressions: [...expressions] }, signal),
    enabled: expressions.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const expression = draft.trim();
    if (expression === '') return;
    if (!expressions.includes(expression)) setPreference({ watches: [...expressions, expression] });
    setDraft('');
  };
  return (
    <>
      <ul className={styles.list}>
        {expressions.map((expression) => {
          const value = data?.values.find((each) => each.expression === expression);
          return (
            <li key={expression} className={styles.row}>
              <code className={styles.expression}>{expression}</code>
              {value &&
                ('error' in value ? (
                  <span className={styles.error}>{value.error}</span>
                ) : (
                  <span className={styles.value}>{value.value}</span>
                ))}
              <IconButton
                icon="close"
                label={t(texts.removeWatch, { expression })}
                onPress={() => setPreference({ watches: expressions.filter((each) => each !== expression) })}
              />
            </li>
          );
        })}
      </ul>
      <form onSubmit={add}>
        <input
          className={styles.input}
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
          placeholder={t(texts.watchPlaceholder)}
          aria-label={t(texts.addWatch)}
          spellCheck={false}
        />
      </form>
    </>
  );
}
