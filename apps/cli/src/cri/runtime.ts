/** The runtime that `cri` serves. */
import { systemClock } from '@podscope/cluster';
import type { ContainerRuntime } from '@podscope/cri';
import { createDockershim } from '@podscope/dockershim';
import { MemoryOS } from '@podscope/kuberuntime';
import { createRandom, createSimulator } from '@podscope/simulator';
import type { Context } from '@podscope/trace';
import type { CriOptions } from './options.ts';

/** @throws CriError Unavailable when there is no engine */
export function createRuntime(ctx: Context, options: CriOptions, stateDirectory: string, instance: string): Promise<ContainerRuntime> {
  const { sandboxImage, dockerHost, streaming, network } = options;
  if (options.runtime === 'docker') return createDockershim(ctx, { stateDirectory, instance, sandboxImage, dockerHost, streaming, ...network });
  const random = createRandom(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
  return Promise.resolve(createSimulator({ clock: systemClock(), hostFiles: new MemoryOS(), random, ...(sandboxImage === undefined ? {} : { sandboxImage }) }));
}
