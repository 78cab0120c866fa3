/** Selects one of many options. It uses the browser's own list, so no code has to be loaded. */
import { useT } from '../../i18n/i18n.ts';
import { uiMessages } from '../messages.en.ts';
import styles from './Select.module.css';

interface Option<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** Text that follows the label. */
  readonly note?: string | undefined;
}

interface SelectProps<Id extends string> {
  /** Accessible name. Absent inside a `<label>`, whose text is the name. */
  readonly label?: string;
  readonly options: readonly Option<Id>[];
  /** Value of the selected option. Undefined shows a placeholder. */
  readonly value: NoInfer<Id> | undefined;
  readonly isDisabled?: boolean;
  readonly onChange: (id: Id) => void;
}

export function Select<Id extends string>({ label, options, value, isDisabled = false, onChange }: SelectProps<Id>) {
  const t = useT();
  return (
    <select
      className={styles.select}
      aria-label={label}
      value={value ?? ''}
      disabled={isDisabled}
      onChange={({ target }) => {
        const next = options.find(({ id }) => id === target.value);
        if (next) onChange(next.id);
      }}
    >
      {value === undefined && (
        <option value="" disabled>
          {t(uiMessages.none)}
        </option>
      )}
      {options.map(({ id, label: text, note }) => (
        <option key={id} value={id}>
          {note === undefined ? text : `${text} — ${note}`}
        </option>
      ))}
    </select>
  );
}
