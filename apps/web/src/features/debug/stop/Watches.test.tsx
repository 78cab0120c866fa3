import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setPreference } from '../../../base/preferences/preferences.ts';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { useIsConnected } from '../../../node/run/use-run.ts';
import { Watches } from './Watches.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

/** Renders the watches once the node can evaluate them. */
function ConnectedWatches() {
  return useIsConnected() && <Watches thread="uid" frame={1} stop={1} />;
}

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

  it.each([
    ['is too long', ['attempt'], 'a'.repeat(1_001), 'An expression can have at most 1,000 characters.'],
    [
      'is one more than allowed',
      ['attempt', ...Array.from({ length: 99 }, (_, at) => `attempt > ${at}`)],
      'attempt == 2',
      'There can be at most 100 watch expressions. Remove one first.',
    ],
  ])('keeps the values of saved expressions while a draft %s', async (_what, watches, draft, problem) => {
    setPreference({ watches });
    const { screen, commands } = await renderWithNode(<ConnectedWatches />, {
      results: {
        points: { points: [], decisions: [], variables: [] },
        watch: { values: [{ expression: 'attempt', value: '2', type: 'number', variablesReference: 0 }] },
      },
    });
    const field = screen.getByRole('combobox', { name: 'Add watch expression' });
    await userEvent.click(field);
    await userEvent.paste(draft);
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('status').textContent).toBe(problem);
    expect(field).toHaveProperty('value', draft);
    expect(screen.getAllByRole('listitem')).toHaveLength(watches.length);
    await vi.waitFor(() => expect(screen.getAllByRole('listitem')[0]?.textContent).toBe('attempt2'), {
      timeout: 120_000,
    });
    expect(commands).toContainEqual({ command: 'watch', thread: 'uid', frame: 1, expressions: watches });
  });
});
