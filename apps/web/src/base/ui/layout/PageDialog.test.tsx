import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { PageDialog } from './PageDialog.tsx';

describe('PageDialog', () => {
  it('is named by its title and closes with the close button and with Escape', async () => {
    const onClose = vi.fn();
    render(
      <PageDialog title="Settings" onClose={onClose}>
        <input aria-label="Name" />
      </PageDialog>,
    );
    expect(screen.getByRole('dialog', { name: 'Settings' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await userEvent.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledTimes(2);
  });

  it('takes the focus back when the focused element disappears', async () => {
    const { rerender } = render(
      <PageDialog title="Runs" onClose={() => undefined}>
        <input aria-label="Name" />
      </PageDialog>,
    );
    await userEvent.click(screen.getByLabelText('Name'));
    rerender(
      <PageDialog title="Runs" onClose={() => undefined}>
        <p>Saved</p>
      </PageDialog>,
    );
    const dialog = screen.getByRole('dialog', { name: 'Runs' });
    await vi.waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true), { timeout: 120_000 });
  });
});
