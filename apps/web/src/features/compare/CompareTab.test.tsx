/** Checks that a saved run of the server can be compared without exporting it. */
import { crashLoop, crashLoopPod } from '@podscope/trace/testing';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { initialView } from '../../node/address/view-address.ts';
import { useView } from '../../node/address/view-store.ts';
import { nodeInfo } from '../../node/connection/testing/fake-node.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import CompareTab from './CompareTab.tsx';

// The view side by side draws timelines, for which jsdom has no canvas.
vi.mock('./side-by-side/SideBySide.tsx', () => ({ SideBySide: () => null }));

it('compares the run with a saved run of the server, read by page', async () => {
  useView.setState({ ...initialView, uid: crashLoopPod.metadata.uid, pod: 'default/web-0' });
  const { nodeName, runtime, profile, steps } = nodeInfo();
  const { events } = crashLoop(2);
  const saved = {
    id: 'saved-run',
    title: 'yesterday',
    startedAt: 1,
    nodeName,
    runtime,
    profile,
    steps,
    engine: 'v1.36.2',
    tags: [],
    notes: [],
    state: 'ended',
    imported: false,
    firstSeq: 1,
    lastSeq: events.length,
    bytes: 1,
  };
  const { screen, commands } = await renderWithNode(<CompareTab />, {
    node: { readOnly: false },
    events: crashLoop(3).events,
    results: { listRuns: { runs: [saved] }, openRun: { run: saved, events } },
  });
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Compare with a run' }), 'yesterday');
  await userEvent.click(await screen.findByRole('radio', { name: 'Actions' }));
  expect(await screen.findByText(/This run and yesterday/)).toBeTruthy();
  expect(commands).toContainEqual(expect.objectContaining({ command: 'openRun', run: 'saved-run' }));
});
