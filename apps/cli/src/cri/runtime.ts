/**
 * Creates the runtime that `cri` serves. Loads only the code of the chosen runtime, because the simulator's code
 * contains most of the server.
 */
import type { ContainerRuntime } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { CriOptions } from './options.ts';

/**
 * Returns dockershim or the simulated runtime.
 * @throws CriError Unavailable if no engine answers, StartError if the simulation file can't be read
 */
export async function createRuntime(
  ctx: Context,
  options: CriOptions,
  stateDirectory: string,
  instance: string,
): Promise<ContainerRuntime> {
  if (options.runtime === 'sim') {
    const { createServedSimulator } = await import('./served-simulator.ts');
    return createServedSimulator(ctx, options);
  }
  const { sandboxImage, dockerHost, streaming, network, profile } = options;
  const { createDockershim } = await import('@podscope/dockershim');
  return createDockershim(ctx, {
    stateDirectory,
    instance,
    sandboxImage,
    dockerHost,
    streaming,
    release: profile,
    ...network,
  });
}
