/** Starts a node in this page: the engine runs in a worker, and its channels are MessagePorts. */
import type { Channel, ChannelListener, OpenChannel } from '../connection/channel.ts';
import { type EngineOptions, fromEngineSchema, portMessageSchema, type ToEngine } from './engine-messages.ts';

export interface LocalNode {
  readonly open: OpenChannel;
  /** Stops the engine. */
  close(): void;
}

let runs = 0;

/**
 * Returns the engine's worker. The first caller gets the worker that the site started together with the page
 * (site-page.ts); later callers get new ones.
 */
function newEngine(): Worker {
  const global = globalThis as { podscopeEngine?: unknown };
  const { podscopeEngine } = global;
  delete global.podscopeEngine;
  if (podscopeEngine instanceof Worker) return podscopeEngine;
  return new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module', name: 'podscope-engine' });
}

/** Starts an engine in the page. @param version version of the product */
export function startLocalNode(options: EngineOptions, version: string): LocalNode {
  const worker = newEngine();
  const listeners = new Set<(reason: string) => void>();
  let failure: string | undefined;
  const fail = (reason: string): void => {
    failure = reason;
    for (const listener of listeners) listener(reason);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = fromEngineSchema.safeParse(data);
    if (message.success && message.data.type === 'failed') fail(message.data.message);
  });
  worker.addEventListener('error', ({ message }) =>
    fail(`The engine in this page failed: ${message || 'its script could not be loaded'}`),
  );

  const send = (message: ToEngine, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);
  runs++;
  send({ type: 'start', run: `page-${Date.now().toString(36)}-${runs}`, version, options });

  const open = (listener: ChannelListener): Channel => {
    const { port1: port, port2 } = new MessageChannel();
    let isOpen = true;
    const close = (reason: string): void => {
      if (!isOpen) return;
      end();
      listener.closed({ reason, refused: false });
    };
    const end = (): void => {
      isOpen = false;
      listeners.delete(close);
      port.close();
    };
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = portMessageSchema.parse(data);
      if (!isOpen) return;
      if (typeof message === 'string') listener.message(message);
      else close(message.closed);
    });
    port.start();
    listeners.add(close);
    send({ type: 'connect' }, [port2]);
    // Open the channel asynchronously, as a socket does, so that the caller already has it.
    queueMicrotask(() => {
      if (failure !== undefined) close(failure);
      else if (isOpen) listener.opened();
    });
    return {
      send: (text) => port.postMessage(text),
      close() {
        port.postMessage(null);
        end();
      },
    };
  };
  return { open, close: () => worker.terminate() };
}
