/** Renders a text field for a CEL expression that completes the names of variables. */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { cx } from '../../../base/ui/marks/cx.ts';
import { completionsAt } from './complete-expression.ts';
import styles from './ExpressionField.module.css';

interface ExpressionFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly variables: readonly string[];
  readonly onChange: (value: string) => void;
}

export function ExpressionField({ label, value, placeholder, variables, onChange }: ExpressionFieldProps) {
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState<number>();
  const [active, setActive] = useState(0);
  const { from, names } = completionsAt(value, caret, variables);
  const isOpen = names.length > 0;
  const chosen = Math.min(active, names.length - 1);
  const follow = (): void => {
    setCaret(input.current?.selectionStart ?? undefined);
    setActive(0);
  };
  const accept = (name: string): void => {
    const end = from + name.length;
    onChange(value.slice(0, from) + name + value.slice(caret));
    setCaret(undefined);
    requestAnimationFrame(() => input.current?.setSelectionRange(end, end));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    const name = names[chosen];
    if (event.key === 'ArrowDown') setActive((chosen + 1) % names.length);
    else if (event.key === 'ArrowUp') setActive((chosen + names.length - 1) % names.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && name !== undefined) accept(name);
    else if (event.key === 'Escape') setCaret(undefined);
    else return;
    event.preventDefault();
    // Keep Escape from also closing the dialog.
    event.stopPropagation();
  };
  return (
    <span className={styles.field}>
      <input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen ? `${list}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        onChange={({ target }) => {
          onChange(target.value);
          follow();
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(undefined)}
      />
      <div id={list} className={styles.list} role="listbox" aria-label={label} hidden={!isOpen}>
        {names.map((name, index) => (
          // The input handles the keys of its list.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={name}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={cx(styles.option, index === chosen && styles.chosen)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => accept(name)}
          >
            {name}
          </div>
        ))}
      </div>
    </span>
  );
}
