import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { NoticesButton } from './NoticesButton.tsx';

const notices = ['The node has no swap.', { id: 'from-a-newer-server', values: {}, text: 'A newer notice.' }];

/** Waits until only the button, and no popover, is accessible. */
const findButton = () => screen.findByRole('button', { name: '2 notices' });

it('lists the notices when the button is pressed, also those of a newer server, and closes with Escape', async () => {
  render(<NoticesButton notices={notices} />);
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.click(await findButton());
  const dialog = await screen.findByRole('dialog', { name: 'Notices' });
  expect([...dialog.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'The node has no swap.',
    'A newer notice.',
  ]);
  // Before the popover has the focus, the key goes to the page.
  await expect.poll(() => dialog.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 120_000 });
});

it('opens the notices again with the keyboard', async () => {
  render(<NoticesButton notices={notices} />);
  await findButton();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Notices' });
  await expect.poll(() => dialog.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  const button = await findButton();
  // The popover returns the focus to its button.
  await expect.poll(() => document.activeElement).toBe(button);
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Notices' })).toBeDefined();
});
