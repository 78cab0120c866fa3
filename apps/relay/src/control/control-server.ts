/**
 * Serves the debugger on the control socket, with one connection at a time. If no debugger is connected, the relay
 * forwards calls in the same way but sends no questions and no reports.
 */
import type { Socket } from 'node:net';
import { encodeHead, FrameReader, protocolVersion, type RelayMessage } from '@podscope/relay-protocol/wire';
import type { CallRegistry, Observer } from '../forward/observer.ts';
import { listExisting } from '../forward/own-calls.ts';
import { parseDebuggerMessage } from './debugger-message.ts';

/**
 * Number of unread bytes above which the relay sends a debugger no further messages until the debugger has caught up.
 */
const maxBehind = 64 * 1024 * 1024;

/** Facts that the relay reports about itself. */
export interface RelayFacts {
  readonly version: string;
  readonly listen: string;
  readonly runtime: string;
  readonly imageRuntime?: string | undefined;
  /** How long a call waits for the debugger's answer, in milliseconds. */
  readonly answerWithin?: number;
}

const defaultAnswerWithin = 250;

export class ControlServer implements Observer {
  readonly #facts: RelayFacts;
  readonly #calls: CallRegistry;
  readonly #startedAt = Date.now();
  #socket: Socket | undefined;
  /** True after the debugger has sent its hello message. */
  #isReady = false;
  #asks: ReadonlySet<string> = new Set();
  #asksAfter: ReadonlySet<string> = new Set();
  #lost = 0;

  constructor(facts: RelayFacts, calls: CallRegistry) {
    this.#facts = facts;
    this.#calls = calls;
  }

  get answerWithin(): number {
    return this.#facts.answerWithin ?? defaultAnswerWithin;
  }

  get isConnected(): boolean {
    return this.#isReady;
  }

  asksAbout(method: string, phase: 'before' | 'after'): boolean {
    return this.#isReady && (phase === 'before' ? this.#asks : this.#asksAfter).has(method);
  }

  report(message: RelayMessage, bytes?: Buffer, release?: () => void): void {
    if (this.#socket && this.#isReady) this.#send(this.#socket, message, bytes, release);
    else release?.();
  }

  /**
   * Handles a new connection of a debugger. A second debugger receives the message `busy`, and its connection is
   * closed.
   */
  accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (this.#socket) {
      socket.end(encodeHead({ type: 'busy', time: Date.now() }));
      return;
    }
    this.#socket = socket;
    const reader = new FrameReader();
    socket.on('data', (chunk) => {
      try {
        for (const { message } of reader.push(chunk)) this.#handle(socket, message);
      } catch {
        // Close the connection, because the client isn't a debugger or has another protocol version.
        socket.destroy();
      }
    });
    socket.on('close', () => this.#gone(socket));
    const { version, listen, runtime, imageRuntime } = this.#facts;
    this.#send(socket, {
      type: 'hello',
      protocol: protocolVersion,
      version,
      pid: process.pid,
      startedAt: this.#startedAt,
      now: Date.now(),
      listen,
      runtime,
      ...(imageRuntime === undefined ? {} : { imageRuntime }),
    });
  }

  #send(socket: Socket, message: RelayMessage, bytes?: Buffer, release?: () => void): void {
    if (socket.writableLength > maxBehind) {
      this.#lost += 1;
      release?.();
      return;
    }
    if (this.#lost > 0) {
      const lost = encodeHead({ type: 'lost', messages: this.#lost, time: Date.now() });
      this.#lost = 0;
      socket.write(lost);
    }
    const length = bytes?.length ?? 0;
    const head = encodeHead(message, length);
    if (!bytes || length === 0) socket.write(head);
    else if (length < 64 * 1024) socket.write(Buffer.concat([head, bytes]));
    else {
      socket.cork();
      socket.write(head);
      // Node.js also calls the callback if the socket is destroyed.
      socket.write(bytes, () => release?.());
      socket.uncork();
    }
  }

  #handle(socket: Socket, received: unknown): void {
    const message = parseDebuggerMessage(received);
    if (!this.#isReady) {
      if (message.type !== 'hello' || message.protocol !== protocolVersion) {
        socket.destroy();
        return;
      }
      this.#isReady = true;
      for (const call of this.#calls.all) call.introduce();
      const isConnected = (): boolean => this.#socket === socket;
      const report = (message: RelayMessage, bytes?: Buffer): void => {
        if (isConnected()) this.report(message, bytes);
      };
      void listExisting(this.#facts.runtime, { report, isConnected }, this.#calls);
      return;
    }
    if (message.type === 'ask') {
      this.#asks = new Set(message.methods);
      this.#asksAfter = new Set(message.after);
    } else if (message.type === 'answer' || message.type === 'release') {
      const call = this.#calls.get(message.call);
      const reason = !call
        ? 'unknownCall'
        : message.type === 'answer'
          ? call.answer(message.answer)
          : call.release(message.answer);
      if (reason) this.report({ type: 'refused', call: message.call, time: Date.now(), reason });
    }
  }

  #gone(socket: Socket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#isReady = false;
    this.#asks = new Set();
    this.#asksAfter = new Set();
    this.#lost = 0;
    for (const call of this.#calls.all) call.debuggerGone();
  }
}
