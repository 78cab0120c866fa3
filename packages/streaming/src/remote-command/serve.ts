/** Serves exec and attach. Upstream: ServeExec, ServeAttach (kubelet remotecommand, v1.36). */
import { errorMessage } from '@podscope/base';
import type { ProcessStreams } from '@podscope/cri';
import { isWebSocketRequest, refuse, UpgradeError, type UpgradeRequest } from '../upgrade.ts';
import type { Outcome } from './outcome.ts';
import type { RemoteCommandStreams } from './protocols.ts';
import { openSpdyStreams } from './spdy.ts';
import { openWebSocketStreams } from './web-socket.ts';

/**
 * Runs the command and returns its exit code; undefined counts as success. The signal is aborted when the client
 * disconnects.
 */
export type RemoteCommandHandler = (streams: ProcessStreams, signal: AbortSignal) => Promise<number | void>;

export interface ServeOptions {
  /** Milliseconds in which a client must open its streams. Default 30 s. */
  readonly creationTimeout?: number;
  /** Milliseconds without data after which the connection is closed. Default 4 h; 0: never. */
  readonly idleTimeout?: number;
  /** Prefix of the reason if the handler fails. Default `error executing command in container`. */
  readonly failurePrefix?: string;
}

/** Default of {@link ServeOptions.creationTimeout}. */
export const defaultCreationTimeout = 30_000;
const defaultIdleTimeout = 4 * 60 * 60 * 1000;

/** Closes an idle connection. */
export function limitIdleness({ socket }: Pick<UpgradeRequest, 'socket'>, milliseconds = defaultIdleTimeout): void {
  // Only sockets have a timeout. Other duplexes run over a socket and end with it.
  if ('setTimeout' in socket && typeof socket.setTimeout === 'function')
    socket.setTimeout(milliseconds, () => socket.destroy());
}

/**
 * Serves one exec or attach on an upgrade request over SPDY/3.1 or WebSocket. Resolves at the end of the connection;
 * never rejects: an invalid request is answered with an HTTP error, a failure of the handler is sent to the client.
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

async function outcomeOf(
  running: Promise<number | void>,
  prefix = 'error executing command in container',
): Promise<Outcome> {
  try {
    return { exitCode: (await running) ?? 0 };
  } catch (error) {
    return { failure: `${prefix}: ${errorMessage(error)}` };
  }
}
