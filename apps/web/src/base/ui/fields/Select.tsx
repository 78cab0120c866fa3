/** Selects one of many options. It uses the browser's own list, so no code has to be loaded. */
import { useT } from '../../i18n/i18n.ts';
import { uiMessages } from '../messages.en.ts';
import styles from './Select.module.css';

interface Option {
  readonly id: string;
  readonly label: string;
  /** Text that follows the label. */
  readonly note?: string | undefined;
}

interface SelectProps {
  readonly label: string;
  readonly options: readonly Option[];
  /** Value of the selected option. Undefined shows a placeholder. */
  readonly value: string | undefined;
  readonly isDisabled?: boolean;
  readonly onChange: (id: string) => void;
}

export function Select({ label, options, value, isDisabled = false, onChange }: SelectProps) {
  const t = useT();
  return (
    <select
      className={styles.select}
      aria-label={label}
      value={value ?? ''}
      disabled={isDisabled}
      onChange={({ target }) => onChange(target.value)}
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
