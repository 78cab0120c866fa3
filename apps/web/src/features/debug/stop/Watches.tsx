/** Renders watch expressions and their values. */
import { type CommandResultOf, maxExpressionLength, maxWatches } from '@podscope/protocol';
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

/** A frame of a stopped thread. */
interface StoppedFrame {
  readonly thread: string;
  readonly frame: number;
  readonly stop: number;
}

type Value = CommandResultOf<'watch'>['values'][number];

const noVariables: readonly string[] = [];

/** Evaluates expressions in a frame. Returns a function that finds the value of an expression. */
function useValues({ thread, frame, stop }: StoppedFrame, expressions: readonly string[]) {
  const { connection } = useSession();
  const { data } = useQuery({
    queryKey: ['watch', stop, frame, expressions],
    queryFn: ({ signal }) =>
      connection.command<'watch'>({ command: 'watch', thread, frame, expressions: [...expressions] }, signal),
    enabled: expressions.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  return (expression: string): Value | undefined => data?.values.find((each) => each.expression === expression);
}

const isTooLong = (expression: string): boolean => expression.length > maxExpressionLength;

/** Shows the value of an expression, or its error. */
function WatchValue({ value }: { readonly value: Value | undefined }) {
  if (!value) return null;
  return 'error' in value ? (
    <span className={styles.error}>{value.error}</span>
  ) : (
    <span className={styles.value}>{value.value}</span>
  );
}

export function Watches(at: StoppedFrame) {
  const t = useT();
  const expressions = usePreferences((preferences) => preferences.watches);
  const points = usePoints();
  const [draft, setDraft] = useState('');
  const typed = draft.trim();
  const settled = useSettled(typed) ?? '';
  const isKnown = (expression: string): boolean => expression === '' || expressions.includes(expression);
  const savedValue = useValues(at, expressions.filter((each) => !isTooLong(each)).slice(0, maxWatches));
  // The value of the expression that is being typed is shown before it is added. It has a query of its own, so that
  // saved values don't depend on it.
  const draftValue = useValues(at, isKnown(settled) || isTooLong(settled) ? [] : [settled]);
  const problem = isKnown(typed)
    ? undefined
    : isTooLong(typed)
      ? t(texts.watchTooLong, { most: maxExpressionLength })
      : expressions.length >= maxWatches
        ? t(texts.tooManyWatches, { most: maxWatches })
        : undefined;
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (typed === '' || problem !== undefined) return;
    if (!isKnown(typed)) setPreference({ watches: [...expressions, typed] });
    setDraft('');
  };
  return (
    <>
      <ul className={styles.list}>
        {expressions.map((expression) => (
          <li key={expression} className={styles.row}>
            <code className={styles.expression}>{expression}</code>
            <WatchValue value={savedValue(expression)} />
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
        {typed !== '' && <WatchValue value={savedValue(typed) ?? draftValue(typed)} />}
        {problem !== undefined && <span className={styles.error}>{problem}</span>}
      </p>
    </>
  );
}
