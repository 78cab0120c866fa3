import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Choice } from './Choice.tsx';

const options = [
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const;

describe('Choice', () => {
  it('calls onChange with the id of the clicked option', async () => {
    const onChange = vi.fn();
    render(<Choice label="Theme" options={options} value="light" onChange={onChange} />);
    await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(onChange).toHaveBeenCalledExactlyOnceWith('dark');
  });

  it('moves with the arrow keys and selects with Space', async () => {
    const onChange = vi.fn();
    render(<Choice label="Theme" options={options} value="light" onChange={onChange} />);
    await userEvent.tab();
    await userEvent.keyboard('{ArrowRight} ');
    expect(onChange).toHaveBeenCalledExactlyOnceWith('dark');
  });

  it('ignores clicks while disabled', async () => {
    const onChange = vi.fn();
    render(<Choice label="Theme" options={options} value="light" onChange={onChange} isDisabled />);
    await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(onChange).not.toHaveBeenCalled();
  });
});
