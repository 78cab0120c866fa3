/** Picks one of a few that are all in view. */
import { Radio, RadioGroup } from 'react-aria-components';
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
    <RadioGroup
      aria-label={label}
      orientation="horizontal"
      className={styles.group}
      value={value}
      isDisabled={isDisabled}
      onChange={(id) => {
        const chosen = options.find((option) => option.id === id);
        if (chosen) onChange(chosen.id);
      }}
    >
      {options.map(({ id, label: text }) => (
        <Radio key={id} value={id} className={styles.option}>
          {text}
        </Radio>
      ))}
    </RadioGroup>
  );
}
