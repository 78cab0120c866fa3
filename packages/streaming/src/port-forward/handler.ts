/** Declares the handler of forwarded connections. */
import { errorMessage } from '@podscope/base';
import type { ForwardedConnection } from '@podscope/cri';

/** Connects a client with a port until either side ends. The signal is aborted when the client disconnects. */
export type PortForwardHandler = (port: number, connection: ForwardedConnection, signal: AbortSignal) => Promise<void>;

/** Returns the error text for the client. */
export const failureText = (port: number, failure: unknown): string =>
  `error forwarding port ${port}: ${errorMessage(failure)}`;
