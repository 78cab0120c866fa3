/**
 * Serves the control socket: one debugger, and any number of readers, which get the same reports but can't affect
 * calls. If neither is connected, the relay forwards calls in the same way but sends no questions and no reports.
 */
import type { Socket } from 'node:net';
import { type DebuggerMessage, encodeHead, protocolVersion, type RelayMessage } from '@podscope/relay-protocol/wire';
import type { CallRegistry, Observer, Report } from '../forward/observer.ts';
import { listExisting } from '../forward/own-calls.ts';
import { ControlClient } from './control-client.ts';

/** Facts that the relay reports about itself. */
export interface RelayFacts {
  readonly version: string;
  readonly listen: string;
  readonly runtime: string;
  readonly imageRuntime?: string | undefined;
  /** How long a call waits for the debugger's answer, in milliseconds. */
  readonly answerWithin?: number | undefined;
  /** The silence after which the connection of a debugger ends, in milliseconds. Tests wait less than the default. */
  readonly silentAfter?: number | undefined;
}

const defaultAnswerWithin = 250;
/**
 * The default of {@link RelayFacts.silentAfter}. A debugger that hangs mustn't hold calls that have no deadline: a held
 * pull stops every pull of the node.
 */
const defaultSilentAfter = 10_000;

export class ControlServer implements Observer {
  readonly #facts: RelayFacts;
  readonly #calls: CallRegistry;
  readonly #startedAt = Date.now();
  /** The clients that have sent their hello message. */
  readonly #clients = new Set<ControlClient>();
  #debugger: ControlClient | undefined;

  constructor(facts: RelayFacts, calls: CallRegistry) {
    this.#facts = facts;
    this.#calls = calls;
  }

  get answerWithin(): number {
    return this.#facts.answerWithin ?? defaultAnswerWithin;
  }

  get isConnected(): boolean {
    return this.#clients.size > 0;
  }

  asksAbout(method: string, phase: 'before' | 'after'): boolean {
    const asks = phase === 'before' ? this.#debugger?.asks : this.#debugger?.asksAfter;
    return asks?.has(method) ?? false;
  }

  report(message: RelayMessage, bytes?: Buffer, release?: () => void): void {
    const isForDebugger = message.type === 'question' || message.type === 'refused';
    const clients = isForDebugger ? (this.#debugger ? [this.#debugger] : []) : [...this.#clients];
    if (clients.length === 0) return release?.();
    const head = encodeHead(message, bytes?.length);
    let left = clients.length;
    const done =
      release &&
      ((): void => {
        left -= 1;
        if (left === 0) release();
      });
    for (const client of clients) client.send(head, bytes, done);
  }

  /** Handles a new connection. A second debugger receives the message `busy`, and its connection is closed. */
  accept(socket: Socket): void {
    const client: ControlClient = new ControlClient(socket, {
      received: (message) => this.#handle(client, message),
      gone: () => this.#gone(client),
    });
    const { version, listen, runtime, imageRuntime } = this.#facts;
    client.send(
      encodeHead({
        type: 'hello',
        protocol: protocolVersion,
        version,
        pid: process.pid,
        startedAt: this.#startedAt,
        now: Date.now(),
        listen,
        runtime,
        ...(imageRuntime === undefined ? {} : { imageRuntime }),
        ...(this.#debugger ? { hasDebugger: true } : {}),
      }),
    );
  }

  #handle(client: ControlClient, message: DebuggerMessage): void {
    if (!client.isReady) return this.#welcome(client, message);
    if (client !== this.#debugger) return;
    if (message.type === 'ask') {
      client.asks = new Set(message.methods);
      client.asksAfter = new Set(message.after);
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

  /** Handles the first message of a client, which must be a hello message with the same protocol version. */
  #welcome(client: ControlClient, message: DebuggerMessage): void {
    if (message.type !== 'hello' || message.protocol !== protocolVersion) return client.close();
    if (message.role !== 'reader') {
      if (this.#debugger) return client.reject({ type: 'busy', time: Date.now() });
      this.#debugger = client;
      if (message.repeats) client.endIfSilentFor(this.#facts.silentAfter ?? defaultSilentAfter);
    }
    client.isReady = true;
    this.#clients.add(client);
    const isConnected = (): boolean => this.#clients.has(client);
    const report: Report = (each, bytes) => {
      if (isConnected()) client.send(encodeHead(each, bytes?.length), bytes);
    };
    for (const call of this.#calls.all) call.introduce(report);
    void listExisting(this.#facts.runtime, { report, isConnected }, this.#calls);
  }

  #gone(client: ControlClient): void {
    this.#clients.delete(client);
    if (this.#debugger !== client) return;
    this.#debugger = undefined;
    for (const call of this.#calls.all) call.debuggerGone();
  }
}
