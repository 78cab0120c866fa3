/** Edits a variable of a stopped frame in place. */
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { notify } from '../../../base/notices/notices.ts';
import { attempt } from '../../../node/debugger/debug-actions.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { stopMessages as texts } from './messages.en.ts';
import styles from './Variables.module.css';

interface SetVariableProps {
  readonly name: string;
  /** Displayed value. */
  readonly value: string;
  /** Reference of the variable's container. */
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
    const isDone = await attempt(() =>
      connection.command<'setVariable'>({ command: 'setVariable', variablesReference: reference, name, value: wanted }),
    );
    if (!isDone) return;
    onDone();
    await Promise.all(
      ['variables', 'watch', 'changes'].map((kind) => queries.invalidateQueries({ queryKey: [kind, stop] })),
    );
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
