/** What can be said about the connection at a moment. */
import type { NodeInfo } from '@podscope/protocol';

export type ConnectionState =
  /** The first attempt of this page. */
  | { readonly phase: 'connecting' }
  /** Connected before, or tried in vain; the next attempt is at `retryAt`, or under way when undefined. */
  | {
      readonly phase: 'away';
      readonly attempt: number;
      /** The browser's clock, ms. */
      readonly retryAt: number | undefined;
      readonly since: number;
      readonly reason: string;
      /** The node answers and turns us away: its token is another one now. */
      readonly refused: boolean;
      /** The node said where it goes on: it runs its run again, and lets us in when that is done. */
      readonly isMoving: boolean;
    }
  /** Connected; events up to `target` are on their way. */
  | { readonly phase: 'catchingUp'; readonly node: NodeInfo; readonly from: number; readonly target: number }
  | { readonly phase: 'live'; readonly node: NodeInfo };

export const isConnected = (state: ConnectionState): state is Extract<ConnectionState, { node: NodeInfo }> =>
  state.phase === 'live' || state.phase === 'catchingUp';
