/** Holds the connection of one debugger or reader: sends it reports, and limits how many bytes wait for it. */
import type { Socket } from 'node:net';
import { type DebuggerMessage, encodeHead, FrameReader, type RelayMessage } from '@podscope/relay-protocol/wire';
import { BatchWriter } from '../batch-writer.ts';
import { NextStep } from '../forward/next-step.ts';
import { parseDebuggerMessage } from './debugger-message.ts';

const mebibyte = 1024 * 1024;
/**
 * Numbers of unread bytes above which the relay drops messages to a client, which limit the relay's memory. First it
 * drops large responses and requests, then small ones, and last the messages without a body, which end calls.
 */
const maxBehind = { large: 4 * mebibyte, small: 16 * mebibyte, empty: 64 * mebibyte } as const;
/** Length above which a body is large, in bytes. */
const largeAbove = mebibyte;
/** Number of unread bytes below which the client has caught up, and gets the number of lost messages. */
const caughtUp = mebibyte;

/** Returns the number of unread bytes above which a message is dropped. */
function limitOf(length: number): number {
  if (length === 0) return maxBehind.empty;
  return length > largeAbove ? maxBehind.large : maxBehind.small;
}

export interface ControlClientEvents {
  /** Called with each message. A thrown error ends the connection. */
  readonly received: (message: DebuggerMessage) => void;
  /** Called once, when the connection has ended. */
  readonly gone: () => void;
}

export class ControlClient {
  /** True after the client has sent its hello message. */
  isReady = false;
  /** The methods about whose calls and responses the client wants to be asked. Empty for a reader. */
  asks: ReadonlySet<string> = new Set();
  asksAfter: ReadonlySet<string> = new Set();
  readonly #socket: Socket;
  readonly #writer: BatchWriter;
  readonly #silence = new NextStep();
  #silentAfter: number | undefined;
  #lost = 0;

  constructor(socket: Socket, { received, gone }: ControlClientEvents) {
    this.#socket = socket;
    this.#writer = new BatchWriter(socket);
    const reader = new FrameReader();
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      try {
        for (const { message } of reader.push(chunk)) received(parseDebuggerMessage(message));
        this.#expectNext();
      } catch {
        // Close the connection, because the client isn't a debugger or has another protocol version.
        socket.destroy();
      }
    });
    socket.on('close', () => {
      this.#silence.clear();
      gone();
    });
  }

  /** Ends the connection when the client sends nothing for this time, in milliseconds. */
  endIfSilentFor(ms: number): void {
    this.#silentAfter = ms;
  }

  /** Sends a last message and ends the connection. */
  reject(message: RelayMessage): void {
    this.isReady = false;
    this.#socket.end(encodeHead(message));
  }

  close(): void {
    this.#socket.destroy();
  }

  /**
   * Sends a message whose head is already encoded.
   * @param release called when `bytes` are no longer needed
   */
  send(head: Uint8Array, bytes?: Buffer, release?: () => void): void {
    const { waiting } = this.#writer;
    if (waiting > limitOf(bytes?.length ?? 0)) {
      this.#lost += 1;
      release?.();
      return;
    }
    if (this.#lost > 0 && waiting < caughtUp) {
      const lost = encodeHead({ type: 'lost', messages: this.#lost, time: Date.now() });
      this.#lost = 0;
      this.#writer.write(lost);
    }
    this.#writer.write(head);
    if (bytes && bytes.length > 0) this.#writer.write(bytes, release);
    else release?.();
  }

  #expectNext(): void {
    if (this.#silentAfter !== undefined) this.#silence.after(this.#silentAfter, () => this.#socket.destroy());
  }
}
