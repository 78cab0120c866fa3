import { playScenario, scenarios } from '@podscope/debugger/testing';
import { describe, expect, it } from 'vitest';
import { connectInProcess, startConversationNode } from '../testing/conversation-node.ts';

describe('debugging conversations, in process', () => {
  it.each(scenarios)('$name', async (scenario) => {
    const { text, golden } = await playScenario(scenario, {
      mayUpdate: true,
      start: startConversationNode,
      connect: connectInProcess,
    });
    expect(text).toBe(golden);
  });
});
