import { describe, it } from 'vitest';
import { connectInProcess } from './testing/conversations/debug-client.ts';
import { playScenario } from './testing/conversations/run-scenario.ts';
import { scenarios } from './testing/conversations/scenarios.ts';

describe('debugging conversations, in process', () => {
  it.each(scenarios)('$name', (scenario) => playScenario(scenario, { mayUpdate: true, connect: connectInProcess }));
});
