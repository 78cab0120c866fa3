/** Creates the simulated runtime that `cri --runtime sim` serves. */

import { createRandom, errorMessage } from '@podscope/base';
import { report } from '@podscope/command-line';
import type { ContainerRuntime } from '@podscope/cri';
import { systemClock } from '@podscope/node/system-clock';
import { readSimulationFile } from '@podscope/server/embed';
import { createSimulator } from '@podscope/simulated-runtime';
import { AppendedLogFiles, MachineFiles } from '@podscope/simulated-runtime/on-disk';
import { streamedRuntime } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import type { CriOptions } from './options.ts';

/**
 * Returns a simulated runtime for a kubelet on this machine. The runtime reads the files that pods mount, writes logs
 * to the paths that CRI requests contain, and serves Exec, Attach and PortForward.
 * @throws StartError if the simulation file can't be read
 */
export async function createServedSimulator(
  ctx: Context,
  { sandboxImage, streaming, simulation, profile }: CriOptions,
): Promise<ContainerRuntime> {
  const { seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0, ...settings } =
    simulation === undefined ? {} : await readSimulationFile(simulation);
  const simulator = createSimulator({
    clock: systemClock(),
    release: profile,
    ...settings,
    random: createRandom(seed),
    hostFiles: new MachineFiles(),
    logFiles: new AppendedLogFiles((path, error) =>
      report(`podscope: ${path} can't be written: ${errorMessage(error)}`),
    ),
    ...(sandboxImage === undefined ? {} : { sandboxImage }),
  });
  const streamed = streamedRuntime(ctx, simulator.runtime, simulator.streams, streaming);
  return {
    ...simulator,
    runtime: streamed.runtime,
    async close() {
      await streamed.close();
      // Stop all containers first, because timers of running containers would keep the process alive.
      await simulator.restartNode();
      await simulator.close();
    },
  };
}
