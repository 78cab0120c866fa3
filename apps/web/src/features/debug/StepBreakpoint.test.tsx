/** Checks that the dot beside a step says what a breakpoint does: stop the kubelet, or mark a step of a recording. */
import type { NodeInfo } from '@podscope/protocol';
import { expect, it } from 'vitest';
import { pageGroup } from '../../node/run/debug-store.ts';
import { idleDebugger, renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { StepBreakpoint } from './StepBreakpoint.tsx';

const point = 'syncPod.killPod';
const recording = { readOnly: true, kubeconfig: undefined };

it.each<[string, Partial<NodeInfo>, boolean, RegExp]>([
  ['a live node', {}, false, /^Stop .* here\./],
  ['a live node, once it is set', {}, true, /^Stops all pods here\./],
  ['a recording', recording, false, /^Let Shift\+F8 find this step/],
  ['a recording, once it is set', recording, true, /^Shift\+F8 finds this step of all pods\./],
])('the dot of %s says what a click or the breakpoint does', async (_, node, isSet, hint) => {
  const breakpoints = isSet ? [{ id: 1, group: pageGroup, verified: true, hits: 0, spec: { point } }] : [];
  const { screen } = await renderWithNode(<StepBreakpoint point={point} title="Kill the pod" />, {
    node,
    debug: { ...idleDebugger, breakpoints },
  });
  const dot = await screen.findByRole('button', { name: /Kill the pod/ });
  await expect.poll(() => dot.getAttribute('aria-pressed')).toBe(String(isSet));
  expect(dot.title).toMatch(hint);
});
