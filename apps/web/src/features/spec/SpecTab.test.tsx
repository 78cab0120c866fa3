/** Checks for which nodes the Spec tab offers to edit the pod. */
import { crashLoop, crashLoopPod } from '@podscope/trace/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { initialView } from '../../node/address/view-address.ts';
import { useView } from '../../node/address/view-store.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import SpecTab from './SpecTab.tsx';

const { events } = crashLoop(1);
const observed = { approximate: false, differences: [], sources: ['cri'], missing: [] };

describe('SpecTab', () => {
  beforeEach(() => useView.setState({ ...initialView, uid: crashLoopPod.metadata.uid, pod: 'default/web-0' }));

  it('offers to edit a pod of the kubelet of Podscope', async () => {
    const { screen } = await renderWithNode(<SpecTab />, { node: {}, events });
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy();
  });

  it('offers to copy but not to edit a pod of an observed kubelet', async () => {
    const { screen } = await renderWithNode(<SpecTab />, { node: { observed }, events });
    expect(await screen.findByRole('button', { name: /Copy/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  });
});
