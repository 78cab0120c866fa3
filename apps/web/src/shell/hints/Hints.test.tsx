/** Checks that the first hint says how to stop the node's kubelet, or to find a step of a recording. */
import type { NodeInfo } from '@podscope/protocol';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { setPreference, usePreferences } from '../../base/preferences/preferences.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import Hints from './Hints.tsx';
import { hintCount } from './hint-count.ts';

const observed: NodeInfo['observed'] = { approximate: false, differences: [], sources: ['cri'], missing: [] };

beforeEach(() => setPreference({ hintsSeen: 0 }));

it.each<[string, Partial<NodeInfo>, string]>([
  ['a step of Podscope’s own kubelet', {}, 'Stop the kubelet at a step'],
  ['a CRI call of a genuine kubelet', { observed }, 'Stop a call of the kubelet'],
  ['a step to go back to, in a recording', { readOnly: true, kubeconfig: undefined }, 'Go back to a step'],
  [
    'a step to go back to, in a recording of a genuine kubelet',
    { observed, readOnly: true, kubeconfig: undefined },
    'Go back to a step',
  ],
  [
    'the past, for a read-only server, which refuses breakpoints',
    { readOnly: true, kubeconfig: 'k' },
    'Go back in time',
  ],
])('the first hint is about %s', async (_, node, title) => {
  const { screen } = await renderWithNode(<Hints />, { node });
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
});

it('the hints of a read-only server end after the third', async () => {
  const { screen } = await renderWithNode(<Hints />, { node: { readOnly: true, kubeconfig: 'k' } });
  const titles: string[] = [];
  for (const button of ['Next hint', 'Next hint', 'Got it']) {
    titles.push((await screen.findByRole('heading')).textContent ?? '');
    await userEvent.click(screen.getByRole('button', { name: button }));
  }
  expect(titles).toEqual(['Go back in time', 'See why', 'Use the keyboard']);
  expect(screen.queryByRole('heading')).toBeNull();
  expect(usePreferences.getState().hintsSeen).toBe(hintCount);
});
