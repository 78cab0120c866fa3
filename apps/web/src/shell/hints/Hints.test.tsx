/** Checks that the first hint says how to stop the node's kubelet, or to find a step of a recording. */
import type { NodeInfo } from '@podscope/protocol';
import { expect, it } from 'vitest';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import Hints from './Hints.tsx';

const observed: NodeInfo['observed'] = { approximate: false, differences: [], sources: ['cri'], missing: [] };

it.each<[string, Partial<NodeInfo>, string]>([
  ['a step of Podscope’s own kubelet', {}, 'Stop the kubelet at a step'],
  ['a CRI call of a genuine kubelet', { observed }, 'Stop a call of the kubelet'],
  ['a step to go back to, in a recording', { readOnly: true, kubeconfig: undefined }, 'Go back to a step'],
  [
    'a step to go back to, in a recording of a genuine kubelet',
    { observed, readOnly: true, kubeconfig: undefined },
    'Go back to a step',
  ],
])('the first hint is about %s', async (_, node, title) => {
  const { screen } = await renderWithNode(<Hints />, { node });
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
});
