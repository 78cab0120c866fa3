/**
 * Defines the channel between the page and a node: text in, text out. A WebSocket to a server, or a MessagePort to an
 * engine in a worker.
 */

import type { ServerMessage } from '@podscope/protocol';

/** Why a channel closed. */
export interface ChannelClosed {
  /** Readable reason; empty when unknown. */
  readonly reason: string;
  /** True when the node refused the connection: retrying alone doesn't help. */
  readonly refused: boolean;
}

/** Callbacks of a channel. None is called after `closed`. */
export interface ChannelListener {
  opened(): void;
  /**
   * Text is validated against the protocol. Values from inside the page were validated where they entered and may be
   * passed as they are.
   */
  message(message: string | ServerMessage): void;
  closed(closed: ChannelClosed): void;
}

export interface Channel {
  send(text: string): void;
  /** Closes the channel. Its listener receives no more calls. */
  close(): void;
}

export type OpenChannel = (listener: ChannelListener) => Channel;
