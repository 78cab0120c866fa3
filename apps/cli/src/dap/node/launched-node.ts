/**
 * Starts the node of a launch request: the simulator at an adjustable speed, or a server in this process that uses real
 * containers.
 */

import { readFile } from 'node:fs/promises';
import { errorMessage } from '@podscope/base';
import { type NodeHost, systemClock } from '@podscope/node';
import { SimulationHost } from '@podscope/node/virtual';
import { applyResultSchema } from '@podscope/protocol';
import { findScenario, type Scenario, scheduleActs, simulationOptionsOf } from '@podscope/scenarios';
import { createLogger, parseFeatureGates, readSimulationFile, StartError } from '@podscope/server/embed';
import type { SimulationSettings } from '@podscope/simulated-runtime';
import { startNode } from '../../run/node.ts';
import type { PageSource } from '../page/session-page.ts';
import type { LaunchArguments } from '../requests/arguments.ts';
import { onlyPods } from './chosen-pods.ts';
import { connectInProcess, type NodeConnection, NodeRefusal } from './node-connection.ts';

export interface LaunchedNode {
  readonly connection: NodeConnection;
  /** Source of sessions for further clients of the node, such as the page. */
  readonly clients: PageSource;
  /** Name of the container runtime. */
  readonly runtime: string;
  readonly notices: readonly string[];
  /**
   * Applies the manifest or starts the scenario.
   * @returns the names of the pods by UID
   * @throws NodeRefusal with the position of an error in the manifest
   */
  begin(): Promise<ReadonlyMap<string, string>>;
  stop(): Promise<void>;
}

const read = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new NodeRefusal(
      'NotFound',
      error.code === 'ENOENT' ? `${file} does not exist` : `${file} cannot be read: ${error.message}`,
    );
  });

/** Launch arguments in which feature gates, simulation file and scenario have been parsed. */
interface NodeArguments extends Omit<LaunchArguments, 'featureGates' | 'simulation' | 'scenario'> {
  readonly scenario: Scenario | undefined;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly simulation: SimulationSettings | undefined;
}

/** Reads the simulation document. @throws NodeRefusal with the file, line and field of an error */
async function readSimulation({ simulation }: LaunchArguments): Promise<NodeArguments['simulation']> {
  try {
    return simulation === undefined ? undefined : await readSimulationFile(simulation);
  } catch (error) {
    throw error instanceof StartError ? new NodeRefusal('Invalid', error.message) : error;
  }
}

/**
 * Returns a scenario.
 * @throws NodeRefusal if it doesn't exist, or if it can't be played with the release
 */
function scenarioOf(id: string, profile: LaunchArguments['profile']): Scenario {
  const scenario = findScenario(id);
  if (!scenario) throw new NodeRefusal('NotFound', `there is no scenario ${JSON.stringify(id)}`);
  if (!scenario.profiles.includes(profile))
    throw new NodeRefusal(
      'Invalid',
      `the scenario ${id} is played with ${scenario.profiles.join(', ')}, not ${profile}`,
    );
  return scenario;
}

/** Parses the feature gates. @throws NodeRefusal for an unknown feature gate */
function readFeatureGates({ featureGates, profile }: LaunchArguments): NodeArguments['featureGates'] {
  try {
    return parseFeatureGates(featureGates, profile);
  } catch (error) {
    throw new NodeRefusal('Invalid', errorMessage(error));
  }
}

interface StartedNode {
  readonly connection: NodeConnection;
  readonly clients: PageSource;
  readonly runtime: string;
  readonly notices: readonly string[];
  stop(): Promise<void>;
}

/** Called with the node after the node has started. For the simulator, it is also called after each rerun. */
type Begin = (nodeHost: NodeHost) => void;

