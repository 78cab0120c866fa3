import type { TraceEvent } from '@podscope/trace';
import { crashLoop, crashLoopPod, EventScript } from '@podscope/trace/testing';
import { act, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setPreference } from '../../base/preferences/preferences.ts';
import { initialView } from '../../node/address/view-address.ts';
import { useView } from '../../node/address/view-store.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import StepsTab from './StepsTab.tsx';

const { uid } = crashLoopPod.metadata;

/** Renders the tab with a run of these events. */
async function renderSteps(events: readonly TraceEvent[]) {
  useView.setState({ ...initialView, uid, pod: 'default/web-0' });
  const rendered = await renderWithNode(<StepsTab />, {
    results: { setBreakpoints: { breakpoints: [], filters: [] } },
  });
  act(() => {
    rendered.session.run.events(events);
    // Update the run explicitly, because jsdom draws no frames.
    rendered.session.run.travel(undefined);
  });
  const tree = await rendered.screen.findByRole('tree');
  return { ...rendered, tree, item: (name: RegExp) => within(tree).getByRole('treeitem', { name }) };
}

const focusTree = (tree: HTMLElement): void => act(() => tree.focus());

/** Returns the row that the tree marks as active. */
const activeRow = (tree: HTMLElement): HTMLElement | null =>
  document.getElementById(tree.getAttribute('aria-activedescendant') ?? '');

