/** The whole engine with a simulated node, in a Web Worker: serves the page the way a server does, over MessagePorts. */
import { systemClock } from '@podscope/cluster';
import { SimulationHost } from '@podscope/simulation';
import { z } from 'zod';
import { type EngineOptions, type FromEngine, type ToEngine, toEngineSchema } from './engine-messages.ts';

// Compiled validators need eval, which the content security policy refuses.
z.config({ jitless: true });

const say = (message: FromEngine): void => postMessage(message);

async function start({ run, version, options }: Extract<ToEngine, { type: 'start' }>): Promise<SimulationHost> {
  const host = new SimulationHost({
    real: systemClock(),
    run,
    // Manifests are there before time begins, so that a link always shows the same run.
    paused: true,
    speed: options.speed,
    simulation: {
      version,
      seed: options.seed,
      simulator: { scripts: options.scripts },
      onError: (message, error) => say({ type: 'failed', message: `${message}: ${error instanceof Error ? error.message : String(error)}` }),
    },
  });
  await host.start();
  await begin(host, options);
  return host;
}

async function begin(host: SimulationHost, { manifests = [], paused = false }: EngineOptions): Promise<void> {
  for (const manifest of manifests) await host.perform({ command: 'apply', manifest });
  if (!paused) host.time.set({ paused: false });
}

function connect(host: SimulationHost, port: MessagePort): void {
  const session = host.connect({
    send: (text) => port.postMessage(text),
    // A port has no back pressure to report: the page reads as fast as it is scheduled.
    bufferedAmount: 0,
    close: (_code, reason) => port.postMessage({ closed: reason }),
  });
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') session.receive(data);
    else session.closed();
  });
  port.start();
}

let host: Promise<SimulationHost> | undefined;

addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
  const message = toEngineSchema.parse(data);
  if (message.type === 'start') {
    host ??= start(message);
    host.then(
      () => say({ type: 'started' }),
      (error: unknown) => say({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  } else if (port) void host?.then((running) => connect(running, port)).catch(() => undefined);
});
