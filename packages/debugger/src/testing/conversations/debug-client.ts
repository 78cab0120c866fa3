/** Implements a client of the debugger over any connection. */
import { type Command, protocolVersion, type ServerMessage } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';

/** A command that the node rejected. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface DebugClient {
  /** Sends a command. @throws RefusedError */
  request(command: Command): Promise<unknown>;
  /** Resolves once the event with number `seq` has arrived. Returns all events so far. */
  eventsUpTo(seq: number): Promise<readonly TraceEvent[]>;
  close(): Promise<void>;
}

/** Implements the client side of the protocol over any channel of texts. */
export class ProtocolClient {
  readonly #send: (text: string) => void;
  readonly #pending = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  readonly #events: TraceEvent[] = [];
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];
  #lastID = 0;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  hello(): void {
    this.#send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
  }

  receive(text: string): void {
    // Don't validate messages of the node here: the protocol's own tests do that.
    const message = JSON.parse(text) as ServerMessage;
    if (message.type === 'events') {
      this.#events.push(...message.events);
      const last = this.#events.at(-1)?.seq ?? 0;
      for (const { seq, resolve } of this.#waiting) if (last >= seq) resolve();
      this.#waiting = this.#waiting.filter(({ seq }) => last < seq);
    } else if (message.type === 'response') this.#pending.get(message.id)?.resolve(message.result);
    else if (message.type === 'failure')
      this.#pending.get(message.id)?.reject(new RefusedError(message.reason, message.message));
    else if (message.type === 'bye')
      for (const { reject } of this.#pending.values()) reject(new RefusedError('bye', message.reason));
  }

  request(command: Command): Promise<unknown> {
    const id = ++this.#lastID;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#send(JSON.stringify({ type: 'command', id, body: command }));
    return answer;
  }

  async eventsUpTo(seq: number): Promise<readonly TraceEvent[]> {
    if ((this.#events.at(-1)?.seq ?? 0) < seq)
      await new Promise<void>((resolve) => this.#waiting.push({ seq, resolve }));
    return this.#events;
  }
}
