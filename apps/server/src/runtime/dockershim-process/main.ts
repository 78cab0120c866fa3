/**
 * Runs the dockershim process of `start --cri-over-grpc`: serves CRI on the socket that the server names, until the
 * server ends. Upstream: runDockershim (kubelet_dockershim.go, v1.20).
 */
import { errorMessage } from '@podscope/base';
import { serveCri } from '@podscope/cri/grpc';
import { createDockershim } from '@podscope/dockershim';
import { systemClock } from '@podscope/node/system-clock';
import { background, type Context, Tracer } from '@podscope/trace';
import { type DockershimOrder, type DockershimReport, orderSchema } from './messages.ts';

/** Starts serving CRI. Returns a function that closes everything and ends the process. */
async function serve(ctx: Context, order: DockershimOrder): Promise<() => Promise<void>> {
  const { listen, network, release, ...options } = order;
  const runtime = await createDockershim(ctx, { ...options, ...network, release });
  try {
    const { linux } = await runtime.runtime.runtimeConfig(ctx, {});
    // For release v1.20, serve CRI v1alpha2, which the kubelet v1.20 and its dockershim used.
    const server = await serveCri(runtime, { listen, ctx, ...(release === 'v1.20' ? { versions: ['v1alpha2'] } : {}) });
    report({
      type: 'serving',
      cgroupDriver: linux.cgroupDriver === 'SYSTEMD' ? 'systemd' : 'cgroupfs',
      deviations: [...runtime.deviations()],
    });
    return async () => {
      await server.close();
      await runtime.close();
    };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

const report = (message: DockershimReport): void => void process.send?.(message);

// Ignore these signals. A terminal sends Ctrl+C to both processes, but the server still needs the runtime to stop its
// pods.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

let end: Promise<() => Promise<void>> | undefined;
process.on('message', (message) => {
  end = serve(background(systemClock(), new Tracer(), 'dockershim'), orderSchema.parse(message));
  end.catch((error: unknown) => {
    report({ type: 'failed', message: errorMessage(error) });
    process.disconnect();
  });
});

// The channel closes whenever the server ends, even if it crashes.
process.on('disconnect', () => {
  const leave = (): never => process.exit(0);
  if (end) void end.then((close) => close()).then(leave, leave);
  else leave();
});
