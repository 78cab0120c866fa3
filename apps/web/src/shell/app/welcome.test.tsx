/** Tests the message in the middle of the page while no pod is shown. */
import type { TraceEvent } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { act } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { initialView } from '../../node/address/view-address.ts';
import { useView } from '../../node/address/view-store.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { travelTo } from '../../node/travel/use-travel.ts';
import { Center } from './Center.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

beforeEach(() => useView.getState().show(initialView));

/** A run whose first event precedes its pod. */
function lateRun(): readonly TraceEvent[] {
  const { events } = crashLoop(1);
  const [first] = events;
  if (!first) throw new Error('the run has no events');
  const loop: TraceEvent = {
    type: 'spanStarted',
    seq: 1,
    time: first.time,
    thread: 'syncLoop',
    span: 9_000_000,
    point: 'kubelet.syncLoopIteration',
    kind: 'function',
    title: 'syncLoopIteration',
    attributes: {},
  };
  return [loop, ...events.map((event) => ({ ...event, seq: event.seq + 1 }))];
}

it('says that no pod exists yet at the first event of the run, and keeps the slider', async () => {
  const { screen, session } = await renderWithNode(<Center />, { events: lateRun() });
  act(() => travelTo(session, 1));
  expect(screen.queryByRole('heading', { name: 'No pods at this time of the run' })).not.toBeNull();
  expect(screen.getByRole('slider', { name: 'Position in time' }).hasAttribute('disabled')).toBe(false);
  expect(screen.getByRole('button', { name: /^Step back/ }).hasAttribute('disabled')).toBe(true);
});

it('names the selected pod when it does not exist yet at the shown time', async () => {
  const { screen, session } = await renderWithNode(<Center />, { events: lateRun() });
  act(() => {
    useView.getState().show({ pod: 'default/crash' });
    travelTo(session, 1);
  });
  expect(screen.queryByRole('heading', { name: 'No pod default/crash at this time of the run' })).not.toBeNull();
});