describe('StepsTab', () => {
  beforeEach(() => setPreference({ stepsView: 'tree', stepDepth: 'kuberuntime', hideStepsNotRun: false }));

  it('shows all levels of a sync with numbers, states and durations', async () => {
    const { item } = await renderSteps(crashLoop(2).events);
    expect(item(/^kubelet SyncPod: /).getAttribute('aria-level')).toBe('2');
    expect(item(/^Step 8, Volumes: 9 ms, done$/).getAttribute('aria-level')).toBe('3');
    expect(item(/^kuberuntime SyncPod: waiting/).getAttribute('aria-expanded')).toBe('true');
    expect(item(/^Step 9, Start containers: waiting, StartContainer app: CrashLoopBackOff/)).toBeTruthy();
    expect(item(/^Step 2, Kill the pod if the sandbox has changed: not needed$/)).toBeTruthy();
  });

  it('is a tree for the keyboard: arrows move, open and close, Home and End go to the ends', async () => {
    const { tree } = await renderSteps(crashLoop(2).events);
    focusTree(tree);
    await userEvent.keyboard('{Home}');
    expect(activeRow(tree)?.getAttribute('aria-level')).toBe('1');
    await userEvent.keyboard('{ArrowLeft}');
    expect(within(tree).getAllByRole('treeitem')).toHaveLength(1);
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(activeRow(tree)?.getAttribute('aria-level')).toBe('2');
    await userEvent.keyboard('{ArrowLeft}');
    await userEvent.keyboard('{End}');
    expect(activeRow(tree)).toBe(within(tree).getAllByRole('treeitem').at(-1));
    await userEvent.keyboard('{ArrowUp}');
    expect(activeRow(tree)).toBe(within(tree).getAllByRole('treeitem').at(-2));
  });

  it('selects a step with Enter, and clears the selection with the next one', async () => {
    const { tree, item } = await renderSteps(crashLoop(2).events);
    focusTree(tree);
    await userEvent.click(item(/^Step 1, Compute/));
    expect(useView.getState().selected).toMatch(/^span:\d+$/);
    expect(item(/^Step 1, Compute/).getAttribute('aria-selected')).toBe('true');
    await userEvent.keyboard('{Enter}');
    expect(useView.getState().selected).toBeUndefined();
  });

  it('opens as deep as the user chooses, and hides what did not run', async () => {
    const { screen, tree } = await renderSteps(crashLoop(2).events);
    const depth = screen.getByRole('combobox', { name: 'Open the tree down to' });
    await userEvent.selectOptions(depth, 'kubelet');
    expect(within(tree).queryByRole('treeitem', { name: /^kuberuntime SyncPod/ })).toBeNull();
    await userEvent.selectOptions(depth, 'all');
    expect(within(tree).getByRole('treeitem', { name: /^kuberuntime SyncPod/ })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Hide steps that did not run' }));
    expect(within(tree).queryAllByRole('treeitem', { name: /not needed$/ })).toEqual([]);
  });

  it('shows the steps of the first sync as pending before it begins, with breakpoints', async () => {
    const log = new EventScript(uid);
    log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    const { screen, item, commands } = await renderSteps(log.events);
    expect(item(/^Step 4, Create the sandbox if necessary: pending$/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /^Breakpoint before Create the sandbox/ }));
    await vi.waitFor(() => expect(commands).toContainEqual(expect.objectContaining({ command: 'setBreakpoints' })), {
      timeout: 120_000,
    });
  });

  it('says that the syncs of a pod that has run are no longer in the run', async () => {
    const log = new EventScript(uid);
    log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    log.emit({ type: 'podStatus', status: { phase: 'Failed', reason: 'DeadlineExceeded' } });
    const container = { name: 'app', containerType: 'container', attempt: 0, image: 'busybox:1.36' } as const;
    log.emit({
      type: 'runtimeStateChanged',
      object: 'container',
      id: 'c',
      ...container,
      from: 'running',
      to: 'exited',
    });
    const { screen } = await renderSteps(log.events);
    expect(screen.getByText('The syncs of this pod ran before the oldest stored event.')).toBeTruthy();
  });

  it('shows that no step is reached in a pod that the kubelet refused', async () => {
    const log = new EventScript(uid);
    log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    log.emit({ type: 'podStatus', status: { phase: 'Failed', reason: 'NodeAffinity' } });
    const { screen, item } = await renderSteps(log.events);
    expect(screen.getByText('The kubelet refused this pod, so no sync runs for it.')).toBeTruthy();
    expect(item(/^SyncLoop: not reached$/)).toBeTruthy();
  });

  it('sets a breakpoint at the active step with F9', async () => {
    const { tree, commands, item } = await renderSteps(crashLoop(2).events);
    await userEvent.click(item(/^Step 1, Compute/));
    focusTree(tree);
    await userEvent.keyboard('{F9}');
    await vi.waitFor(() => expect(JSON.stringify(commands)).toContain('syncPod.computePodActions'), {
      timeout: 120_000,
    });
  });

  it('keeps the sync that did something when later ones changed nothing, and follows the selection', async () => {
    const log = crashLoop(2);
    const before = log.events.filter((event) => event.type === 'spanStarted' && event.kind === 'worker').length;
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    log.open('kuberuntime.SyncPod');
    log.close().close();
    const { screen } = await renderSteps(log.events);
    expect(screen.getByText(`sync ${before} of ${before + 1}`)).toBeTruthy();
    const first = log.events.find((event) => event.type === 'spanStarted' && event.kind === 'worker');
    act(() => useView.getState().show({ selected: `span:${first?.span}` }));
    expect(screen.getByText(`sync 1 of ${before + 1}`)).toBeTruthy();
  });

  it('renders only the rows in view of a tree of 5,000 steps', async () => {
    const log = new EventScript(uid);
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    log.open('kubelet.SyncPod');
    for (let count = 0; count < 5_000; count++) log.call('ContainerStatus', 1, {});
    setPreference({ stepDepth: 'all' });
    const { tree } = await renderSteps(log.events);
    const rows = within(tree).getAllByRole('treeitem');
    expect(rows.length).toBeLessThan(100);
    expect(Number(rows[3]?.getAttribute('aria-setsize'))).toBeGreaterThan(4_000);
  });

  it('shows the same sync as a waterfall, with the selection and the critical path', async () => {
    const { screen } = await renderSteps(crashLoop(1).events);
    await userEvent.click(screen.getByRole('radio', { name: 'Waterfall' }));
    const chart = await screen.findByRole('tree', { name: /^Waterfall of sync/ });
    const bar = within(chart).getByRole('treeitem', { name: /^kubelet SyncPod: done, from 0 ms/ });
    await userEvent.click(bar);
    expect(bar.getAttribute('aria-selected')).toBe('true');
    expect(useView.getState().selected).toMatch(/^span:/);
    focusTree(chart);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(activeRow(chart)?.getAttribute('aria-selected')).toBe('true');
    expect(activeRow(chart)?.getAttribute('aria-level')).toBe('3');
    expect(within(screen.getByRole('list', { name: 'Critical path' })).getAllByRole('listitem').length).toBeGreaterThan(
      0,
    );
  });
});
