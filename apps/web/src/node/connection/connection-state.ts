/** Describes the state of the connection. */
import type { NodeInfo } from '@podscope/protocol';

export type ConnectionState =
  /** The first attempt to connect is in progress. */
  | { readonly phase: 'connecting' }
  /**
   * Not connected. `retryAt` is the time of the next attempt; it is undefined while an attempt is in progress, and
   * after a rejection.
   */
  | {
      readonly phase: 'away';
      readonly attempt: number;
      /** Time of the next attempt, in milliseconds of the browser's clock. */
      readonly retryAt: number | undefined;
      readonly since: number;
      readonly reason: string;
      /**
       * The node rejected the connection, because its token has changed. The page needs a new token before it tries
       * again.
       */
      readonly refused: boolean;
      /** True if the node is replaying its run. It accepts connections again after the replay. */
      readonly isMoving: boolean;
    }
  /** Connected; events up to `target` are still arriving. */
  | { readonly phase: 'catchingUp'; readonly node: NodeInfo; readonly from: number; readonly target: number }
  | { readonly phase: 'live'; readonly node: NodeInfo };

export const isConnected = (state: ConnectionState): state is Extract<ConnectionState, { node: NodeInfo }> =>
  state.phase === 'live' || state.phase === 'catchingUp';
