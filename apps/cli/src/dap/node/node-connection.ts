/**
 * Implements the client side of docs/reference/protocol.md: sends commands, matches responses to them, and receives the
 * events of the run.
 */
import { errorMessage } from '@podscope/base';
import {
  type Command,
  type DebugCommand,
  type DebugCommandName,
  type DebugResult,
  protocolMismatch,
  protocolVersion,
  type ServerMessage,
} from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { WebSocket } from 'ws';

/** Thrown when the node refuses a command, or when the node can't be reached. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type Welcome = Extract<ServerMessage, { type: 'welcome' }>;

/** Sends messages to a node. */
export interface NodeChannel {
  send(text: string): void;
  close(): Promise<void> | void;
}

/** Receives the messages and the end of a channel. */
interface ChannelListener {
  receive(text: string): void;
  /** Called when the channel is closed. */
  ended(reason: string): void;
}

/**
 * Opens a channel when the node accepts clients.
 * @throws NodeRefusal if that isn't possible
 */
export type OpenNodeChannel = (listener: ChannelListener) => Promise<NodeChannel>;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class NodeConnection {
  readonly #open: OpenNodeChannel;
  readonly #pending = new Map<number, Pending>();
  /** The channel to the current run. During a rerun, the promise resolves with the channel to the next run. */
  #channel: Promise<NodeChannel>;
  #welcomed: { readonly resolve: (welcome: Welcome) => void; readonly reject: (error: Error) => void } | undefined;
  #lastID = 0;
  #gone: NodeRefusal | undefined;
  /** Events that arrived before a listener for them was set. */
  #early: TraceEvent[] = [];
  #onEvents: (events: readonly TraceEvent[]) => void = (events) => void this.#early.push(...events);
  #onMove: (welcome: Welcome) => void = () => undefined;
  #onEnd: (reason: string) => void = () => undefined;
  /** The node's first message. */
  readonly welcome: Promise<Welcome>;

  private constructor(open: OpenNodeChannel) {
    this.#open = open;
    const { promise, resolve, reject } = Promise.withResolvers<Welcome>();
    this.welcome = promise;
    this.#welcomed = { resolve, reject };
    // Callers that await `welcome` handle its rejection. Without this handler, an earlier rejection would count as
    // unhandled.
    promise.catch(() => undefined);
    this.#channel = this.#enter();
  }

  /** Connects to a node. @throws NodeRefusal if the node is unavailable */
  static async connect(open: OpenNodeChannel): Promise<NodeConnection> {
    const connection = new NodeConnection(open);
    await connection.#channel;
    return connection;
  }

  async #enter(): Promise<NodeChannel> {
    // True after the channel was abandoned. Its further messages are then ignored.
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

  /** Connects again, because the node now serves another run. */
  #move(reason: string): void {
    this.#abandon(new NodeRefusal('Disconnected', reason));
    const before = this.#channel;
    const goOn = async (): Promise<NodeChannel> => {
      await (await before).close();
      return this.#enter();
    };
    this.#channel = goOn();
    this.#channel.catch((error: unknown) => this.#ended(errorMessage(error)));
  }

  onEvents(listener: (events: readonly TraceEvent[]) => void): void {
    this.#onEvents = listener;
    listener(this.#early.splice(0));
  }

  /** Sets the listener that receives the welcome of a rerun. The events after it belong to the rerun. */
  onMove(listener: (welcome: Welcome) => void): void {
    this.#onMove = listener;
  }

  /** Sets the listener for the end of the node or of the connection. The listener is called once. */
  onEnd(listener: (reason: string) => void): void {
    this.#onEnd = listener;
  }

  /** Handles a message without validating it, because the node is trusted to follow its protocol. */
  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        if (message.protocol !== protocolVersion) {
          this.#ended(protocolMismatch({ client: protocolVersion, node: message.protocol }));
          break;
        }
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

  /** Sends a command, after waiting for a rerun in progress. @throws NodeRefusal */
  async request(command: Command | Readonly<Record<string, unknown>>): Promise<unknown> {
    const channel = await this.#channel;
    if (this.#gone) throw this.#gone;
    const id = ++this.#lastID;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    channel.send(JSON.stringify({ type: 'command', id, body: command }));
    return answer;
  }

  /** Sends a debugger command. @throws NodeRefusal */
  async debug<Name extends DebugCommandName>(
    command: Extract<DebugCommand, { command: Name }>,
  ): Promise<DebugResult<Name>> {
    // The cast is safe, because the protocol defines the result type of each command.
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

/**
 * Connects to a running server.
 * @throws NodeRefusal if the server doesn't respond or rejects the token
 */
export function connectToServer(url: string, token: string): Promise<NodeConnection> {
  const address = new URL('/stream', url);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return NodeConnection.connect(async (listener) => {
    const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });
    socket.on('message', (data) => listener.receive((data as Buffer).toString('utf8')));
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', (error) =>
        reject(new NodeRefusal('Unavailable', `${url} cannot be attached to: ${error.message}`)),
      );
    });
    socket.on('error', () => undefined);
    socket.once('close', () => listener.ended('the connection to the server is closed'));
    return { send: (text) => socket.send(text), close: () => socket.close() };
  });
}

/** A node in this process, or a host that replaces its node at a rerun. */
interface Connectable {
  /** Resolves when the node accepts clients. If absent, it always accepts clients. */
  readonly ready?: Promise<void>;
  connect(transport: {
    readonly send: (text: string) => void;
    readonly bufferedAmount: number;
    readonly close: () => void;
  }): {
    receive(text: string): void;
    closed(): void;
  };
}

/** Connects to a node in this process. */
export const connectInProcess = (node: Connectable): Promise<NodeConnection> =>
  NodeConnection.connect(async (listener) => {
    await node.ready;
    const session = node.connect({
      send: (text) => queueMicrotask(() => listener.receive(text)),
      bufferedAmount: 0,
      close: () => undefined,
    });
    return { send: (text) => session.receive(text), close: () => session.closed() };
  });
