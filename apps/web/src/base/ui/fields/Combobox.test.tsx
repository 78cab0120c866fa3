import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Combobox } from './Combobox.tsx';

const fruits = ['apple', 'apricot', 'banana'];

interface FruitsProps {
  readonly onSelect: (index: number) => void;
  readonly onKeyDown?: (key: string) => void;
  readonly isPopover?: boolean;
}

function Fruits({ onSelect, onKeyDown, isPopover = false }: FruitsProps) {
  const input = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState('');
  const [isClosed, setIsClosed] = useState(isPopover);
  const found = isClosed ? [] : fruits.filter((name) => name.startsWith(value));
  return (
    // This element only observes events that bubble.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={({ key }) => onKeyDown?.(key)}>
      <Combobox
        label="Fruit"
        value={value}
        placeholder="Fruit"
        options={found.map((name) => ({ id: name, content: name }))}
        input={input}
        onChange={(text) => {
          setValue(text);
          setIsClosed(false);
        }}
        onSelect={onSelect}
        {...(isPopover ? { onClose: () => setIsClosed(true) } : {})}
      />
    </div>
  );
}

const field = () => screen.getByRole('combobox', { name: 'Fruit' });
const selected = () => screen.getByRole('option', { selected: true }).textContent;

describe('Combobox', () => {
  it('moves with the arrow keys around the ends of the list, and selects with Enter', async () => {
    const onSelect = vi.fn();
    render(<Fruits onSelect={onSelect} />);
    await userEvent.click(field());
    await userEvent.keyboard('{ArrowUp}');
    expect(selected()).toBe('banana');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(selected()).toBe('apricot');
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('returns to the first option after a change of the text', async () => {
    render(<Fruits onSelect={vi.fn()} />);
    await userEvent.type(field(), '{ArrowDown}ap');
    expect(selected()).toBe('apple');
  });

  it('names the active option for screen readers', async () => {
    render(<Fruits onSelect={vi.fn()} />);
    await userEvent.type(field(), '{ArrowDown}');
    expect(field().getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: 'apricot' }).id);
  });

  it('selects the clicked option and keeps the focus', async () => {
    const onSelect = vi.fn();
    render(<Fruits onSelect={onSelect} />);
    await userEvent.click(field());
    await userEvent.click(screen.getByRole('option', { name: 'banana' }));
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(2);
    expect(document.activeElement).toBe(field());
  });

  it('hides a list without options', async () => {
    render(<Fruits onSelect={vi.fn()} />);
    await userEvent.type(field(), 'x');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(field().getAttribute('aria-expanded')).toBe('false');
  });

  describe('with a popover', () => {
    it('selects with Tab', async () => {
      const onSelect = vi.fn();
      render(<Fruits onSelect={onSelect} isPopover />);
      await userEvent.type(field(), 'b{Tab}');
      expect(onSelect).toHaveBeenCalledExactlyOnceWith(0);
    });

    it('closes with Escape, which a dialog around it does not receive', async () => {
      const onKeyDown = vi.fn();
      render(<Fruits onSelect={vi.fn()} onKeyDown={onKeyDown} isPopover />);
      await userEvent.type(field(), 'b{Escape}');
      expect(screen.queryByRole('listbox')).toBeNull();
      expect(onKeyDown).not.toHaveBeenCalledWith('Escape');
    });

    it('closes when the field loses the focus', async () => {
      render(<Fruits onSelect={vi.fn()} isPopover />);
      await userEvent.type(field(), 'b');
      expect(screen.getAllByRole('option')).toHaveLength(1);
      await userEvent.click(document.body);
      expect(screen.queryByRole('listbox')).toBeNull();
    });
  });
});
