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

export type Welcome = Extract<ServerMessage, { type: 'welcome' }>;

/** A channel of texts to a node. */
export interface NodeChannel {
  send(text: string): void;
  close(): Promise<void> | void;
}

/** Told by a channel. */
interface ChannelListener {
  receive(text: string): void;
  /** The channel is gone. */
  ended(reason: string): void;
}

/** Opens a channel once the node lets clients in. @throws NodeRefusal */
export type OpenNodeChannel = (listener: ChannelListener) => Promise<NodeChannel>;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class NodeConnection {
  readonly #open: OpenNodeChannel;
  readonly #pending = new Map<number, Pending>();
  /** The channel to the run that is served now; the next one, while the node runs its run again. */
  #channel: Promise<NodeChannel>;
  #welcomed: { readonly resolve: (welcome: Welcome) => void; readonly reject: (error: Error) => void } | undefined;
  #lastID = 0;
  #gone: NodeRefusal | undefined;
  /** What came before anyone listened. */
  #early: TraceEvent[] = [];
  #onEvents: (events: readonly TraceEvent[]) => void = (events) => void this.#early.push(...events);
  #onMove: (welcome: Welcome) => void = () => undefined;
  #onEnd: (reason: string) => void = () => undefined;
  /** What the node said first. */
  readonly welcome: Promise<Welcome>;

  private constructor(open: OpenNodeChannel) {
    this.#open = open;
    const { promise, resolve, reject } = Promise.withResolvers<Welcome>();
    this.welcome = promise;
    this.#welcomed = { resolve, reject };
    // Told to whoever waits for it.
    promise.catch(() => undefined);
    this.#channel = this.#enter();
  }

  /** @throws NodeRefusal when the node cannot be had */
  static async connect(open: OpenNodeChannel): Promise<NodeConnection> {
    const connection = new NodeConnection(open);
    await connection.#channel;
    return connection;
  }

  async #enter(): Promise<NodeChannel> {
    // A channel that was left has nothing to say any more.
    const state: { left: boolean } = { left: false };
    const channel = await this.#open({
      receive: (text) => {
        if (state.left) return;
        const message = JSON.parse(text) as ServerMessage;
        if (message.type === 'bye' && message.next !== undefined) {
          state.left = true;
          this.#move(message.reason);
        } else this.#receive(message);
      },
      ended: (reason) => {
        if (!state.left) this.#ended(reason);
      },
    });
    channel.send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
    return channel;
  }

  /** The node serves another run from now on: the connection goes on there. */
  #move(reason: string): void {
    this.#abandon(new NodeRefusal('Disconnected', reason));
    const before = this.#channel;
    const goOn = async (): Promise<NodeChannel> => {
      await (await before).close();
      return this.#enter();
    };
    this.#channel = goOn();
    this.#channel.catch((error: unknown) => this.#ended(error instanceof Error ? error.message : String(error)));
  }

  onEvents(listener: (events: readonly TraceEvent[]) => void): void {
    this.#onEvents = listener;
    listener(this.#early.splice(0));
  }

  /** Called with the welcome of another run that the node serves now; what comes next is about that one. */
  onMove(listener: (welcome: Welcome) => void): void {
    this.#onMove = listener;
  }

  /** Called once, when the node or the connection to it is gone. */
  onEnd(listener: (reason: string) => void): void {
    this.#onEnd = listener;
  }

  /** The node is trusted to keep to its protocol. */
  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        if (this.#welcomed) this.#welcomed.resolve(message);
        else this.#onMove(message);
        this.#welcomed = undefined;
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
        this.#ended(message.reason);
        break;
      default:
    }
  }

  #ended(reason: string): void {
    this.#gone ??= new NodeRefusal('Disconnected', reason);
    this.#welcomed?.reject(this.#gone);
    this.#abandon(this.#gone);
    this.#onEnd(reason);
    this.#onEnd = () => undefined;
  }

  #abandon(why: NodeRefusal): void {
    for (const { reject } of this.#pending.values()) reject(why);
    this.#pending.clear();
  }

  /** Waits for the run that is run again, if one is. @throws NodeRefusal */
  async request(command: Command | Readonly<Record<string, unknown>>): Promise<unknown> {
    const channel = await this.#channel;
    if (this.#gone) throw this.#gone;
    const id = ++this.#lastID;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    channel.send(JSON.stringify({ type: 'command', id, body: command }));
    return answer;
  }

  /** A command of the debugger. @throws NodeRefusal */
  async debug<Name extends DebugCommandName>(command: Extract<DebugCommand, { command: Name }>): Promise<DebugResult<Name>> {
    // The protocol ties each command to its answer.
    return (await this.request(command)) as DebugResult<Name>;
  }

  async close(): Promise<void> {
    this.#onEnd = () => undefined;
    this.#gone ??= new NodeRefusal('Disconnected', 'the session is over');
    const channel = await this.#channel.catch(() => undefined);
    await channel?.close();
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

/** Connects to a running server. @throws NodeRefusal when it does not answer or refuses the token */
export function connectToServer(url: string, token: string): Promise<NodeConnection> {
  const address = new URL('/stream', url);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return NodeConnection.connect(async (listener) => {
    const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });
    socket.on('message', (data) => listener.receive((data as Buffer).toString('utf8')));
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', (error) => reject(new NodeRefusal('Unavailable', `${url} cannot be attached to: ${error.message}`)));
    });
    socket.on('error', () => undefined);
    socket.once('close', () => listener.ended('the connection to the server is closed'));
    return { send: (text) => socket.send(text), close: () => socket.close() };
  });
}

/** A node in this process, or what serves one run of it after the other. */
interface Connectable {
  /** Resolves when clients are let in. Default: they always are. */
  readonly ready?: Promise<void>;
  connect(transport: { readonly send: (text: string) => void; readonly bufferedAmount: number; readonly close: () => void }): {
    receive(text: string): void;
    closed(): void;
  };
}

/** Connects to a node in this process. */
export const connectInProcess = (node: Connectable): Promise<NodeConnection> =>
  NodeConnection.connect(async (listener) => {
    await node.ready;
    const session = node.connect({ send: (text) => queueMicrotask(() => listener.receive(text)), bufferedAmount: 0, close: () => undefined });
    return { send: (text) => session.receive(text), close: () => session.closed() };
  });
