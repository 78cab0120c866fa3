/** Checks the list of a pod's actions. */
import { crashLoop, crashLoopPod } from '@podscope/trace/testing';
import { within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { initialView } from '../../node/address/view-address.ts';
import { useView } from '../../node/address/view-store.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import ResultsTab from './ResultsTab.tsx';

describe('ResultsTab', () => {
  it('lists all actions of the pod with durations, and selects the call of an action', async () => {
    useView.setState({ ...initialView, uid: crashLoopPod.metadata.uid, pod: 'default/web-0' });
    const { screen } = await renderWithNode(<ResultsTab />, { events: crashLoop(1).events });
    await userEvent.click(screen.getByRole('radio', { name: 'Actions' }));
    const rows = within(screen.getByRole('grid', { name: 'Actions' })).getAllByRole('row');
    const cells = rows.map((row) => [...row.children].map(({ textContent }) => textContent).slice(1));
    // The table shows its end, where new actions appear.
    expect(cells.slice(-3)).toEqual([
      ['PullImage', 'shop/web:2.4.1', 'succeeded', '3.2 s'],
      ['CreateContainer', 'app', 'succeeded', '60 ms'],
      ['StartContainer', 'app', 'succeeded', '180 ms'],
    ]);
    await userEvent.click(within(rows.at(-1) ?? document.body).getByText('StartContainer'));
    expect(useView.getState().selected).toMatch(/^span:\d+$/);
  });
});
