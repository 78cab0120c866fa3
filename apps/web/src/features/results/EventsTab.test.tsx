/** Checks the Events tab: its text for a pod without events, and the events of all pods. */
import { crashLoop, crashLoopPod, EventScript } from '@podscope/trace/testing';
import { within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { initialView } from '../../node/address/view-address.ts';
import { useView } from '../../node/address/view-store.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import EventsTab from './EventsTab.tsx';

const observedWith = (missing: readonly string[]) => ({
  observed: { approximate: false, differences: [], sources: ['cri'], missing: [...missing] },
});

describe('EventsTab without events', () => {
  beforeEach(() => useView.setState({ ...initialView, uid: crashLoopPod.metadata.uid, pod: 'default/web-0' }));

  it('names the API server and the option to connect it when an observed kubelet lacks it', async () => {
    const { screen } = await renderWithNode(<EventsTab />, { node: observedWith(['configz', 'api']) });
    expect(await screen.findByText('No events, because the API server is not connected')).toBeTruthy();
    expect(screen.getByText(/podscope observe with --kubeconfig FILE/)).toBeTruthy();
  });

  it('says that there are none yet when the API server is connected', async () => {
    const { screen } = await renderWithNode(<EventsTab />, { node: observedWith(['configz']) });
    expect(await screen.findByText('No events yet')).toBeTruthy();
  });
});

describe('EventsTab of an observed kubelet', () => {
  it('names the source of each event, and whether it was observed or inferred', async () => {
    useView.setState({ ...initialView, uid: crashLoopPod.metadata.uid, pod: 'default/web-0' });
    const sources = [{ source: 'api' }, { source: 'shadow', inferred: true }] as const;
    const events = crashLoop(1).events.map((event, at) => ({ ...event, ...sources[at % 2] }));
    const { screen } = await renderWithNode(<EventsTab />, { events, node: observedWith([]) });
    expect(await screen.findByRole('columnheader', { name: 'Source' })).toBeTruthy();
    expect(screen.getAllByText('observed in the API server').length).toBeGreaterThan(0);
    expect(screen.getAllByText('inferred from the shadow engine').length).toBeGreaterThan(0);
  });

  it('has no such column for the kubelet here', async () => {
    useView.setState({ ...initialView, uid: crashLoopPod.metadata.uid, pod: 'default/web-0' });
    const { screen } = await renderWithNode(<EventsTab />, { events: crashLoop(1).events });
    expect(await screen.findByRole('columnheader', { name: 'Message' })).toBeTruthy();
    expect(screen.queryByRole('columnheader', { name: 'Source' })).toBeNull();
  });
});

describe('EventsTab of all pods', () => {
  it('lists the events of all pods in order, and selects the pod of an event', async () => {
    useView.setState({ ...initialView, uid: crashLoopPod.metadata.uid, pod: 'default/web-0' });
    const other = new EventScript('uid-of-other');
    const object = { ...crashLoopPod, metadata: { ...crashLoopPod.metadata, name: 'other', uid: 'uid-of-other' } };
    other.emit({ type: 'podChanged', operation: 'ADDED', object });
    other.emit({
      type: 'kubernetesEvent',
      eventType: 'Warning',
      reason: 'FailedMount',
      message: 'configmap "settings" not found',
      container: undefined,
      count: 1,
    });
    const { events } = crashLoop(1);
    const later = other.events.map((event) => ({ ...event, seq: events.length + event.seq }));
    const { screen } = await renderWithNode(<EventsTab />, { events: [...events, ...later] });
    await userEvent.click(await screen.findByRole('button', { name: 'All pods' }));
    const grid = screen.getByRole('grid', { name: 'Events' });
    const last = within(grid).getAllByRole('row').slice(-2);
    expect(last.map((row) => [...row.children].map(({ textContent }) => textContent).slice(1, 3))).toEqual([
      ['web-0', 'Started'],
      ['other', 'FailedMount'],
    ]);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Filter events' }), 'other mount');
    expect(within(grid).getAllByRole('row')).toHaveLength(2);
    await userEvent.click(within(grid).getByText('FailedMount'));
    expect(useView.getState()).toMatchObject({ pod: 'default/other', uid: 'uid-of-other' });
    expect(useView.getState().selected).toMatch(/^event:/);
  });
});
