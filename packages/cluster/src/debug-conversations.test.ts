import { describe, expect, it } from 'vitest';
import { connectInProcess } from './testing/conversations/debug-client.ts';
import { playScenario } from './testing/conversations/run-scenario.ts';
import { scenarios } from './testing/conversations/scenarios.ts';

describe('debugging conversations, in process', () => {
  it.each(scenarios)('$name', async (scenario) => {
    const { text, golden } = await playScenario(scenario, { mayUpdate: true, connect: connectInProcess });
    expect(text).toBe(golden);
  });
});
