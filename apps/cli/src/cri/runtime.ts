/** The runtime that `cri` serves. */
import { systemClock } from '@podscope/cluster';
import type { ContainerRuntime } from '@podscope/cri';
import { createDockershim } from '@podscope/dockershim';
import { readSimulationFile } from '@podscope/server/embed';
import { createRandom, createSimulator } from '@podscope/simulator';
import { AppendedLogFiles, MachineFiles } from '@podscope/simulator/on-disk';
import { streamedRuntime } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import { tell } from '../say.ts';
import type { CriOptions } from './options.ts';

/** @throws CriError Unavailable when there is no engine, StartError when the simulation can't be read */
export async function createRuntime(ctx: Context, options: CriOptions, stateDirectory: string, instance: string): Promise<ContainerRuntime> {
  const { sandboxImage, dockerHost, streaming, network } = options;
  if (options.runtime === 'docker') return createDockershim(ctx, { stateDirectory, instance, sandboxImage, dockerHost, streaming, ...network });
  return createServedSimulator(ctx, options);
}

/** The simulator for a kubelet of this machine: it reads the pods' files and writes their logs where the kubelet looks for them. */
async function createServedSimulator(ctx: Context, { sandboxImage, streaming, simulation }: CriOptions): Promise<ContainerRuntime> {
  const { seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0, ...settings } = simulation === undefined ? {} : await readSimulationFile(simulation);
  const simulator = createSimulator({
    clock: systemClock(),
    ...settings,
    random: createRandom(seed),
    hostFiles: new MachineFiles(),
    logFiles: new AppendedLogFiles((path, error) => tell(`podscope: ${path} can't be written: ${error instanceof Error ? error.message : String(error)}`)),
    ...(sandboxImage === undefined ? {} : { sandboxImage }),
  });
  const streamed = streamedRuntime(ctx, simulator.runtime, simulator.streams, streaming);
  return {
    ...simulator,
    runtime: streamed.runtime,
    async close() {
      await streamed.close();
      // Its containers are nobody's once it has ended, and would keep the process.
      await simulator.restartNode();
      await simulator.close();
    },
  };
}
