/** Checks the text of the Events tab for a pod without events. */
import { crashLoopPod } from '@podscope/trace/testing';
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
