/** Checks that the first hint says where the node's kubelet can be stopped. */
import { expect, it } from 'vitest';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import Hints from './Hints.tsx';

it.each([
  ['a step of Podscope’s own kubelet', {}, 'Stop the kubelet at a step'],
  [
    'a CRI call of a genuine kubelet',
    { observed: { approximate: false, differences: [], sources: ['cri'], missing: [] } },
    'Stop a call of the kubelet',
  ],
])('the first hint is about %s', async (_, node, title) => {
  const { screen } = await renderWithNode(<Hints />, { node });
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
});
