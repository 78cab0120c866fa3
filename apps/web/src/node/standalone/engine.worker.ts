/**
 * Runs the engine with a simulated node in a Web Worker. Serves pages over MessagePorts with the same protocol as a
 * server.
 */
import '../../base/without-eval.ts';
import { errorMessage } from '@podscope/base';
import { loadExpressions, needsExpressions } from '@podscope/debugger/expressions';
import { nearestName } from '@podscope/k8s';
import { systemClock } from '@podscope/node';
import { SimulationHost, type SimulationOptions } from '@podscope/node/virtual';
import type { RestoredPod } from '@podscope/pod-snapshot';
import {
  beginScenario,
  findScenario,
  readOwnScenario,
  type Scenario,
  scenarios,
  simulationOptionsOf,
} from '@podscope/scenarios';
import { readSimulationDocument } from '@podscope/simulated-runtime';
import { readEngineOptions } from './engine-address.ts';
import { type EngineOptions, type FromEngine, toEngineSchema } from './engine-messages.ts';
import { headStart } from './head-start.ts';

const send = (message: FromEngine): void => postMessage(message);

/**
 * Returns the pod with this UID from kubectl's output.
 * @throws Error if the output doesn't contain the pod
 */
async function restoreRun(
  { text, pod }: NonNullable<EngineOptions['snapshot']>,
  profile: NonNullable<EngineOptions['profile']>,
): Promise<RestoredPod> {
  const { readSnapshots, restorePod } = await import('@podscope/pod-snapshot');
  const snapshot = readSnapshots(text).snapshots.find((each) => each.pod.metadata.uid === pod);
  if (!snapshot) throw new Error('The pasted text does not contain the pod. Paste it again.');
  return restorePod(snapshot, { profile });
}

/**
 * Returns the run options that a configuration document sets.
 * @throws Error that names the problem
 */
function readSimulation(text: string): Pick<SimulationOptions, 'seed' | 'simulator'> {
  const { settings, errors } = readSimulationDocument(text);
  if (!settings)
    throw new Error(
      errors.map(({ line = 1, message }) => `The simulation of this address, line ${line}: ${message}`).join('\n'),
    );
  const { seed, ...simulator } = settings;
  return { ...(seed === undefined ? {} : { seed }), simulator };
}

/** Returns the scenario to play; undefined without one. @throws Error for an unknown or invalid scenario */
function scenarioOf({ scenario: id, ownScenario }: EngineOptions): Scenario | undefined {
  if (ownScenario !== undefined) {
    const { scenario, error } = readOwnScenario(ownScenario);
    if (scenario) return scenario;
    throw new Error(error.issues.map(({ path, message }) => `The scenario: ${path.join('.')}: ${message}`).join('\n'));
  }
  if (id === undefined) return undefined;
  const scenario = findScenario(id);
  if (scenario) return scenario;
  const nearest = nearestName(
    id,
    scenarios.map((each) => each.id),
  );
  const hint = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
  throw new Error(`There is no scenario ${JSON.stringify(id)}.${hint}`);
}

interface Start {
  readonly run: string;
  readonly options: EngineOptions;
  /** Start of the navigation that requested the run, in milliseconds since the Unix epoch. */
  readonly since?: number;
}

async function start({ run, options, since }: Start): Promise<SimulationHost> {
  const { manifests = [], profile = 'v1.36', seed, speed, paused } = options;
  const scenario = scenarioOf(options);
  const restored = options.snapshot && (await restoreRun(options.snapshot, profile));
  if (needsExpressions(JSON.stringify(scenario?.acts ?? []))) await loadExpressions();
  const ofScenario = scenario ? simulationOptionsOf(scenario, profile) : { profile };
  const own = options.simulation === undefined ? {} : readSimulation(options.simulation);
  const host = new SimulationHost({
    real: systemClock(),
    run,
    speed,
    paused,
    simulation: {
      ...ofScenario,
      ...own,
      ...restored?.simulation,
      simulator: { ...ofScenario.simulator, ...own.simulator, ...restored?.simulation.simulator },
      version: podscopeVersion,
      ...(seed === undefined ? {} : { seed }),
    },
    ...(restored ? { prepare: restored.prepare } : {}),
    // Apply manifests before time starts, so that a link always shows the same run.
    begin: async (simulation) => {
      if (scenario) await beginScenario(scenario, simulation);
      for (const manifest of manifests) await simulation.nodeHost.commands.apply(manifest);
    },
  });
  await host.start();
  const passed = headStart(options, since === undefined ? 0 : systemClock().now() - since);
  if (passed > 0) await host.time.step(passed);
  return host;
}

function connect(host: SimulationHost, port: MessagePort): void {
  const session = host.connect({
    send: (text) => port.postMessage(text),
    // Return 0: a port doesn't report how much data waits, and the page reads messages as soon as it can.
    bufferedAmount: 0,
    close: (_code, reason) => port.postMessage({ closed: reason }),
  });
  const receive = (data: unknown): void => {
    if (typeof data === 'string') session.receive(data);
    else session.closed();
  };
  /** Messages that wait until the libraries for expressions are loaded, in their order. */
  let waiting: unknown[] | undefined;
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (waiting) waiting.push(data);
    else if (typeof data === 'string' && needsExpressions(data)) {
      const held = (waiting = [data]);
      const release = (): void => {
        waiting = undefined;
        for (const message of held) receive(message);
      };
      // If the libraries can't be loaded, the messages are still handled, and expressions are rejected.
      loadExpressions().then(release, release);
    } else receive(data);
  });
  port.start();
}

let host: Promise<SimulationHost> | undefined;

addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
  const message = toEngineSchema.parse(data);
  if (message.type === 'start') host ??= start(message);
  else if (message.type === 'startAddressed')
    host ??= start({ run: message.run, options: readEngineOptions(message.search), since: message.since });
  else if (port) {
    const admit = async (running: SimulationHost): Promise<void> => {
      await running.ready;
      connect(running, port);
    };
    // Reports the failure to each client that connects, because the engine can fail before the page listens.
    host?.then(admit).catch((error: unknown) => send({ type: 'failed', message: errorMessage(error) }));
  }
});
