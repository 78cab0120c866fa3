import { describe, expect, it } from 'vitest';
import { type Carrier, playScenario } from '../../../../packages/cluster/src/testing/conversations/run-scenario.ts';
import { scenarios } from '../../../../packages/cluster/src/testing/conversations/scenarios.ts';
import { connectInProcess } from './node-connection.ts';
import { DebugClientOverDap } from './testing/debug-client-over-dap.ts';

/** Commands that DAP has no words for; everything else is said in them. */
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
/** Said otherwise only in what DAP cannot say: another group of breakpoints, filters for one pod, a thread that is not there. */
const partlyForeign: Readonly<Record<string, readonly string[]>> = {
  'set-by-diff': ['setBreakpoints'],
  'phase-change': ['setExceptionBreakpoints'],
  'pause-and-continue': ['next'],
};

describe('debugging conversations, over DAP', () => {
  let inOwnWords = 0;

  it.each(scenarios)('$name', async (scenario) => {
    const clients: DebugClientOverDap[] = [];
    const connect: Carrier['connect'] = async (cluster) => {
      const client = new DebugClientOverDap(() => connectInProcess(cluster));
      clients.push(client);
      await client.begin();
      return client;
    };
    const { text, golden } = await playScenario(scenario, { mayUpdate: false, connect });
    expect(text).toBe(golden);
    const foreign = clients.flatMap((client) => [...client.foreign]);
    expect([...foreignCommands, ...(partlyForeign[scenario.name] ?? [])]).toEqual(expect.arrayContaining(foreign));
    if (foreign.length === 0) inOwnWords++;
    // Every stop of the conversation came as DAP's event too; a client that comes late hears of those there are.
    const told = text.match(/^· .* stopped \(/gm)?.length ?? 0;
    expect(clients.flatMap((client) => client.stops).length).toBeGreaterThanOrEqual(told);
  });

  it('says at least 25 of them in DAP’s own words alone', () => {
    expect(inOwnWords).toBeGreaterThanOrEqual(25);
  });
});
