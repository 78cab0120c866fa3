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
 * The engine that the site's start script created (site-page.ts), and whether it has already started the run of the
 * address.
 */
interface EarlyEngine {
  readonly worker: Worker;
  readonly isStarted: boolean;
}

declare global {
  var podscopeEngine: EarlyEngine | undefined;
}

const newEngine = (): Worker =>
  new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module', name: 'podscope-engine' });

const post = (worker: Worker, message: ToEngine, transfer: Transferable[] = []): void =>
  worker.postMessage(message, transfer);

/** Starts an engine in the page. */
export const startLocalNode = (options: EngineOptions): LocalNode => startIn(newEngine(), options);

/**
 * Starts the engine with the options in the page's address, unless the site's start script has started it already.
 * @param options the options in the address
 */
export function startAddressedNode(options: EngineOptions): LocalNode {
  const early = globalThis.podscopeEngine;
  globalThis.podscopeEngine = undefined;
  return early?.isStarted ? nodeOf(early.worker) : startIn(early?.worker ?? newEngine(), options);
}

function startIn(worker: Worker, options: EngineOptions): LocalNode {
  runs++;
  post(worker, { type: 'start', run: `page-${Date.now().toString(36)}-${runs}`, options });
  return nodeOf(worker);
}

function nodeOf(worker: Worker): LocalNode {
  const listeners = new Set<(reason: string) => void>();
  let failure: string | undefined;
  const fail = (reason: string): void => {
    failure = reason;
    for (const listener of listeners) listener(reason);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = fromEngineSchema.safeParse(data);
    if (message.success) fail(message.data.message);
  });
  worker.addEventListener('error', ({ message }) =>
    fail(`The engine in this page failed: ${message || 'its script could not be loaded'}`),
  );

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
    post(worker, { type: 'connect' }, [port2]);
    // Open the channel asynchronously, as a WebSocket does, so that the caller has received the channel before.
    queueMicrotask(() => {
      if (failure !== undefined) close(failure);
      else if (isOpen) listener.opened();
    });
    return {
      reportsFailures: true,
      send: (text) => port.postMessage(text),
      close() {
        port.postMessage(null);
        end();
      },
    };
  };
  return { open, close: () => worker.terminate() };
}
