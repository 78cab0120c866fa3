/** Maintains a connection to the control socket of a relay. When the connection ends, connects again. */
import { connect, type Socket } from 'node:net';
import { errorMessage } from '@podscope/base';
import {
  type DebuggerMessage,
  encodeHead,
  FrameReader,
  protocolVersion,
  type RelayMessage,
  relayMessageSchema,
} from '@podscope/relay-protocol';
import { productVersion } from '../version.ts';

/** The first message of a relay. */
export type RelayHello = Extract<RelayMessage, { type: 'hello' }>;

export interface RelayConnectionOptions {
  /** Path of the control socket. */
  readonly path: string;
  /** A reader gets only reports. A debugger must send `ask` at least once a second. */
  readonly role: 'debugger' | 'reader';
  /** Called when a relay has accepted this debugger. */
  readonly connected: (hello: RelayHello) => void;
  /** Called with each further message. */
  readonly received: (message: RelayMessage, bytes: Uint8Array) => void;
  /**
   * Called when the connection has ended.
   * @param problem the reason why the relay rejects connections, if it sent one
   */
  readonly disconnected: (problem: string | undefined) => void;
}

/** The delay before the next attempt to connect, in milliseconds. */
const retryAfter = 300;

export class RelayConnection {
  readonly #options: RelayConnectionOptions;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RelayConnectionOptions) {
    this.#options = options;
    this.#open();
  }

  /** Sends a message. Without a connection, the message is dropped. */
  send(message: DebuggerMessage): void {
    this.#socket?.write(encodeHead(message));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.destroy();
  }

  #open(): void {
    const socket = connect(this.#options.path);
    const reader = new FrameReader();
    let isAccepted = false;
    let problem: string | undefined;
    socket.on('data', (chunk) => {
      try {
        for (const { message: received, bytes } of reader.push(chunk)) {
          const message = relayMessageSchema.parse(received);
          const isTaken = message.type === 'hello' && message.hasDebugger && this.#options.role === 'debugger';
          if (message.type === 'busy' || isTaken) {
            problem = 'another debugger is connected to the relay';
            socket.destroy();
            return;
          }
          if (message.type === 'hello') {
            if (message.protocol !== protocolVersion) {
              problem = `the relay speaks version ${message.protocol} of its protocol, and this is ${protocolVersion}`;
              socket.destroy();
              return;
            }
            isAccepted = true;
            this.#socket = socket;
            const { role } = this.#options;
            this.send({ type: 'hello', protocol: protocolVersion, version: productVersion, role, repeats: true });
            this.#options.connected(message);
          } else this.#options.received(message, bytes);
        }
      } catch (error) {
        problem = `the relay violates its protocol: ${errorMessage(error)}`;
        socket.destroy();
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#socket = undefined;
      if (isAccepted || problem !== undefined) this.#options.disconnected(problem);
      if (!this.#isClosed) this.#timer = setTimeout(() => this.#open(), retryAfter);
    });
  }
}
