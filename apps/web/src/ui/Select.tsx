/** Picks one of a few. */
import type { Key, ReactNode } from 'react';
import { Select as AriaSelect, Button, ListBox, ListBoxItem, Popover, SelectValue } from 'react-aria-components';
import { useT } from '../i18n/i18n.ts';
import { Icon } from './Icon.tsx';
import { uiMessages } from './messages.en.ts';
import styles from './Select.module.css';

interface Option {
  readonly id: string;
  readonly label: string;
  readonly note?: ReactNode;
}

interface SelectProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}

export function Select({ label, options, value, onChange }: SelectProps) {
  const t = useT();
  return (
    <AriaSelect
      aria-label={label}
      value={value ?? null}
      onChange={(key: Key | null) => key !== null && onChange(String(key))}
      placeholder={t(uiMessages.none)}
      className={styles.select}
    >
      <Button className={styles.button}>
        <SelectValue className={styles.value} />
        <Icon name="chevronDown" size={12} />
      </Button>
      <Popover className={styles.popover} offset={4}>
        <ListBox className={styles.list} items={options}>
          {({ id, label: text, note }) => (
            <ListBoxItem id={id} textValue={text} className={styles.option}>
              {text}
              {note && <span className={styles.note}>{note}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
