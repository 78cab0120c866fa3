import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Tabs } from './Tabs.tsx';

const tabs = [
  { id: 'steps', title: 'Steps' },
  { id: 'code', title: 'Code' },
  { id: 'logs', title: 'Logs' },
] as const;

function Example() {
  const [selected, setSelected] = useState<(typeof tabs)[number]['id']>('steps');
  return (
    <Tabs label="Details" tabs={tabs} selected={selected} onSelect={setSelected}>
      Panel of {selected}
    </Tabs>
  );
}

describe('Tabs', () => {
  it('shows the panel of the clicked tab', async () => {
    render(<Example />);
    await userEvent.click(screen.getByRole('tab', { name: 'Logs' }));
    expect(screen.getByRole('tabpanel', { name: 'Logs' }).textContent).toBe('Panel of logs');
  });

  it('moves selection and focus with the arrow keys, wrapping at the ends', async () => {
    render(<Example />);
    await userEvent.click(screen.getByRole('tab', { name: 'Steps' }));
    await userEvent.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Logs', selected: true }));
    await userEvent.keyboard('{Home}{ArrowRight}');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Code', selected: true }));
  });
});
