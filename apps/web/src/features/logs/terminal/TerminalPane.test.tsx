import type { TraceEvent } from '@podscope/trace';
import { crashLoop, crashLoopPod } from '@podscope/trace/testing';
import { useEffect } from 'react';
import { expect, it, vi } from 'vitest';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { usePod } from '../../../node/run/use-run.ts';
import { TerminalPane } from './TerminalPane.tsx';

const shells = vi.hoisted(() => ({ opened: 0, closed: 0 }));
vi.mock(import('./Terminal.tsx'), () => ({
  default: ({ container }) => {
    useEffect(() => {
      shells.opened++;
      return () => void shells.closed++;
    }, []);
    return <p>shell in {container}</p>;
  },
}));

/** Returns the events of a pod up to the instant at which its container runs. */
function untilRunning(): readonly TraceEvent[] {
  const { events } = crashLoop(1);
  const started = events.findIndex(
    (event) => event.type === 'podStatus' && JSON.stringify(event.status).includes('"running"'),
  );
  return events.slice(0, started + 1);
}

function Pane() {
  const { pod } = usePod(crashLoopPod.metadata.uid);
  const track = pod?.containers.find(({ name }) => name === 'app');
  return pod && track && <TerminalPane pod={pod} track={track} />;
}

it('keeps the shell open while the connection of the page is interrupted', async () => {
  const { screen, close } = await renderWithNode(<Pane />, { events: untilRunning() });
  expect(await screen.findByText('shell in app')).toBeDefined();
  close({ reason: '', refused: false });
  expect(screen.getByText('shell in app')).toBeDefined();
  expect(shells).toEqual({ opened: 1, closed: 0 });
});
