/** Implements `cri`: serves dockershim or the simulator as a CRI endpoint. */

import { once } from 'node:events';
import { type CommandBody, print, report } from '@podscope/command-line';
import { CriError, instrumentImageService, instrumentRuntimeService } from '@podscope/cri';
import { serveCri } from '@podscope/cri/grpc';
import { systemClock } from '@podscope/node/system-clock';
import { openStateDirectory } from '@podscope/server/state-directory';
import { background, type Context, Tracer } from '@podscope/trace';
import { CallLog } from './call-log.ts';
import { type CriOptions, help, parseCriOptions } from './options.ts';
import { createRuntime } from './runtime.ts';

async function serve(ctx: Context, options: CriOptions): Promise<void> {
  const state = await openStateDirectory(options.stateDir);
  try {
    const runtime = await createRuntime(ctx, options, state.join('dockershim'), state.instance);
    try {
      const services = {
        runtime: instrumentRuntimeService(runtime.runtime),
        images: instrumentImageService(runtime.images),
      };
      const server = await serveCri(services, { listen: options.listen, ctx, mode: options.socketMode });
      for (const deviation of runtime.deviations()) print(`Note: ${deviation}`);
      print(`CRI v1 and v1alpha2 of ${runtime.name} at ${server.endpoint}`);
      await stopSignal();
      print('Stopping… (Ctrl+C again: at once)');
      await server.close();
    } finally {
      await runtime.close();
    }
  } finally {
    state.release();
  }
}

/** Resolves at the first signal. A second signal ends the process at once. */
async function stopSignal(): Promise<void> {
  const controller = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  await Promise.race(signals.map((signal) => once(process, signal, { signal: controller.signal })));
  controller.abort();
  for (const signal of signals) process.once(signal, () => process.exit(130));
}

export const command: CommandBody = {
  help,
  examples: [
    ['cri --listen unix:///run/podscope/cri.sock', 'Serve Docker to a kubelet or crictl'],
    ['cri --runtime sim --listen unix:///tmp/cri.sock --verbose', 'Serve the simulator and print every call'],
  ],
  async run(args) {
    const options = parseCriOptions(args, process.env, process.getuid?.() === 0);
    const tracer = new Tracer(options.verbose ? new CallLog(print, () => performance.now()) : undefined);
    try {
      await serve(background(systemClock(), tracer, 'cri'), options);
      return 0;
    } catch (error) {
      // Print errors that the user can fix as one line. Throw all others.
      if (!(error instanceof CriError) && !(error instanceof Error && error.name === 'StartError')) throw error;
      report(`podscope: ${error.message}`);
      return 1;
    }
  },
};
