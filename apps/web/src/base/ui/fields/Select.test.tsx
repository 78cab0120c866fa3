import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Select } from './Select.tsx';

const options = [
  { id: 'app', label: 'app' },
  { id: 'proxy', label: 'proxy' },
];

describe('Select', () => {
  it('shows the selected option and calls onChange with the chosen id', async () => {
    const onChange = vi.fn();
    render(<Select label="Container" options={options} value="app" onChange={onChange} />);
    const select = screen.getByRole('combobox', { name: 'Container' });
    expect(select).toHaveProperty('value', 'app');
    await userEvent.selectOptions(select, 'proxy');
    expect(onChange).toHaveBeenCalledExactlyOnceWith('proxy');
  });

  it('shows a placeholder when nothing is selected', () => {
    render(<Select label="Container" options={options} value={undefined} onChange={() => undefined} />);
    expect(screen.getByRole('option', { name: 'None', selected: true })).toBeDefined();
  });

  it('takes its name from the label around it', async () => {
    const onChange = vi.fn();
    render(
      // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- Select is the control
      <label>
        Result <Select options={options} value="app" onChange={onChange} />
      </label>,
    );
    await userEvent.click(screen.getByText('Result'));
    const select = screen.getByRole('combobox', { name: 'Result' });
    expect(document.activeElement).toBe(select);
    await userEvent.selectOptions(select, 'proxy');
    expect(onChange).toHaveBeenCalledExactlyOnceWith('proxy');
  });
});
