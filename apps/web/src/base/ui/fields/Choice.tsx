/** Selects one of a few options that are all visible. */
import { type Key, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './Choice.module.css';

interface ChoiceProps<Id extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: Id; readonly label: string }[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
  readonly isDisabled?: boolean;
}

export function Choice<Id extends string>({ label, options, value, onChange, isDisabled = false }: ChoiceProps<Id>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles.group}
      selectionMode="single"
      disallowEmptySelection
      isDisabled={isDisabled}
      selectedKeys={[value]}
      onSelectionChange={(keys: Set<Key>) => {
        const next = options.find(({ id }) => keys.has(id));
        if (next) onChange(next.id);
      }}
    >
      {options.map(({ id, label: text }) => (
        <ToggleButton key={id} id={id} className={styles.option}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
