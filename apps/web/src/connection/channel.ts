/**
 * What carries messages to a node and back: text in, text out. A WebSocket for a server; a MessagePort can stand here for an engine that
 * runs in a Web Worker.
 */

import type { ServerMessage } from '@podscope/protocol';

/** Why there is no channel. */
export interface ChannelClosed {
  /** For people; empty when nothing is known. */
  readonly reason: string;
  /** True when the node answered and does not let us in: trying again alone won't help. */
  readonly refused: boolean;
}

/** Called by a channel; nothing is called after `closed`. */
export interface ChannelListener {
  opened(): void;
  /** Text is checked against the protocol; what comes from inside the page, and was checked where it came in, may be handed over as it is. */
  message(message: string | ServerMessage): void;
  closed(closed: ChannelClosed): void;
}

export interface Channel {
  send(text: string): void;
  /** Ends the channel; its listener hears nothing more. */
  close(): void;
}

export type OpenChannel = (listener: ChannelListener) => Channel;
