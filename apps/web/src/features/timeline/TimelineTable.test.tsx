/** Checks which lanes the table of the timeline includes. */
import type { NodeInfo } from '@podscope/protocol';
import { crashLoop } from '@podscope/trace/testing';
import { act, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { usePod } from '../../node/run/use-run.ts';
import { useLaneView } from './lane-view.ts';
import TimelineTable from './TimelineTable.tsx';
import { relistAfter } from './testing/relist.ts';

const { events, pod: uid } = crashLoop(1);

/** Renders the table once the node has sent the pod. */
function Table() {
  const { pod } = usePod(uid);
  return pod && <TimelineTable pod={pod} />;
}

beforeEach(() => useLaneView.setState(useLaneView.getInitialState(), true));

const setLanes = (lanes: Partial<ReturnType<typeof useLaneView.getState>>): void =>
  act(() => {
    useLaneView.setState(lanes);
  });

/** Renders the table. */
async function renderTable(node?: Partial<NodeInfo>) {
  const { screen, happen } = await renderWithNode(<Table />, { events, ...(node && { node }) });
  const grid = await screen.findByRole('grid', { name: 'Timeline as table' });
  const rowsWith = (text: string) => within(grid).queryAllByRole('gridcell', { name: text }).length;
  return { happen, grid, rowsWith };
}

it('lists the calls of an observed node while its lane is expanded and shown', async () => {
  const { happen, rowsWith } = await renderTable();
  happen(relistAfter(events));
  expect(rowsWith('ListPodSandbox')).toBe(0);
  setLanes({ isNodeExpanded: true });
  expect(rowsWith('ListPodSandbox')).toBe(1);
  expect(rowsWith('PLEG')).toBe(1);
  setLanes({ hidden: new Set(['node/calls']) });
  expect(rowsWith('ListPodSandbox')).toBe(0);
});

it('names the source of each item of an observed node', async () => {
  const { happen, rowsWith } = await renderTable({
    observed: { approximate: false, differences: [], sources: ['cri'], missing: [] },
  });
  happen(relistAfter(events));
  expect(rowsWith('observed in the CRI calls')).toBe(0);
  setLanes({ isNodeExpanded: true });
  expect(rowsWith('observed in the CRI calls')).toBe(1);
});

it('omits the items of a hidden lane', async () => {
  const { grid } = await renderTable();
  const before = Number(grid.getAttribute('aria-rowcount'));
  setLanes({ hidden: new Set([`${uid}/app`]) });
  expect(Number(grid.getAttribute('aria-rowcount'))).toBeLessThan(before);
});
