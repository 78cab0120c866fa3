/** Serves exec and attach: the client's streams to a handler, the handler's outcome to the client. */
import type { ProcessStreams } from '@podscope/cri';
import { isWebSocketRequest, refuse, UpgradeError, type UpgradeRequest } from '../upgrade.ts';
import type { Outcome } from './outcome.ts';
import type { RemoteCommandStreams } from './protocols.ts';
import { openSpdyStreams } from './spdy.ts';
import { openWebSocketStreams } from './web-socket.ts';

/** Runs the command. Answers its exit code; nothing counts as success. The signal is aborted when the client goes away. */
export type RemoteCommandHandler = (streams: ProcessStreams, signal: AbortSignal) => Promise<number | void>;

export interface ServeOptions {
  /** Milliseconds a client has to open its streams. Default 30 s. */
  readonly creationTimeout?: number;
  /** Milliseconds without a byte in either direction after which the connection is cut. Default 4 h; 0: never. */
  readonly idleTimeout?: number;
  /** Words before the reason when the handler fails. Default `error executing command in container`. */
  readonly failurePrefix?: string;
}

/** Default of {@link ServeOptions.creationTimeout}. */
export const defaultCreationTimeout = 30_000;
const defaultIdleTimeout = 4 * 60 * 60 * 1000;

/** Cuts a connection that stays silent. */
export function limitIdleness({ socket }: Pick<UpgradeRequest, 'socket'>, milliseconds = defaultIdleTimeout): void {
  // Sockets have this; other duplexes are as short-lived as what they stand on.
  if ('setTimeout' in socket && typeof socket.setTimeout === 'function') socket.setTimeout(milliseconds, () => socket.destroy());
}

/**
 * Serves one exec or attach on an upgrade request, by SPDY/3.1 or WebSocket as the client asks. Resolves when the connection is over;
 * never rejects: a request that cannot be served is answered with an HTTP error, a failing handler is told to the client.
 * Upstream: ServeExec, ServeAttach (kubelet remotecommand, v1.36).
 */
export async function serveRemoteCommand(
  upgrade: UpgradeRequest,
  wanted: RemoteCommandStreams,
  handler: RemoteCommandHandler,
  options: ServeOptions = {},
): Promise<void> {
  upgrade.socket.on('error', () => upgrade.socket.destroy());
  limitIdleness(upgrade, options.idleTimeout);
  try {
    const open = isWebSocketRequest(upgrade.request)
      ? await openWebSocketStreams(upgrade, wanted)
      : await openSpdyStreams(upgrade, wanted, options.creationTimeout ?? defaultCreationTimeout);
    await open.finish(await outcomeOf(handler(open.streams, open.signal), options.failurePrefix));
  } catch (error) {
    if (error instanceof UpgradeError) refuse(upgrade, error);
    else upgrade.socket.destroy();
  }
}

async function outcomeOf(running: Promise<number | void>, prefix = 'error executing command in container'): Promise<Outcome> {
  try {
    return { exitCode: (await running) ?? 0 };
  } catch (error) {
    return { failure: `${prefix}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
