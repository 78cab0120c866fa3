/** What serves a forwarded connection. */
import type { ForwardedConnection } from '@podscope/cri';

/** Connects a client with a port until either side is done. The signal is aborted when the client goes away. */
export type PortForwardHandler = (port: number, connection: ForwardedConnection, signal: AbortSignal) => Promise<void>;

/** What a client is told when a connection fails. */
export const failureText = (port: number, failure: unknown): string =>
  `error forwarding port ${port}: ${failure instanceof Error ? failure.message : String(failure)}`;
