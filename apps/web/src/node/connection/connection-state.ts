/** Describes the state of the connection. */
import type { NodeInfo } from '@podscope/protocol';

export type ConnectionState =
  /** The first attempt is running. */
  | { readonly phase: 'connecting' }
  /** Not connected. The next attempt is at `retryAt`; undefined while it runs, and after a refusal. */
  | {
      readonly phase: 'away';
      readonly attempt: number;
      /** Time of the next attempt, in milliseconds of the browser's clock. */
      readonly retryAt: number | undefined;
      readonly since: number;
      readonly reason: string;
      /** The node refuses the connection: its token has changed. No further attempt is made without a new one. */
      readonly refused: boolean;
      /** The node is replaying its run and accepts connections when that is done. */
      readonly isMoving: boolean;
    }
  /** Connected; events up to `target` are still arriving. */
  | { readonly phase: 'catchingUp'; readonly node: NodeInfo; readonly from: number; readonly target: number }
  | { readonly phase: 'live'; readonly node: NodeInfo };

export const isConnected = (state: ConnectionState): state is Extract<ConnectionState, { node: NodeInfo }> =>
  state.phase === 'live' || state.phase === 'catchingUp';
