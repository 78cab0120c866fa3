/**
 * Starts the node of `podscope run`: in memory on virtual time at full speed, or a server in this process that uses
 * real containers.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asError } from '@podscope/base';
import { callOf } from '@podscope/command-line';
import type { NodeHost } from '@podscope/node';
import { Simulation } from '@podscope/node/virtual';
import { createLogger, parseCommandLine, type RunningServer, StartError, startServer } from '@podscope/server/embed';
import { addMilliseconds, type Milliseconds } from '@podscope/trace';
import type { NodeOptions } from './options.ts';

export interface RunNode {
  readonly nodeHost: NodeHost;
  /** Name of the container runtime, for display. */
  readonly runtime: string;
  readonly notices: readonly string[];
  /**
   * Advances time until the condition is true. The condition is checked after each event.
   * @returns false if it isn't true within `limit`, in the node's time
   */
  until(condition: () => boolean, limit: Milliseconds): Promise<boolean>;
  /** Stops the node and deletes its pods, unless `keepPods` is set. */
  stop(): Promise<void>;
}

/** Interval at which the condition is checked in real time while no events arrive, in milliseconds. */
const lookInterval: Milliseconds = 100;

/** Starts a node. @throws StartError if the requested runtime doesn't answer */
export async function startNode(options: NodeOptions, notify: (message: string) => void): Promise<RunNode> {
  if (options.runtime === 'sim') return startSimulation(options, []);
  if (options.runtime !== 'auto') return startServed(options, options.runtime, notify);
  try {
    return await startServed(options, 'docker', notify);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return startSimulation(options, [`${error.message}: pods run in the simulator, which makes no real containers.`]);
  }
}

/** Returns the policy options of the node. */
const policyOf = ({ allowPrivileged, allowHostPath, allowHostNamespaces }: NodeOptions) => ({
  allowPrivileged,
  allowHostPath,
  allowHostNamespaces,
});

async function startSimulation(options: NodeOptions, notices: readonly string[]): Promise<RunNode> {
  const { profile, featureGates } = options;
  const { seed: own, ...simulator } = options.simulation ?? {};
  const seed = options.seed ?? own;
  const simulation = new Simulation({
    ...(seed === undefined ? {} : { seed }),
    simulator,
    profile,
    featureGates,
    policy: policyOf(options),
  });
  const { clock, nodeHost } = simulation;
  await simulation.start();
  return {
    nodeHost,
    runtime: 'simulator, on virtual time',
    notices,
    until: async (condition, limit) => {
      const end = addMilliseconds(clock.now(), limit);
      await clock.settle();
      while (!condition()) if (!(await clock.fireNext(end))) return condition();
      return true;
    },
    stop: () => simulation.stop(),
  };
}

const flag = (name: string, isSet: boolean): readonly string[] => (isSet ? [`--${name}`] : []);

async function startServed(options: NodeOptions, runtime: string, notify: (message: string) => void): Promise<RunNode> {
  const own = options.stateDir === undefined;
  const stateDir = own ? await mkdtemp(join(tmpdir(), 'podscope-run-')) : resolve(options.stateDir ?? '');
  const forget = async (): Promise<void> => {
    if (own) await rm(stateDir, { recursive: true, force: true });
  };
  let server: RunningServer;
  try {
    const { allowPrivileged, allowHostPath, allowHostNamespaces, keepPods, profile, featureGates } = options;
    const gates = Object.entries(featureGates).map(([name, isOn]) => `${name}=${isOn}`);
    const parsed = parseCommandLine([
      '--runtime',
      runtime,
      '--port',
      '0',
      '--state-dir',
      stateDir,
      '--profile',
      profile,
      ...(gates.length === 0 ? [] : ['--feature-gates', gates.join(',')]),
      ...flag('keep-pods', keepPods),
      ...flag('allow-privileged', allowPrivileged),
      ...flag('allow-host-path', allowHostPath),
      ...flag('allow-host-namespaces', allowHostNamespaces),
    ]);
    if (parsed.action !== 'serve') throw new Error('the options do not start a server');
    server = await startServer(parsed.options, {
      logger: createLogger('error'),
      notify,
      preparePage: () => Promise.resolve(undefined),
    });
  } catch (error) {
    await forget();
    throw error;
  }
  const { nodeHost } = server;
  return {
    nodeHost,
    runtime: server.runtime,
    notices: server.notices,
    until: (condition, limit) => inRealTime(nodeHost, condition, limit),
    stop: async () => {
      await server.stop();
      // Keep the directory too: a later server recognizes the remaining pods by the identity in it.
      if (options.keepPods) notify(`The pods stay. To take them over: ${callOf('start')} --state-dir ${stateDir}`);
      else await forget();
    },
  };
}

function inRealTime({ clock, log }: NodeHost, condition: () => boolean, limit: Milliseconds): Promise<boolean> {
  return new Promise((done, fail) => {
    const end = clock.now() + limit;
    const look = (): void => {
      try {
        const holds = condition();
        if (!holds && clock.now() < end) return;
        unsubscribe();
        clearInterval(timer);
        done(holds);
      } catch (error) {
        unsubscribe();
        clearInterval(timer);
        fail(asError(error));
      }
    };
    // Check the condition in the next turn, so that the check doesn't run in the middle of the code that emits the
    // event.
    const unsubscribe = log.subscribe(() => setImmediate(look));
    const timer = setInterval(look, lookInterval);
    look();
  });
}
