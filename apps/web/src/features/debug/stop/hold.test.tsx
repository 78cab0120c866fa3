import type { ObservedHold, StoppedThread } from '@podscope/protocol';
import { describe, expect, it, vi } from 'vitest';
import { idleDebugger, renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { HoldCountdown } from './HoldCountdown.tsx';
import { HoldTimes, HoldWaiting } from './HoldDetails.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

const stop: StoppedThread = {
  thread: 'uid-1',
  reason: 'breakpoint',
  text: 'Breakpoint 1: before PullImage',
  point: 'cri.PullImage',
  title: 'PullImage',
  phase: 'before',
  span: 7,
  breakpoints: [1],
  since: 0,
  stop: 1,
};

/** The hold ends a day after the test, so that the shown hours and minutes don't change while the test runs. */
const day = 86_400_000;
const ui = (
  <>
    <HoldCountdown stop={stop} />
    <HoldTimes stop={stop} />
    <HoldWaiting stop={stop} />
  </>
);
const renderHold = (hold: Partial<ObservedHold>) =>
  renderWithNode(ui, {
    node: { holds: [{ span: 7, method: 'PullImage', waiting: [], ...hold }] },
    debug: { ...idleDebugger, stopped: [stop] },
  });

describe('a held call of a genuine kubelet', () => {
  it('counts down to the end of the hold, and shows the deadline of the call', async () => {
    const { screen } = await renderHold({ endsAt: day + 59_000, deadline: day + 61 * 60_000 });
    const [bar] = screen.getAllByRole('timer');
    expect(bar?.textContent).toMatch(/^Continues by itself in 14(?:39|40):\d\d$/);
    expect(bar?.title).toContain('before the deadline');
    expect(screen.getByText(/^Deadline in 15(?:00|01):\d\d$/)).toBeTruthy();
  });

  it('has no countdown without a deadline', async () => {
    const { screen } = await renderHold({});
    expect(screen.queryByRole('timer')).toBeNull();
    expect(screen.getByText(/^The call has no deadline/)).toBeTruthy();
  });

  it('lists the pulls that wait for a held pull as inferred, and other calls of the pod', async () => {
    const { screen } = await renderHold({
      waiting: [
        { reason: 'pod', namespace: 'default', pod: 'web', what: 'ExecSync' },
        { reason: 'imagePull', namespace: 'default', pod: 'db', what: 'postgres:18' },
      ],
    });
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows).toEqual(['ExecSyncof the same pod', 'postgres:18pull for default/db, after this one inferred']);
  });

  it('shows nothing for a stop that is not a hold', async () => {
    const { screen } = await renderHold({ span: 8, endsAt: day });
    expect(screen.queryByRole('timer')).toBeNull();
    expect(screen.queryByText(/deadline/i)).toBeNull();
  });
});
