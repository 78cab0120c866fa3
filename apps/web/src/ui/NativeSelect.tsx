/** Picks one of a few, with the browser's own list: for bars that are there from the first paint and should weigh nothing. */
import styles from './NativeSelect.module.css';

interface NativeSelectProps {
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly value: string;
  readonly isDisabled?: boolean;
  readonly onChange: (id: string) => void;
}

export function NativeSelect({ label, options, value, isDisabled = false, onChange }: NativeSelectProps) {
  return (
    <select className={styles.select} aria-label={label} value={value} disabled={isDisabled} onChange={({ target }) => onChange(target.value)}>
      {options.map(({ id, label: text }) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}
