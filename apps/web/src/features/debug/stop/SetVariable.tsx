/** Edits a variable of a stopped frame in place. */
import { errorMessage } from '@podscope/base';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { stopMessages as texts } from './messages.en.ts';
import styles from './Variables.module.css';

interface SetVariableProps {
  readonly name: string;
  /** Displayed value. */
  readonly value: string;
  /** Reference of the value whose member the variable is. */
  readonly reference: number;
  readonly stop: number;
  readonly onDone: () => void;
}

export function SetVariable({ name, value, reference, stop, onDone }: SetVariableProps) {
  const { connection } = useSession();
  const queries = useQueryClient();
  const t = useT();
  const [text, setText] = useState(value);
  const errorId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const [problem, setProblem] = useState<string>();
  const save = async (): Promise<void> => {
    let wanted: unknown;
    try {
      wanted = JSON.parse(text);
    } catch {
      setProblem(t(texts.notJson));
      return;
    }
    try {
      const command = { command: 'setVariable', variablesReference: reference, name, value: wanted } as const;
      await connection.command<'setVariable'>(command);
    } catch (error) {
      setProblem(errorMessage(error));
      return;
    }
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
        aria-invalid={problem !== undefined}
        aria-errormessage={problem === undefined ? undefined : errorId}
        onChange={({ target }) => {
          setText(target.value);
          setProblem(undefined);
        }}
        onKeyDown={({ key }) => key === 'Escape' && onDone()}
        onBlur={onDone}
      />
      {problem !== undefined && (
        <span id={errorId} className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}
