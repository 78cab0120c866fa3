/** Starts a relay with an observed node behind it. The clients of a test then connect to the relay. */
import { type RelayBefore, relayBefore } from '@podscope/relay/testing';
import { expect, vi } from 'vitest';
import { ObservedNode } from '../observed-node.ts';

export interface ObservedRelay extends RelayBefore {
  readonly node: ObservedNode;
}

/**
 * Starts a relay with an observed node and resolves when the node observes calls. The relay asks about every call that
 * can be held, because the node has a breakpoint that no call reaches. Closing it fails if a call could not be shown.
 * @param runtime the runtime's endpoint
 */
export async function observedRelay(runtime: string): Promise<ObservedRelay> {
  const relay = await relayBefore({ runtime });
  const node = new ObservedNode({ control: relay.control, notify: () => undefined });
  const detach = node.debugger.attach();
  node.debugger.setBreakpoints('', [{ point: 'cri.StartContainer', condition: 'attempt == 1000' }]);
  await vi.waitUntil(() => node.isConnected, { timeout: 120_000 });
  return {
    ...relay,
    node,
    async close() {
      const warnings = node.log.after(0).filter((event) => event.type === 'output' && event.level === 'warning');
      detach();
      await node.close();
      await relay.close();
      expect(warnings).toEqual([]);
    },
  };
}
