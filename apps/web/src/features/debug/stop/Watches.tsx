/** Renders watch expressions and their values. */
import type { CommandResultOf } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { setPreference, usePreferences } from '../../../base/preferences/preferences.ts';
import { IconButton } from '../../../base/ui/fields/Button.tsx';
import { usePoints } from '../../../node/debugger/use-debug.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { ExpressionField } from '../breakpoints/ExpressionField.tsx';
import { useSettled } from '../use-settled.ts';
import { stopMessages as texts } from './messages.en.ts';
import styles from './Watches.module.css';

interface WatchesProps {
  readonly thread: string;
  readonly frame: number;
  readonly stop: number;
}

const noVariables: readonly string[] = [];

/** Shows the value of an expression, or its error. */
function WatchValue({ value }: { readonly value: CommandResultOf<'watch'>['values'][number] | undefined }) {
  if (!value) return null;
  return 'error' in value ? (
    <span className={styles.error}>{value.error}</span>
  ) : (
    <span className={styles.value}>{value.value}</span>
  );
}

export function Watches({ thread, frame, stop }: WatchesProps) {
  const { connection } = useSession();
  const t = useT();
  const expressions = usePreferences((preferences) => preferences.watches);
  const points = usePoints();
  const [draft, setDraft] = useState('');
  const typed = draft.trim();
  const settled = useSettled(typed) ?? '';
  // The value of the expression that is being typed is shown before it is added.
  const evaluated = settled === '' || expressions.includes(settled) ? expressions : [...expressions, settled];
  const { data } = useQuery({
    queryKey: ['watch', stop, frame, evaluated],
    queryFn: ({ signal }) =>
      connection.command<'watch'>({ command: 'watch', thread, frame, expressions: [...evaluated] }, signal),
    enabled: evaluated.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  const valueOf = (expression: string) => data?.values.find((each) => each.expression === expression);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (typed === '') return;
    if (!expressions.includes(typed)) setPreference({ watches: [...expressions, typed] });
    setDraft('');
  };
  return (
    <>
      <ul className={styles.list}>
        {expressions.map((expression) => (
          <li key={expression} className={styles.row}>
            <code className={styles.expression}>{expression}</code>
            <WatchValue value={valueOf(expression)} />
            <IconButton
              icon="close"
              label={t(texts.removeWatch, { expression })}
              onPress={() => setPreference({ watches: expressions.filter((each) => each !== expression) })}
            />
          </li>
        ))}
      </ul>
      <form className={styles.form} onSubmit={add}>
        <ExpressionField
          label={t(texts.addWatch)}
          value={draft}
          placeholder={t(texts.watchPlaceholder)}
          variables={points?.variables ?? noVariables}
          onChange={setDraft}
        />
      </form>
      <p className={styles.preview} role="status">
        {typed !== '' && <WatchValue value={valueOf(typed)} />}
      </p>
    </>
  );
}
