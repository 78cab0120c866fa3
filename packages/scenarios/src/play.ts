/**
 * Plays a scenario on a simulated node. The same seed and profile produce the same run, on Node.js and in a browser.
 */

import { errorMessage } from '@podscope/base';
import type { Simulation, SimulationOptions } from '@podscope/node/virtual';
import { simulationDocumentSchema } from '@podscope/simulated-runtime';
import type { Attributes } from '@podscope/trace';
import { performAct } from './acts.ts';
import type { Scenario, ScenarioProfile } from './scenario.ts';

/** Returns the options of a scenario's simulated node. @throws Error for a mistake in the scenario */
export const simulationOptionsOf = (
  { simulator, scripts, policy, acts = [] }: Scenario,
  profile: ScenarioProfile,
): SimulationOptions => ({
  profile,
  ...(policy === undefined ? {} : { policy }),
  ...(acts.some((act) => act.do === 'setStaticPods') ? { staticPods: true } : {}),
  simulator: simulationDocumentSchema.parse({ ...simulator, ...(scripts === undefined ? {} : { scripts }) }),
});

/**
 * Applies the scenario's manifest to a started node and schedules its acts on the node's clock.
 * @throws Error for a mistake in the scenario
 */
export async function beginScenario(scenario: Scenario, simulation: Simulation): Promise<void> {
  const { errors } = await simulation.nodeHost.commands.apply(scenario.manifest);
  // Admission scenarios expect the rejection, so it is only reported as a warning.
  for (const { message } of errors) warn(simulation, message);
  scheduleActs(scenario, simulation);
}

/** Schedules the scenario's acts on the node's clock, counted from now. */
export function scheduleActs({ acts = [] }: Scenario, simulation: Simulation): void {
  for (const act of acts)
    simulation.clock.schedule(act.at * 1_000, () => {
      performAct(simulation, act).catch((error: unknown) => {
        const message = errorMessage(error);
        warn(simulation, `${act.do}: ${message}`, { act: act.do, error: message });
      });
    });
}

/** Emits a warning to the event log. */
function warn({ nodeHost }: Simulation, message: string, attributes?: Attributes): void {
  const ctx = nodeHost.context('scenario');
  ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message, ...(attributes && { attributes }) });
}
