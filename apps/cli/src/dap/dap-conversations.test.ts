import { type Carrier, playScenario, scenarios } from '@podscope/debugger/testing';
import { type HostedConversationNode, startConversationNode } from '@podscope/node/testing';
import { describe, expect, it } from 'vitest';
import { connectInProcess } from './node/node-connection.ts';
import { DebugClientOverDap } from './testing/debug-client-over-dap.ts';

/** Commands that have no counterpart in DAP. All other commands are sent as DAP requests. */
const foreignCommands = [
  'changes',
  'debugState',
  'deleteFaultPlan',
  'enableFaultPlan',
  'intervene',
  'killContainer',
  'points',
  'releaseFault',
  'runTo',
  'setBackOff',
  'setDebugOptions',
  'setFaultPlan',
  'setFaults',
  'skipBackOff',
  'threads',
  'watch',
];
/**
 * By scenario, the commands that also use the custom request, because DAP has no breakpoint groups, no filters per pod
 * and no requests for unknown threads.
 */
const partlyForeign: Readonly<Record<string, readonly string[]>> = {
  'set-by-diff': ['setBreakpoints'],
  'phase-change': ['setExceptionBreakpoints'],
  'pause-and-continue': ['next'],
};

describe('the golden debugger conversations over DAP', () => {
  let inOwnWords = 0;

  it.each(scenarios)('$name', async (scenario) => {
    const clients: DebugClientOverDap[] = [];
    const connect: Carrier<HostedConversationNode>['connect'] = async ({ host }) => {
      const client = new DebugClientOverDap(() => connectInProcess(host));
      clients.push(client);
      await client.begin();
      return client;
    };
    const { text, golden } = await playScenario(scenario, { mayUpdate: false, start: startConversationNode, connect });
    expect(text).toBe(golden);
    const foreign = clients.flatMap((client) => [...client.foreign]);
    expect([...foreignCommands, ...(partlyForeign[scenario.name] ?? [])]).toEqual(expect.arrayContaining(foreign));
    if (foreign.length === 0) inOwnWords++;
    // Every stop of the conversation also arrives as a DAP event. A client that attaches later also receives the
    // current stops, so there may be more events.
    const reported = text.match(/^· .* stopped \(/gm)?.length ?? 0;
    expect(clients.flatMap((client) => client.stops).length).toBeGreaterThanOrEqual(reported);
  });

  it('runs at least 25 conversations without the custom request', () => {
    expect(inOwnWords).toBeGreaterThanOrEqual(25);
  });
});
