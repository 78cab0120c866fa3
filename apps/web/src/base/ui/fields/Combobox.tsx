/** Renders a text field with a list of options. The arrow keys move in the list while the focus stays in the field. */
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from 'react';
import { cx } from '../marks/cx.ts';
import styles from './Combobox.module.css';

interface ComboboxOption {
  readonly id: string;
  readonly content: ReactNode;
}

interface ComboboxProps {
  /** Accessible name of the field and of its list. */
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  /** Options for the text in the field. A popover without options is hidden. */
  readonly options: readonly ComboboxOption[];
  readonly input: RefObject<HTMLInputElement | null>;
  /** Receives the text and the position of the caret in it. */
  readonly onChange: (value: string, caret: number | undefined) => void;
  /** Receives the index of the option that the user chose with Enter, Tab or a click. */
  readonly onSelect: (index: number) => void;
  /**
   * Closes the list, which is then a popover that Escape and a loss of focus close and from which Tab also selects.
   * Absent for a list that is always shown below the field.
   */
  readonly onClose?: () => void;
}

export function Combobox(props: ComboboxProps) {
  const { label, value, placeholder, options, input, onChange, onSelect, onClose } = props;
  const list = useId();
  const [active, setActive] = useState(0);
  const isOpen = options.length > 0;
  const chosen = Math.min(active, options.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setActive((chosen + 1) % options.length);
    else if (event.key === 'ArrowUp') setActive((chosen + options.length - 1) % options.length);
    else if (event.key === 'Enter' || (event.key === 'Tab' && onClose)) onSelect(chosen);
    else if (event.key === 'Escape' && onClose) onClose();
    else return;
    event.preventDefault();
    // Keep Escape from also closing the dialog.
    event.stopPropagation();
  };
  useEffect(() => {
    // The braces are necessary: an effect must not return the promise of scrollIntoView.
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, chosen]);
  return (
    <span className={onClose ? styles.field : styles.panel}>
      <input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen ? `${list}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        onChange={({ target }) => {
          setActive(0);
          onChange(target.value, target.selectionStart ?? undefined);
        }}
        onKeyDown={onKeyDown}
        onBlur={onClose}
      />
      <div
        id={list}
        className={onClose ? styles.popover : styles.list}
        role="listbox"
        aria-label={label}
        hidden={!isOpen}
      >
        {options.map(({ id, content }, index) => (
          // The input handles the keys of its list.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={cx(styles.option, index === chosen && styles.chosen)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onSelect(index)}
          >
            {content}
          </div>
        ))}
      </div>
    </span>
  );
}
