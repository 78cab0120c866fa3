/** Gives a changeable variable of a stopped frame another value, in its place. */
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { useSession } from '../../run/node-session.ts';
import { notify } from '../../state/interface.ts';
import { attempt } from '../debug-actions.ts';
import { stopMessages as texts } from './messages.en.ts';
import styles from './Variables.module.css';

interface SetVariableProps {
  readonly name: string;
  /** As the list shows it. */
  readonly value: string;
  /** What the variable is a member of. */
  readonly reference: number;
  readonly stop: number;
  readonly onDone: () => void;
}

export function SetVariable({ name, value, reference, stop, onDone }: SetVariableProps) {
  const { connection } = useSession();
  const queries = useQueryClient();
  const t = useT();
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const save = async (): Promise<void> => {
    let wanted: unknown;
    try {
      wanted = JSON.parse(text);
    } catch {
      notify('error', t(texts.notJson));
      return;
    }
    const isDone = await attempt(() => connection.command<'setVariable'>({ command: 'setVariable', variablesReference: reference, name, value: wanted }));
    if (!isDone) return;
    onDone();
    await Promise.all(['variables', 'watch', 'changes'].map((kind) => queries.invalidateQueries({ queryKey: [kind, stop] })));
  };
  return (
    <form
      className={styles.set}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        ref={input}
        className={styles.input}
        value={text}
        aria-label={t(texts.newValue, { name })}
        title={t(texts.newValue, { name })}
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onDone()}
        onBlur={onDone}
      />
    </form>
  );
}
