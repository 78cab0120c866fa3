/** Renders a text field for a CEL expression that completes the names of variables. */
import { useRef, useState } from 'react';
import { Combobox } from '../../../base/ui/fields/Combobox.tsx';
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
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState<number>();
  const { from, names } = completionsAt(value, caret, variables);
  const accept = (name: string): void => {
    const end = from + name.length;
    onChange(value.slice(0, from) + name + value.slice(caret));
    setCaret(undefined);
    requestAnimationFrame(() => input.current?.setSelectionRange(end, end));
  };
  return (
    <Combobox
      label={label}
      value={value}
      placeholder={placeholder}
      options={names.map((name) => ({ id: name, content: <span className={styles.name}>{name}</span> }))}
      input={input}
      onChange={(text, position) => {
        onChange(text);
        setCaret(position);
      }}
      onSelect={(index) => accept(names[index] ?? '')}
      onClose={() => setCaret(undefined)}
    />
  );
}
