/** A field that narrows what is shown. */
import { SearchField as AriaSearchField, Button, Input } from 'react-aria-components';
import { useT } from '../i18n/i18n.ts';
import { Icon } from './Icon.tsx';
import { uiMessages } from './messages.en.ts';
import styles from './SearchField.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Lets a shortcut find it. */
  readonly id?: string;
}

export function SearchField({ label, placeholder = label, value, onChange, id }: SearchFieldProps) {
  const t = useT();
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className={styles.field}>
      <Icon name="search" size={13} />
      <Input id={id} className={styles.input} placeholder={placeholder} spellCheck={false} autoComplete="off" />
      {value !== '' && (
        <Button className={styles.clear} aria-label={t(uiMessages.clear, { field: label.toLowerCase() })}>
          <Icon name="close" size={12} />
        </Button>
      )}
    </AriaSearchField>
  );
}
