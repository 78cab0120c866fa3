/**
 * Defines the channel between the page and a node, which transfers text in both directions. It is a WebSocket to a
 * server, or a MessagePort to an engine in a worker.
 */

import type { ServerMessage } from '@podscope/protocol';

/** Why a channel closed. */
export interface ChannelClosed {
  /** Readable reason; empty when unknown. */
  readonly reason: string;
  /** True if the node rejected the connection, so that retrying alone doesn't help. */
  readonly refused: boolean;
}

/** Callbacks of a channel. After `closed`, none of them is called. */
export interface ChannelListener {
  opened(): void;
  /**
   * Receives a message. A text is validated against the protocol. An object comes from inside the page and was already
   * validated there.
   */
  message(message: string | ServerMessage): void;
  closed(closed: ChannelClosed): void;
}

export interface Channel {
  /**
   * True if every failure of the node closes the channel, as with an engine in the page. A missing answer then means
   * that the node is still loading, and no time limit applies.
   */
  readonly reportsFailures?: boolean;
  send(text: string): void;
  /** Closes the channel. Its listener receives no more calls. */
  close(): void;
}

export type OpenChannel = (listener: ChannelListener) => Channel;
