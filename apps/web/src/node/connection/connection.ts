/**
 * Keeps the page connected to its node. Opens the channel, continues after the last event that the page has, forwards
 * events in order and without a gap, and reconnects with growing delays.
 */
import {
  type ClientMessage,
  type Command,
  EventUnpacker,
  type NodeInfo,
  protocolVersion,
  type RunTime,
  type ServerMessage,
  serverMessageSchema,
} from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { exactCheck } from '@podscope/trace/exact-check';
import { z } from 'zod';
import { translate } from '../../base/i18n/i18n.ts';
import type { Channel, ChannelClosed, OpenChannel } from './channel.ts';
import { type CommandName, type CommandOf, type CommandResult, Commands, type LogListener } from './commands.ts';
import { type ConnectionState, isConnected } from './connection-state.ts';
import { DisconnectedError } from './errors.ts';
import { connectionMessages } from './messages.en.ts';
import { retryDelay } from './retry.ts';

export type Welcome = Extract<ServerMessage, { type: 'welcome' }>;

/** Receives the events that the connection forwards. */
export interface EventReader {
  /** The events start again from the first one: another run began (`restarted`), or events are missing. */
  begin(welcome: Welcome, restarted: boolean): void;
  /** The events of the same run continue. */
  resume(welcome: Welcome): void;
  /** The speed of virtual time changed. */
  time(time: RunTime): void;
  /** Events in order, each sequence number once. */
  events(events: readonly TraceEvent[]): void;
}

export interface ConnectionOptions {
  readonly open: OpenChannel;
  readonly reader: EventReader;
  readonly now?: () => number;
  /** Runs `task` after `delay` milliseconds. Returns a function that cancels it. */
  readonly schedule?: (delay: number, task: () => void) => () => void;
  readonly random?: () => number;
}

/** Maximum duration of an attempt to connect to a node outside the page, in milliseconds. */
const openTimeout = 10_000;

const setTimer = (delay: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, delay);
  return () => clearTimeout(timer);
};

