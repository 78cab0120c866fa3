/** Plays a scenario on a simulated node: the same seed and profile show the same, on Node and in a browser. */
import type { Simulation, SimulationOptions } from '@podscope/simulation';
import { simulationDocumentSchema } from '@podscope/simulator';
import { performAct } from './acts.ts';
import type { Scenario, ScenarioProfile } from './scenario.ts';

/** What the simulated node of a scenario is like. @throws Error for a scenario's mistake */
export const simulationOptionsOf = ({ simulator, scripts, policy }: Scenario, profile: ScenarioProfile): SimulationOptions => ({
  profile,
  ...(policy === undefined ? {} : { policy }),
  simulator: simulationDocumentSchema.parse({ ...simulator, ...(scripts === undefined ? {} : { scripts }) }),
});

/** Applies the scenario's manifest to a started node, and sets its acts on the node's clock. @throws Error for a scenario's mistake */
export async function beginScenario(scenario: Scenario, simulation: Simulation): Promise<void> {
  const { cluster, clock } = simulation;
  const warn = (message: string): void => {
    const ctx = cluster.context('scenario');
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
  };
  const { errors } = await cluster.commands.apply(scenario.manifest);
  // An admission scenario wants to be refused; the refusal is what there is to see.
  for (const { message } of errors) warn(message);
  for (const act of scenario.acts ?? [])
    clock.schedule(act.at * 1_000, () => {
      performAct(simulation, act).catch((error: unknown) => warn(`${act.do}: ${error instanceof Error ? error.message : String(error)}`));
    });
}
