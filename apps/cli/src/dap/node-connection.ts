/** The adapter's side of the protocol of docs/protocol.md: commands with their answers, and the run's events. */
import { type Command, type DebugCommand, type DebugCommandName, type DebugResult, protocolVersion, type ServerMessage } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { WebSocket } from 'ws';

/** The node refused a command. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

type Welcome = Extract<ServerMessage, { type: 'welcome' }>;

/** A channel of texts to a node. */
export interface NodeChannel {
  send(text: string): void;
  close(): Promise<void> | void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class NodeConnection {
  /** What the node said first. */
  readonly welcome: Promise<Welcome>;
  readonly #channel: NodeChannel;
  readonly #pending = new Map<number, Pending>();
  #welcomed: Pending | undefined;
  #lastID = 0;
  #gone: NodeRefusal | undefined;
  /** What came before anyone listened. */
  #early: TraceEvent[] = [];
  #onEvents: (events: readonly TraceEvent[]) => void = (events) => void this.#early.push(...events);
  #onEnd: (reason: string) => void = () => undefined;

  /** @param open makes the channel; what arrives is handed to {@link receive} */
  constructor(open: (connection: NodeConnection) => NodeChannel) {
    this.welcome = new Promise((resolve, reject) => {
      this.#welcomed = { resolve: resolve as (value: unknown) => void, reject };
    });
    // Told to whoever waits for it.
    this.welcome.catch(() => undefined);
    this.#channel = open(this);
  }

  hello(): void {
    this.#channel.send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
  }

  onEvents(listener: (events: readonly TraceEvent[]) => void): void {
    this.#onEvents = listener;
    listener(this.#early.splice(0));
  }

  /** Called once, when the node or the connection to it is gone. */
  onEnd(listener: (reason: string) => void): void {
    this.#onEnd = listener;
  }

  /** Takes a message of the node, which is trusted to keep to its protocol. */
  receive(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    switch (message.type) {
      case 'welcome':
        this.#welcomed?.resolve(message);
        break;
      case 'events':
        this.#onEvents(message.events);
        break;
      case 'response':
        this.#take(message.id)?.resolve(message.result);
        break;
      case 'failure':
        this.#take(message.id)?.reject(new NodeRefusal(message.reason, message.message));
        break;
      case 'bye':
        this.ended(message.reason);
        break;
      default:
    }
  }

  /** The channel is gone. */
  ended(reason: string): void {
    const gone = new NodeRefusal('Disconnected', reason);
    this.#gone ??= gone;
    this.#welcomed?.reject(gone);
    for (const { reject } of this.#pending.values()) reject(gone);
    this.#pending.clear();
    this.#onEnd(reason);
    this.#onEnd = () => undefined;
  }

  /** @throws NodeRefusal */
  request(command: Command | Readonly<Record<string, unknown>>): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone);
    const id = ++this.#lastID;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#channel.send(JSON.stringify({ type: 'command', id, body: command }));
    return answer;
  }

  /** A command of the debugger. @throws NodeRefusal */
  async debug<Name extends DebugCommandName>(command: Extract<DebugCommand, { command: Name }>): Promise<DebugResult<Name>> {
    // The protocol ties each command to its answer.
    return (await this.request(command)) as DebugResult<Name>;
  }

  async close(): Promise<void> {
    this.#onEnd = () => undefined;
    await this.#channel.close();
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

/** Connects to a running server. @throws NodeRefusal when it does not answer or refuses the token */
export async function connectToServer(url: string, token: string): Promise<NodeConnection> {
  const address = new URL('/stream', url);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', (error) => reject(new NodeRefusal('Unavailable', `${url} cannot be attached to: ${error.message}`)));
  });
  const connection = new NodeConnection(() => ({ send: (text) => socket.send(text), close: () => socket.close() }));
  socket.on('message', (data) => connection.receive((data as Buffer).toString('utf8')));
  socket.on('error', () => undefined);
  socket.once('close', () => connection.ended('the connection to the server is closed'));
  connection.hello();
  return connection;
}

interface Connectable {
  connect(transport: { readonly send: (text: string) => void; readonly bufferedAmount: number; readonly close: () => void }): {
    receive(text: string): void;
    closed(): void;
  };
}

/** Connects to a node in this process. */
export function connectInProcess(node: Connectable): NodeConnection {
  const connection = new NodeConnection((own) => {
    const session = node.connect({ send: (text) => queueMicrotask(() => own.receive(text)), bufferedAmount: 0, close: () => undefined });
    return { send: (text) => session.receive(text), close: () => session.closed() };
  });
  connection.hello();
  return connection;
}
