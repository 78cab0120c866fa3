/** Renders a search input with a clear button. Uses the browser's own input, because it is part of the first view. */
import { useEffect, useRef } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { Icon } from '../marks/Icon.tsx';
import { uiMessages } from '../messages.en.ts';
import styles from './SearchField.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Element id for shortcuts that focus the field. */
  readonly id?: string;
  /** Called for Enter; `isBackwards` with Shift. */
  readonly onEnter?: (isBackwards: boolean) => void;
  /** Called for Escape in an empty field. */
  readonly onLeave?: () => void;
  /** A short problem to show in the field, for example that nothing matches the search. */
  readonly problem?: string | undefined;
  /** True to focus the field at once, for dialogs in which the user starts by typing a search. */
  readonly takesFocus?: boolean;
}

export function SearchField({
  label,
  placeholder = label,
  value,
  onChange,
  id,
  onEnter,
  onLeave,
  problem,
  takesFocus,
}: SearchFieldProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const clear = (): void => {
    onChange('');
    input.current?.focus();
  };
  return (
    <div className={styles.field}>
      <Icon name="search" size={13} />
      <input
        ref={input}
        id={id}
        type="search"
        className={styles.input}
        aria-label={label}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={value}
        aria-invalid={problem !== undefined}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          // The first Escape clears the text; a second one closes the surrounding dialog.
          if (event.key === 'Enter' && onEnter) {
            event.preventDefault();
            onEnter(event.shiftKey);
          } else if (event.key === 'Escape' && value === '') onLeave?.();
          if (event.key !== 'Escape' || value === '') return;
          event.stopPropagation();
          event.preventDefault();
          clear();
        }}
      />
      {problem !== undefined && (
        <span className={styles.problem} role="status">
          {problem}
        </span>
      )}
      {value !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t(uiMessages.clear, { field: label.toLowerCase() })}
          onClick={clear}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </div>
  );
}
