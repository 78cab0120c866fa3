/**
 * Serves the debugger on the control socket, with one connection at a time. If no debugger is connected, the relay
 * forwards calls in the same way but sends no questions and no reports.
 */
import type { Socket } from 'node:net';
import { encodeHead, FrameReader, protocolVersion, type RelayMessage } from '@podscope/relay-protocol/wire';
import { BatchWriter } from '../batch-writer.ts';
import type { CallRegistry, Observer } from '../forward/observer.ts';
import { listExisting } from '../forward/own-calls.ts';
import { parseDebuggerMessage } from './debugger-message.ts';

const mebibyte = 1024 * 1024;
/**
 * Numbers of unread bytes above which the relay drops messages to the debugger, which limit the relay's memory. First
 * it drops large responses and requests, then small ones, and last the messages without a body, which end calls.
 */
const maxBehind = { large: 4 * mebibyte, small: 16 * mebibyte, empty: 64 * mebibyte } as const;
/** Length above which a body is large, in bytes. */
const largeAbove = mebibyte;
/** Number of unread bytes below which the debugger has caught up, and gets the number of lost messages. */
const caughtUp = mebibyte;

/** Returns the number of unread bytes above which a message is dropped. */
function limitOf(length: number): number {
  if (length === 0) return maxBehind.empty;
  return length > largeAbove ? maxBehind.large : maxBehind.small;
}

/** Facts that the relay reports about itself. */
export interface RelayFacts {
  readonly version: string;
  readonly listen: string;
  readonly runtime: string;
  readonly imageRuntime?: string | undefined;
  /** How long a call waits for the debugger's answer, in milliseconds. */
  readonly answerWithin?: number | undefined;
}

const defaultAnswerWithin = 250;

export class ControlServer implements Observer {
  readonly #facts: RelayFacts;
  readonly #calls: CallRegistry;
  readonly #startedAt = Date.now();
  #socket: Socket | undefined;
  #writer: BatchWriter | undefined;
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
    if (this.#writer && this.#isReady) this.#send(this.#writer, message, bytes, release);
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
    const writer = new BatchWriter(socket);
    this.#socket = socket;
    this.#writer = writer;
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
    this.#send(writer, {
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

  #send(writer: BatchWriter, message: RelayMessage, bytes?: Buffer, release?: () => void): void {
    const { waiting } = writer;
    if (waiting > limitOf(bytes?.length ?? 0)) {
      this.#lost += 1;
      release?.();
      return;
    }
    if (this.#lost > 0 && waiting < caughtUp) {
      const lost = encodeHead({ type: 'lost', messages: this.#lost, time: Date.now() });
      this.#lost = 0;
      writer.write(lost);
    }
    writer.write(encodeHead(message, bytes?.length));
    if (bytes && bytes.length > 0) writer.write(bytes, release);
    else release?.();
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
    this.#writer = undefined;
    this.#isReady = false;
    this.#asks = new Set();
    this.#asksAfter = new Set();
    this.#lost = 0;
    for (const call of this.#calls.all) call.debuggerGone();
  }
}