export class Connection {
  readonly #options: Required<ConnectionOptions>;
  readonly #listeners = new Set<() => void>();
  readonly #commandListeners = new Set<(body: Command) => void>();
  #state: ConnectionState = { phase: 'connecting' };
  #channel: Channel | undefined;
  #commands = new Commands();
  #cancelTimer: (() => void) | undefined;
  #attempt = 0;
  #awaySince: number | undefined;
  #run: string | undefined;
  #lastSeq = 0;
  #farewell: string | undefined;
  /** Unpacks the events of the current channel. */
  #unpacker = new EventUnpacker();
  /** Id of the run that the node announced as the next one. */
  #next: string | undefined;
  #node: NodeInfo | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = { now: () => Date.now(), schedule: setTimer, random: () => Math.random(), ...options };
  }

  /** The node's information from its last welcome. It is kept while the page is disconnected. */
  get node(): NodeInfo | undefined {
    return this.#node;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Sequence number of the last forwarded event. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls the listener with each command that is sent. Returns a function that removes the listener. */
  watchCommands(listener: (body: Command) => void): () => void {
    this.#commandListeners.add(listener);
    return () => void this.#commandListeners.delete(listener);
  }

  /** Opens the channel now, even if the next attempt is scheduled for later. */
  connect(): void {
    if (this.#channel) return;
    this.#cancelTimer?.();
    this.#attempt++;
    this.#farewell = undefined;
    this.#unpacker = new EventUnpacker();
    if (this.#state.phase === 'away') this.#become({ ...this.#state, attempt: this.#attempt, retryAt: undefined });
    this.#channel = this.#options.open({
      opened: () =>
        this.#send({
          type: 'hello',
          protocol: protocolVersion,
          packed: true,
          ...(this.#run === undefined ? {} : { run: this.#run, after: this.#lastSeq }),
        }),
      message: (message) => this.#receive(message),
      closed: (closed) => this.#lost(closed),
    });
    if (this.#channel.reportsFailures) return;
    this.#cancelTimer = this.#options.schedule(openTimeout, () => this.#drop(translate(connectionMessages.noAnswer)));
  }

  /** Closes the connection permanently. */
  close(): void {
    this.#cancelTimer?.();
    this.#channel?.close();
    this.#channel = undefined;
    this.#commands.abandon();
  }

  /**
   * Sends a command and resolves with its response.
   * @throws CommandFailedError when the node refuses it
   * @throws DisconnectedError without a connection, or if it breaks before the response
   */
  command<Name extends CommandName>(body: CommandOf<Name>, signal?: AbortSignal): Promise<CommandResult<Name>> {
    if (!isConnected(this.#state))
      return Promise.reject(new DisconnectedError(translate(connectionMessages.notConnected)));
    const { id, result } = this.#commands.begin<Name>(body.command);
    this.#send({ type: 'command', id, body: body as Command });
    for (const listener of this.#commandListeners) listener(body);
    signal?.addEventListener('abort', () => this.#cancel(id), { once: true });
    return result;
  }

  /**
   * Follows a container's log until the returned function is called or the log ends. `onError` receives failures to
   * open it.
   */
  followLogs(body: CommandOf<'followLogs'>, onLines: LogListener, onError: (error: Error) => void): () => void {
    if (!isConnected(this.#state)) {
      onError(new DisconnectedError(translate(connectionMessages.notConnected)));
      return () => {};
    }
    const commands = this.#commands;
    const { id, result } = commands.begin('followLogs', onLines);
    let stopped = false;
    this.#send({ type: 'command', id, body });
    const begin = async (): Promise<void> => {
      try {
        const { lines } = await result;
        if (!stopped && lines.length > 0) onLines(lines, false);
      } catch (error) {
        if (!stopped) onError(error as Error);
      }
    };
    void begin();
    return () => {
      stopped = true;
      commands.forget(id);
      if (commands === this.#commands) this.#cancel(id);
    };
  }

  #cancel(target: number): void {
    if (!isConnected(this.#state)) return;
    const { id, result } = this.#commands.begin('cancel');
    result.catch(() => undefined);
    this.#send({ type: 'command', id, body: { command: 'cancel', target } });
  }

  #send(message: ClientMessage): void {
    this.#channel?.send(JSON.stringify(message));
  }

  #receive(received: string | ServerMessage): void {
    const message = typeof received === 'string' ? parse(received) : received;
    const node = message?.type === 'welcome' ? message.protocol : message ? undefined : protocolOf(received);
    if (node !== undefined && node !== protocolVersion) {
      const key = node > protocolVersion ? 'newerNode' : 'olderNode';
      this.#drop(translate(connectionMessages[key], { node, page: protocolVersion }));
      return;
    }
    if (!message) {
      this.#drop(translate(connectionMessages.notUnderstood));
      return;
    }
    switch (message.type) {
      case 'welcome':
        this.#welcome(message);
        break;
      case 'events':
        this.#events(message.events);
        break;
      case 'node':
        this.#nodeChanged(message.node);
        break;
      case 'packedEvents': {
        const events = this.#unpacker.unpack(message);
        if (events) this.#events(events);
        else this.#drop(translate(connectionMessages.notUnderstood));
        break;
      }
      case 'time':
        this.#options.reader.time(message.time);
        break;
      case 'bye':
        this.#farewell = message.reason;
        this.#next = message.next;
        break;
      case 'response':
      case 'failure':
      case 'logLines':
        this.#commands.answer(message);
        break;
    }
  }

  #welcome(message: Welcome): void {
    this.#cancelTimer?.();
    this.#attempt = 0;
    this.#awaySince = undefined;
    this.#next = undefined;
    const continues = this.#run === message.node.run && message.after === this.#lastSeq;
    const restarted = this.#run !== undefined && this.#run !== message.node.run;
    this.#run = message.node.run;
    this.#node = message.node;
    this.#lastSeq = message.after;
    if (continues) this.#options.reader.resume(message);
    else this.#options.reader.begin(message, restarted);
    this.#settle(message.node, message.after, message.lastSeq);
  }

  #nodeChanged(node: NodeInfo): void {
    this.#node = node;
    if (this.#state.phase === 'live' || this.#state.phase === 'catchingUp') this.#become({ ...this.#state, node });
  }

  /** Sets the state `live` if all events have arrived, or else `catchingUp`. */
  #settle(node: NodeInfo, from: number, target: number): void {
    if (this.#lastSeq >= target) this.#become({ phase: 'live', node });
    else this.#become({ phase: 'catchingUp', node, from, target });
  }

  #events(events: readonly TraceEvent[]): void {
    // Drop events that were already forwarded, so that no event is counted twice.
    const fresh = events.filter(({ seq }) => seq > this.#lastSeq);
    const gap = fresh.findIndex(({ seq }, index) => seq !== this.#lastSeq + 1 + index);
    const usable = gap === -1 ? fresh : fresh.slice(0, gap);
    this.#lastSeq += usable.length;
    if (usable.length > 0) this.#options.reader.events(usable);
    if (gap !== -1) {
      this.#drop(translate(connectionMessages.missingEvent, { seq: this.#lastSeq + 1 }));
      return;
    }
    if (this.#state.phase === 'catchingUp' && this.#lastSeq >= this.#state.target)
      this.#become({ phase: 'live', node: this.#state.node });
  }

  /** Closes a channel that is no longer used. */
  #drop(reason: string): void {
    this.#channel?.close();
    this.#lost({ reason, refused: false });
  }

  #lost({ reason, refused }: ChannelClosed): void {
    this.#cancelTimer?.();
    this.#channel = undefined;
    const commands = this.#commands;
    this.#commands = new Commands();
    this.#awaySince ??= this.#options.now();
    const isMoving = this.#next !== undefined;
    // If the node announced another run, the first attempt is immediate. If that attempt fails, the usual delays apply.
    const delay = isMoving && this.#attempt === 0 ? 0 : retryDelay(this.#attempt + 1, this.#options.random());
    this.#become({
      phase: 'away',
      attempt: this.#attempt,
      retryAt: refused ? undefined : this.#options.now() + delay,
      since: this.#awaySince,
      reason: this.#farewell || reason,
      refused,
      isMoving,
    });
    if (!refused) this.#cancelTimer = this.#options.schedule(delay, () => this.connect());
    commands.abandon();
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const isExact = exactCheck(serverMessageSchema);

/**
 * Fast path for messages that match the protocol exactly. Checking them is many times faster than copying every member.
 */
const isMessage = (value: unknown): value is ServerMessage => isExact(value);

const versionedSchema = z.object({ type: z.literal('welcome'), protocol: z.number() });

/** Returns the protocol number of a `welcome` that this page can't read; undefined for any other message. */
function protocolOf(received: string | ServerMessage): number | undefined {
  if (typeof received !== 'string') return undefined;
  try {
    return versionedSchema.safeParse(JSON.parse(received)).data?.protocol;
  } catch {
    return undefined;
  }
}

function parse(text: string): ServerMessage | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isMessage(json)) return json;
  const parsed = serverMessageSchema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}
