import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Switch } from './Switch.tsx';

describe('Switch', () => {
  it('reports the new state for a click and for Space', async () => {
    const onChange = vi.fn();
    render(<Switch label="Wrap long lines" isSelected={false} onChange={onChange} />);
    const control = screen.getByRole('switch', { name: 'Wrap long lines' });
    await userEvent.click(control);
    await userEvent.keyboard(' ');
    expect(onChange.mock.calls).toEqual([[true], [true]]);
  });
});
