/**
 * Keeps a page connected to its node: opens the channel, says hello with the last event it has, hands events on in order and without a
 * gap, and opens it again, with growing delays, whenever it breaks.
 */
import { type ClientMessage, type Command, type NodeInfo, protocolVersion, type RunTime, type ServerMessage, serverMessageSchema } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { exactCheck } from '@podscope/trace/exact-check';
import { translate } from '../i18n/i18n.ts';
import type { Channel, ChannelClosed, OpenChannel } from './channel.ts';
import { type CommandName, type CommandOf, type CommandResult, Commands, type LogListener } from './commands.ts';
import { type ConnectionState, isConnected } from './connection-state.ts';
import { DisconnectedError } from './errors.ts';
import { connectionMessages } from './messages.en.ts';
import { retryDelay } from './retry.ts';

export type Welcome = Extract<ServerMessage, { type: 'welcome' }>;

/** Where the events go. */
export interface EventReader {
  /** What came before does not continue: a new run, or events are missing. `restarted` when it is another run than the one known. */
  begin(welcome: Welcome, restarted: boolean): void;
  /** The same run goes on. */
  resume(welcome: Welcome): void;
  /** Virtual time passes differently from now on. */
  time(time: RunTime): void;
  /** In order, each number once. */
  events(events: readonly TraceEvent[]): void;
}

export interface ConnectionOptions {
  readonly open: OpenChannel;
  readonly reader: EventReader;
  readonly now?: () => number;
  /** Runs `task` after `delay` ms; the returned function prevents it. */
  readonly schedule?: (delay: number, task: () => void) => () => void;
  readonly random?: () => number;
}

/** An attempt to connect that takes longer is given up. */
const openTimeout = 10_000;

const setTimer = (delay: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, delay);
  return () => clearTimeout(timer);
};

export class Connection {
  readonly #options: Required<ConnectionOptions>;
  readonly #listeners = new Set<() => void>();
  #state: ConnectionState = { phase: 'connecting' };
  #channel: Channel | undefined;
  #commands = new Commands();
  #cancelTimer: (() => void) | undefined;
  #attempt = 0;
  #awaySince: number | undefined;
  #run: string | undefined;
  #lastSeq = 0;
  #farewell: string | undefined;
  /** The run that the node said it serves from now on. */
  #next: string | undefined;
  #node: NodeInfo | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = { now: () => Date.now(), schedule: setTimer, random: () => Math.random(), ...options };
  }

  /** The node as it last introduced itself, also while away from it. */
  get node(): NodeInfo | undefined {
    return this.#node;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Number of the last event handed on. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Opens the channel now; also while it waits for the next attempt. */
  connect(): void {
    if (this.#channel) return;
    this.#cancelTimer?.();
    this.#attempt++;
    this.#farewell = undefined;
    if (this.#state.phase === 'away') this.#become({ ...this.#state, attempt: this.#attempt, retryAt: undefined });
    this.#channel = this.#options.open({
      opened: () => this.#send({ type: 'hello', protocol: protocolVersion, ...(this.#run === undefined ? {} : { run: this.#run, after: this.#lastSeq }) }),
      message: (message) => this.#receive(message),
      closed: (closed) => this.#lost(closed),
    });
    this.#cancelTimer = this.#options.schedule(openTimeout, () => this.#drop(translate(connectionMessages.noAnswer)));
  }

  /** Ends the connection for good. */
  close(): void {
    this.#cancelTimer?.();
    this.#channel?.close();
    this.#channel = undefined;
    this.#commands.abandon();
  }

  /**
   * Sends a command; resolves with its answer.
   * @throws CommandFailedError when the node refuses it; DisconnectedError when there is no connection or it breaks before the answer.
   */
  command<Name extends CommandName>(body: CommandOf<Name>, signal?: AbortSignal): Promise<CommandResult<Name>> {
    if (!isConnected(this.#state)) return Promise.reject(new DisconnectedError(translate(connectionMessages.notConnected)));
    const { id, result } = this.#commands.begin<Name>(body.command);
    this.#send({ type: 'command', id, body: body as Command });
    signal?.addEventListener('abort', () => this.#cancel(id), { once: true });
    return result;
  }

  /** Follows a container's log until the returned function is called or the log ends. Failures to open it come through `onError`. */
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

  /** Live, or still on the way there. */
  #settle(node: NodeInfo, from: number, target: number): void {
    if (this.#lastSeq >= target) this.#become({ phase: 'live', node });
    else this.#become({ phase: 'catchingUp', node, from, target });
  }

  #events(events: readonly TraceEvent[]): void {
    // Numbers already seen are dropped: handing one on twice would count it twice.
    const fresh = events.filter(({ seq }) => seq > this.#lastSeq);
    const gap = fresh.findIndex(({ seq }, index) => seq !== this.#lastSeq + 1 + index);
    const usable = gap === -1 ? fresh : fresh.slice(0, gap);
    this.#lastSeq += usable.length;
    if (usable.length > 0) this.#options.reader.events(usable);
    if (gap !== -1) {
      this.#drop(translate(connectionMessages.missingEvent, { seq: this.#lastSeq + 1 }));
      return;
    }
    if (this.#state.phase === 'catchingUp' && this.#lastSeq >= this.#state.target) this.#become({ phase: 'live', node: this.#state.node });
  }

  /** Ends a channel that is of no use any more. */
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
    // Who is sent on need not wait; who then finds the door closed waits as ever.
    const delay = isMoving && this.#attempt === 0 ? 0 : retryDelay(this.#attempt + 1, this.#options.random());
    this.#become({
      phase: 'away',
      attempt: this.#attempt,
      retryAt: this.#options.now() + delay,
      since: this.#awaySince,
      reason: this.#farewell || reason,
      refused,
      isMoving,
    });
    this.#cancelTimer = this.#options.schedule(delay, () => this.connect());
    commands.abandon();
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const isExact = exactCheck(serverMessageSchema);

/** Most messages are exactly what the protocol says, which is seen many times faster than by copying them member for member. */
const isMessage = (value: unknown): value is ServerMessage => isExact(value);

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
