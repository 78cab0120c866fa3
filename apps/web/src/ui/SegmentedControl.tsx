/** Picks one of two or three views that stand beside each other. */
import { type Key, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './SegmentedControl.module.css';

interface SegmentedControlProps<Id extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: Id; readonly label: string }[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
}

export function SegmentedControl<Id extends string>({ label, options, value, onChange }: SegmentedControlProps<Id>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles.group}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys: Set<Key>) => {
        const next = options.find(({ id }) => keys.has(id));
        if (next) onChange(next.id);
      }}
    >
      {options.map(({ id, label: text }) => (
        <ToggleButton key={id} id={id} className={styles.segment}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