async function startSimulated(
  {
    seed: given,
    simulation = {},
    profile,
    featureGates,
    speed,
    allowPrivileged,
    allowHostPath,
    allowHostNamespaces,
    scenario,
  }: NodeArguments,
  begin: Begin,
): Promise<StartedNode> {
  const { seed: own, ...simulator } = simulation;
  const seed = given ?? own;
  const host = new SimulationHost({
    simulation: {
      simulator,
      policy: { allowPrivileged, allowHostPath, allowHostNamespaces },
      ...(scenario ? simulationOptionsOf(scenario, profile) : {}),
      ...(seed === undefined ? {} : { seed }),
      profile,
      featureGates,
    },
    real: systemClock(),
    speed,
    // Pause a scenario: its times count from its manifest, which is applied after the breakpoints are set.
    paused: scenario !== undefined,
    run: 'dap',
    begin: async (simulation) => {
      begin(simulation.nodeHost);
      if (scenario) scheduleActs(scenario, simulation);
    },
  });
  await host.start();
  return {
    connection: await connectInProcess(host),
    clients: host,
    runtime: `simulator at ${speed} times real time`,
    notices: [],
    stop: () => host.stop(),
  };
}

async function start(args: NodeArguments, begin: Begin, notify: (message: string) => void): Promise<StartedNode> {
  if (args.runtime === 'sim' || args.scenario || args.seed !== undefined || args.simulation !== undefined)
    return startSimulated(args, begin);
  const options = { ...args, seed: undefined, stateDir: args.stateDir };
  try {
    const node = await startNode({ ...options, runtime: args.runtime === 'auto' ? 'docker' : args.runtime }, notify);
    begin(node.nodeHost);
    return {
      connection: await connectInProcess(node.nodeHost),
      clients: node.nodeHost,
      runtime: node.runtime,
      notices: node.notices,
      stop: () => node.stop(),
    };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    if (args.runtime !== 'auto') throw new NodeRefusal('Unavailable', error.message);
    notify(`${error.message}: pods run in the simulator, which makes no real containers.`);
    return startSimulated(args, begin);
  }
}

/** Starts a node. @throws NodeRefusal with the reason if it can't start */
export async function launchNode(args: LaunchArguments, notify: (message: string) => void): Promise<LaunchedNode> {
  const scenario = args.scenario === undefined ? undefined : scenarioOf(args.scenario, args.profile);
  const program = scenario ? `scenario ${scenario.id}` : (args.program ?? '');
  const manifest = scenario?.manifest ?? onlyPods(await read(program), args.pods);
  const plan = args.faults === undefined ? undefined : await read(args.faults);
  const wrong: { readonly line?: number | undefined; readonly message: string }[] = [];
  const begin: Begin = ({ debugger: debug }) => {
    if (plan !== undefined) wrong.push(...debug.setFaultPlan(plan).errors);
  };
  const node = await start(
    { ...args, featureGates: readFeatureGates(args), simulation: await readSimulation(args), scenario },
    begin,
    notify,
  );
  const { connection } = node;
  if (wrong[0]) {
    await connection.close();
    await node.stop();
    throw new NodeRefusal('Invalid', `${args.faults}:${wrong[0].line ?? 1}: ${wrong[0].message}`);
  }
  return {
    connection,
    clients: node.clients,
    runtime: node.runtime,
    notices: node.notices,
    begin: async () => {
      // Apply the manifest as a client's command, so that it is recorded, and repeated in a rerun.
      const { applied, errors } = applyResultSchema.parse(await connection.request({ command: 'apply', manifest }));
      const [first] = errors;
      if (first) throw new NodeRefusal('Invalid', `${program}:${first.line ?? 1}: ${first.message}`);
      const pods = applied.flatMap(({ kind, namespace = '', name, uid }) =>
        kind === 'Pod' && uid !== undefined ? [[uid, `${namespace}/${name}`] as const] : [],
      );
      if (pods.length === 0) throw new NodeRefusal('Invalid', `${program}: there is no pod in the manifest`);
      if (scenario) await connection.request({ command: 'setTime', paused: false });
      return new Map(pods);
    },
    stop: () =>
      node.stop().catch((error: unknown) => createLogger('error').error({ err: error }, 'The node did not stop')),
  };
}
