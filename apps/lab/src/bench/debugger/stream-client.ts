/** Implements a minimal client of the server's WebSocket stream for the benchmarks. */
import { type Command, protocolVersion } from '@podscope/protocol';
import { WebSocket } from 'ws';

interface Event {
  readonly seq: number;
  readonly time: number;
  readonly type: string;
  readonly thread: string;
}

/** Called for each event when it arrives. */
export type OnEvent = (event: Event) => void;

export class StreamClient {
  readonly #socket: WebSocket;
  readonly #onEvent: OnEvent;
  readonly #pending = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  #lastID = 0;
  /** Run id and sequence number of the last event received. */
  run = '';
  lastSeq = 0;
  received = 0;

  private constructor(socket: WebSocket, onEvent: OnEvent) {
    this.#socket = socket;
    this.#onEvent = onEvent;
    socket.on('message', (data) => this.#receive((data as Buffer).toString('utf8')));
  }

  /** Connects to the stream. With `from`, the stream resumes after the event that `from` names. */
  static async connect(
    address: { readonly port: number; readonly token: string },
    onEvent: OnEvent,
    from?: { readonly run: string; readonly after: number },
  ): Promise<StreamClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${address.port}/stream`, {
      headers: { Authorization: `Bearer ${address.token}` },
    });
    const client = new StreamClient(socket, onEvent);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    client.lastSeq = from?.after ?? 0;
    socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion, ...from }));
    return client;
  }

  command(body: Command): Promise<unknown> {
    const id = ++this.#lastID;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ type: 'command', id, body }));
    return answer;
  }

  close(): void {
    this.#socket.terminate();
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as {
      type: string;
      id: number;
      result: unknown;
      message: string;
      events: readonly Event[];
      node: { run: string };
    };
    if (message.type === 'events') {
      for (const event of message.events) {
        if (event.seq !== this.lastSeq + 1) throw new Error(`event ${event.seq} came after ${this.lastSeq}`);
        this.lastSeq = event.seq;
        this.received += 1;
        this.#onEvent(event);
      }
    } else if (message.type === 'welcome') this.run = message.node.run;
    else if (message.type === 'response') this.#pending.get(message.id)?.resolve(message.result);
    else if (message.type === 'failure') this.#pending.get(message.id)?.reject(new Error(message.message));
  }
}
