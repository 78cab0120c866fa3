import type { TraceEvent } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import LaneMenu from './LaneMenu.tsx';
import { useLaneView } from './lane-view.ts';
import { relistAfter } from './testing/relist.ts';

const { events, pod: uid } = crashLoop(1);

/** Renders the menu beside its button. */
function Lanes({ ofTable, onClose }: { readonly ofTable: boolean; readonly onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={button} type="button" aria-label="Lanes" />
      <LaneMenu uid={uid} ofTable={ofTable} button={button} onClose={onClose} />
    </>
  );
}

/** Opens the menu for a pod with the containers migrate, proxy and app. */
async function open(more: readonly TraceEvent[] = [], { ofTable = false } = {}) {
  const onClose = vi.fn();
  const { screen } = await renderWithNode(<Lanes ofTable={ofTable} onClose={onClose} />, {
    events: [...events, ...more],
  });
  const dialog = await screen.findByRole('dialog', { name: 'Lanes' });
  return { onClose, dialog, menu: within(dialog) };
}

beforeEach(() => useLaneView.setState(useLaneView.getInitialState(), true));

describe('LaneMenu', () => {
  it('pins and unpins a lane', async () => {
    const { menu } = await open();
    const pin = menu.getByRole('button', { name: 'Pin app to the top' });
    await userEvent.click(pin);
    expect(useLaneView.getState().pinned.size).toBe(1);
    expect(pin.getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(pin);
    expect(useLaneView.getState().pinned.size).toBe(0);
  });

  it('hides a lane and shows it again with the keyboard', async () => {
    const { menu } = await open();
    const shown = menu.getByRole('button', { name: 'Show proxy' });
    expect(shown.getAttribute('aria-pressed')).toBe('true');
    shown.focus();
    await userEvent.keyboard('{Enter}');
    expect(shown.getAttribute('aria-pressed')).toBe('false');
    expect(useLaneView.getState().hidden.size).toBe(1);
    await userEvent.keyboard(' ');
    expect(useLaneView.getState().hidden.size).toBe(0);
    expect(menu.getByRole('button', { name: 'Show app' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('collapses healthy containers and sorts the containers', async () => {
    const { menu } = await open();
    const collapse = menu.getByRole('switch', { name: 'Collapse healthy containers' });
    // A pod with few containers isn't collapsed by default.
    expect(collapse).toHaveProperty('checked', false);
    await userEvent.click(collapse);
    expect(useLaneView.getState().collapses).toBe(true);
    const order = menu.getByRole('combobox', { name: 'Order of lanes' });
    await userEvent.selectOptions(order, 'Problems first');
    expect(useLaneView.getState().order).toBe('trouble');
    expect(order).toHaveProperty('value', 'trouble');
  });

  it('moves a lane up and down, which switches to the manual order of all lanes', async () => {
    const { menu } = await open();
    const names = () =>
      menu.getAllByRole('button', { name: /^Show / }).map((button) => button.getAttribute('aria-label'));
    const before = names();
    expect(before.slice(3, 6)).toEqual(['Show migrate', 'Show proxy', 'Show app']);
    await userEvent.click(menu.getByRole('button', { name: 'Move app up' }));
    await userEvent.click(menu.getByRole('button', { name: 'Move app up' }));
    expect(names().slice(3, 6)).toEqual(['Show app', 'Show migrate', 'Show proxy']);
    await userEvent.click(menu.getByRole('button', { name: 'Move migrate down' }));
    expect(names().slice(3, 6)).toEqual(['Show app', 'Show proxy', 'Show migrate']);
    const order = menu.getByRole('combobox', { name: 'Order of lanes' });
    expect(order).toHaveProperty('value', 'manual');
    expect(menu.getAllByRole('button', { name: /^Move .* up$/ })[0]).toHaveProperty('disabled', true);
    await userEvent.selectOptions(order, 'As in the spec');
    expect(names()).toEqual(before);
  });

  it('expands the lane of an observed node with the keyboard, unless the lane is hidden', async () => {
    const { menu } = await open([relistAfter(events)]);
    const expand = menu.getByRole('switch', { name: 'One lane for each thread of the node' });
    expect(expand).toHaveProperty('checked', false);
    expand.focus();
    await userEvent.keyboard(' ');
    expect(useLaneView.getState().isNodeExpanded).toBe(true);
    expect(expand).toHaveProperty('checked', true);
    await userEvent.click(menu.getByRole('button', { name: 'Show Node' }));
    expect(expand).toHaveProperty('disabled', true);
  });

  it('has no switch for the lane of the node in a run of the kubelet here', async () => {
    const { menu } = await open();
    expect(menu.queryByRole('switch', { name: 'One lane for each thread of the node' })).toBeNull();
  });

  it('has only what changes the table, when it belongs to the table', async () => {
    const { menu } = await open([relistAfter(events)], { ofTable: true });
    expect(menu.getByRole('button', { name: 'Show app' })).toBeTruthy();
    expect(menu.getByRole('switch', { name: 'Calls of the node' })).toBeTruthy();
    expect(menu.queryByRole('switch', { name: 'Collapse healthy containers' })).toBeNull();
    expect(menu.queryByRole('combobox')).toBeNull();
    expect(menu.queryByRole('button', { name: /^(Pin|Move) / })).toBeNull();
  });

  it('closes with Escape', async () => {
    const { dialog, onClose } = await open();
    // Before the popover has the focus, the key goes to the page.
    await expect.poll(() => dialog.contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{Escape}');
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), { timeout: 120_000 });
  });
});
