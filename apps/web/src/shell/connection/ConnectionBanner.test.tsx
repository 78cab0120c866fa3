import userEvent from '@testing-library/user-event';
import { afterAll, expect, it, vi } from 'vitest';
import * as addresses from '../../node/address/address.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';

// A mock of the whole module would stay for the next test files.
const goTo = vi.spyOn(addresses, 'goTo').mockImplementation(() => undefined);
afterAll(() => goTo.mockRestore());

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

it('asks for the new token of a restarted server instead of retrying', async () => {
  const { screen, session, close } = await renderWithNode(<ConnectionBanner />);
  expect(screen.queryByRole('alert')).toBeNull();
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'setTimeout'] });
  close({ reason: '', refused: true });
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(session.connection.state).toMatchObject({ phase: 'away', retryAt: undefined });
  expect((await screen.findByRole('alert')).textContent).toContain('The server has a new token');
  await userEvent.type(
    screen.getByRole('textbox', { name: 'Address or token' }),
    'http://127.0.0.1:4400/?token=new{Enter}',
  );
  const [address = ''] = goTo.mock.lastCall ?? [];
  expect(new URL(address).searchParams.get('token')).toBe('http://127.0.0.1:4400/?token=new');
});
