/** Creates the node that the command line asks for: a simulated one, or one on a real container runtime. */
import type { NodeConfiguration } from '@podscope/kubelet';
import { simulatedNode } from '@podscope/node/virtual';
import type { RestoredPod } from '@podscope/pod-snapshot';
import type { SimulationSettings } from '@podscope/simulated-runtime';
import type { Clock } from '@podscope/trace';
import type { ServerOptions } from '../cli/server-options.ts';
import { choosePodCgroups } from '../os/cgroups/choose-pod-cgroups.ts';
import { machineFacts, nodeConfiguration } from '../os/node-facts.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import type { chooseRuntime } from './choose-runtime.ts';
import { type CommonOptions, type HostedNode, type NodeHooks, realNode, simulatedHost } from './hosted-node.ts';

/** Returns the node and its kubelet configuration. */
export async function createNode(
  chosen: Awaited<ReturnType<typeof chooseRuntime>>,
  common: CommonOptions,
  hooks: NodeHooks,
  {
    options,
    simulation = {},
    restored,
    state,
    clock,
  }: {
    readonly options: ServerOptions;
    readonly simulation?: SimulationSettings | undefined;
    readonly restored?: RestoredPod | undefined;
    readonly state: StateDirectory;
    readonly clock: Clock;
  },
): Promise<{ readonly host: HostedNode; readonly configuration: NodeConfiguration }> {
  const { nodeName, sandboxImage } = options;
  if (chosen.runtimeKind === 'sim') {
    const settings = { ...simulation, ...(sandboxImage === undefined ? {} : { sandboxImage }) };
    return {
      host: simulatedHost(common, { nodeName, settings, restored }, { ...hooks, clock }),
      configuration: simulatedNode(nodeName, settings.nodeMemory),
    };
  }
  const own = await nodeConfiguration({
    nodeName,
    rootDir: state.join('kubelet'),
    podLogsDir: state.join('pod-logs'),
    legacyLogDir: state.join('container-logs'),
  });
  const { cgroups, notices } = await choosePodCgroups(
    options,
    own.rootDir,
    chosen.node.cgroupDriver ?? own.cgroupDriver,
  );
  const configuration = { ...own, ...chosen.node, cgroupsPerQOS: cgroups !== undefined };
  const machine = { node: configuration, machine: await machineFacts(), ...(cgroups ? { cgroups } : {}) };
  const host = realNode(
    { ...common, notices: [...(common.notices ?? []), ...(notices ?? [])] },
    { ...chosen, ...machine },
    { ...hooks, clock },
  );
  return { host, configuration };
}
