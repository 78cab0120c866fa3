import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setPreference } from '../../../base/preferences/preferences.ts';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { Watches } from './Watches.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

describe('Watches', () => {
  beforeEach(() => setPreference({ watches: [] }));

  it('completes a variable, shows the value of an expression while it is typed, and adds it with Enter', async () => {
    const { screen, commands } = await renderWithNode(<Watches thread="uid" frame={1} stop={1} />, {
      results: {
        points: { points: [], decisions: [], variables: ['attempt', 'podName'] },
        watch: { values: [{ expression: 'attempt', value: '2', type: 'number', variablesReference: 0 }] },
      },
    });
    const field = screen.getByRole('combobox', { name: 'Add watch expression' });
    await userEvent.type(field, 'att');
    await userEvent.click(await screen.findByRole('option', { name: 'attempt' }));
    expect(field).toHaveProperty('value', 'attempt');
    await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('2'), { timeout: 120_000 });
    expect(screen.queryByRole('listitem')).toBeNull();
    await userEvent.type(field, '{Enter}');
    expect(screen.getByRole('listitem').textContent).toContain('attempt2');
    expect(field).toHaveProperty('value', '');
    expect(commands).toContainEqual({
      command: 'watch',
      thread: 'uid',
      frame: 1,
      expressions: ['attempt'],
    });
  });
});
