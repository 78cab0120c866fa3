import type { NodeInfo } from '@podscope/protocol';
import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { nodeInfo } from '../../node/connection/testing/fake-node.ts';
import { useObservedNotices } from './observed-notices.ts';

/** Returns the notices about a node. @param observed what is known about its genuine kubelet; undefined for our own */
function noticesOf(observed: NodeInfo['observed']): readonly string[] {
  return renderHook(() => useObservedNotices({ ...nodeInfo(), profile: 'v1.36', observed })).result.current;
}

it('name the sources of an observed kubelet, the missing ones, and the known differences of its release', () => {
  const notices = noticesOf({
    version: 'v1.30.1',
    approximate: true,
    differences: ['A changed resource restarts the container.'],
    sources: ['cri', 'pods'],
    missing: ['otlp', 'of-a-newer-server'],
  });
  expect(notices).toEqual([
    'Sources: CRI calls, the kubelet’s /pods',
    'Missing sources: traces (OTLP), of-a-newer-server',
    'The shadow engine computes the syncs as v1.36, the nearest release that it knows.',
    'A changed resource restarts the container.',
  ]);
});

it('name no missing source if all are connected, and nothing for the kubelet of Podscope', () => {
  const complete = { version: 'v1.36.2', approximate: false, differences: [], sources: ['cri'], missing: [] };
  expect(noticesOf(complete)).toEqual(['Sources: CRI calls']);
  expect(noticesOf(undefined)).toEqual([]);
});
