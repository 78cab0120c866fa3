import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { SearchField } from './SearchField.tsx';

function Field({ onKeyDown }: { readonly onKeyDown: (key: string) => void }) {
  const [value, setValue] = useState('');
  return (
    // This element only observes events that bubble.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={({ key }) => onKeyDown(key)}>
      <SearchField label="Filter pods" value={value} onChange={setValue} />
    </div>
  );
}

describe('SearchField', () => {
  it('clears the text and keeps the focus when the clear button is clicked', async () => {
    render(<Field onKeyDown={() => undefined} />);
    const input = screen.getByRole('searchbox', { name: 'Filter pods' });
    await userEvent.type(input, 'web');
    expect(input).toHaveProperty('value', 'web');
    await userEvent.click(screen.getByRole('button', { name: 'Clear filter pods' }));
    expect(input).toHaveProperty('value', '');
    expect(document.activeElement).toBe(input);
  });

  it('clears the text with the first Escape and lets the second one bubble', async () => {
    const onKeyDown = vi.fn();
    render(<Field onKeyDown={onKeyDown} />);
    const input = screen.getByRole('searchbox', { name: 'Filter pods' });
    await userEvent.type(input, 'x{Escape}');
    expect(input).toHaveProperty('value', '');
    expect(onKeyDown).not.toHaveBeenCalledWith('Escape');
    await userEvent.keyboard('{Escape}');
    expect(onKeyDown).toHaveBeenCalledWith('Escape');
  });
});
