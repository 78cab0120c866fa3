/**
 * One client of the node: welcomes it, sends it every event in order and without a gap from the number it names, and answers its commands.
 * Knows nothing of sockets: a {@link Transport} carries its messages, so that a MessagePort serves as well as a WebSocket.
 */
import type { Pod } from '@podscope/k8s';
import {
  type ClientMessage,
  clientMessageSchema,
  commandEnvelopeSchema,
  type DebugState,
  maxEventsPerMessage,
  type NodeInfo,
  protocolVersion,
  type RunTime,
  type ServerMessage,
} from '@podscope/protocol';
import { type Clock, isDeeperThan, type Milliseconds, type Timer, toJson } from '@podscope/trace';
import type { CommandTable } from './command-table.ts';
import type { EventFeed } from './event-feed.ts';
import { CommandRunner } from './session-commands.ts';

/** Carries text messages to a client. */
export interface Transport {
  send(text: string): void;
  /** Bytes handed over and not yet on their way. */
  readonly bufferedAmount: number;
  /** Ends the connection. Codes are those of WebSocket. */
  close(code: number, reason: string): void;
}

/** Virtual time as clients are told of it. */
export interface RunTimeSource {
  readonly state: RunTime;
  /** Calls `listener` when time passes differently from now on; the returned function ends that. */
  subscribe(listener: (time: RunTime) => void): () => void;
}

export interface SessionDependencies {
  readonly events: EventFeed;
  readonly node: () => NodeInfo;
  readonly pods: () => readonly Pod[];
  /** The state of the debugger, when there is one. */
  readonly debug?: () => DebugState;
  readonly commands: CommandTable;
  /** Paces the stream: real time, also when the node runs on a virtual clock. */
  readonly pacing: Clock;
  /** How time passes, when it is virtual. */
  readonly time?: RunTimeSource;
  /** Told once when the session is over. */
  readonly onClosed?: () => void;
}

/** Largest message a client may send, in characters: a manifest of 1 MiB, escaped. */
export const maxClientMessage = 2 * 1024 * 1024;

/** How deep the values of a message may lie in each other. */
const maxMessageDepth = 100;

/** A client this many bytes behind gets no more until it has caught up. */
const highWater = 1024 * 1024;
/** Events share a message until they have so many characters: it is not to take a client far over that mark at once. */
const messageLength = 256 * 1024;
/** How long events may wait for others to share a message. */
const batchDelay: Milliseconds = 8;
/** How often a slow client is looked at again. */
const drainDelay: Milliseconds = 20;
/** Messages sent in one go before others get a turn. */
const messagesPerTurn = 16;

/** The server's side of one connection. */
export class Session {
  readonly #dependencies: SessionDependencies;
  readonly #transport: Transport;
  readonly #commands: CommandRunner;
  #unsubscribe: (() => void) | undefined;
  #unsubscribeTime: (() => void) | undefined;
  #timer: Timer | undefined;
  /** Number of the last event sent; undefined before the hello. */
  #position: number | undefined;
  #closed = false;

  constructor(dependencies: SessionDependencies, transport: Transport) {
    this.#dependencies = dependencies;
    this.#transport = transport;
    this.#commands = new CommandRunner({
      commands: dependencies.commands,
      pacing: dependencies.pacing,
      send: (message) => this.#send(message),
      congested: () => transport.bufferedAmount > highWater,
    });
  }

  /** Takes one message of the client. Whatever it holds, this does not throw. */
  receive(text: string): void {
    if (this.#closed) return;
    const message = parseMessage(text);
    if (typeof message === 'string') this.end(1007, message);
    else if (message.type === 'hello') this.#hello(message);
    else if (this.#position === undefined) this.end(1002, 'The first message must be hello.');
    else if (message.type === 'misunderstood') this.#send({ type: 'failure', id: message.id, reason: 'BadRequest', message: message.problem });
    else this.#commands.run(message.id, message.body);
  }

  /** Tells the client why, and ends the connection. @param next the run that is served from now on */
  end(code: number, reason: string, next?: string): void {
    if (this.#closed) return;
    this.#send({ type: 'bye', reason, next });
    this.closed();
    this.#transport.close(code, reason);
  }

  /** The connection is gone: ends everything that runs for it. */
  closed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe?.();
    this.#unsubscribeTime?.();
    this.#timer?.cancel();
    this.#commands.close();
    this.#dependencies.onClosed?.();
  }

  #hello({ protocol, run, after }: Extract<ClientMessage, { type: 'hello' }>): void {
    if (protocol !== protocolVersion) {
      this.end(1002, `This server speaks protocol ${protocolVersion}, the client ${protocol}: reload the page.`);
      return;
    }
    if (this.#position !== undefined) {
      this.end(1002, 'hello was sent twice.');
      return;
    }
    const { events, node } = this.#dependencies;
    const resumable = run === node().run && after !== undefined && after >= events.firstSeq - 1 && after <= events.lastSeq;
    this.#welcome(resumable ? after : undefined);
    this.#unsubscribeTime = this.#dependencies.time?.subscribe((time) => this.#send({ type: 'time', time }));
    this.#unsubscribe = events.subscribe(() => this.#wake());
    this.#pump();
  }

  /** @param after where the client goes on; undefined starts it anew with the oldest event there is */
  #welcome(after: number | undefined): void {
    const { events, node, pods, pacing, debug, time } = this.#dependencies;
    const { firstSeq, startSeq, lastSeq } = events;
    this.#position = after ?? startSeq - 1;
    // A client that starts where events are already missing needs to be told of the pods those events were about.
    const snapshot = after === undefined && startSeq > 1 ? pods() : [];
    this.#send({
      type: 'welcome',
      protocol: protocolVersion,
      node: node(),
      firstSeq,
      lastSeq,
      after: this.#position,
      now: time?.state.now ?? pacing.now(),
      pods: snapshot.map((pod) => ({ ...pod })),
      debug: debug?.(),
      time: time?.state,
    });
  }

  #wake(): void {
    this.#timer ??= this.#schedule(batchDelay);
  }

  #schedule(delay: Milliseconds): Timer {
    return this.#dependencies.pacing.schedule(delay, () => {
      this.#timer = undefined;
      this.#pump();
    });
  }

  /** Sends what the client lacks, as far as it keeps up. */
  #pump(): void {
    const { events } = this.#dependencies;
    for (let sent = 0; !this.#closed && this.#position !== undefined && this.#position < events.lastSeq; sent++) {
      if (this.#transport.bufferedAmount > highWater) {
        this.#timer ??= this.#schedule(drainDelay);
        return;
      }
      if (sent >= messagesPerTurn) {
        this.#timer ??= this.#schedule(0);
        return;
      }
      // Too slow for what is kept: it has to start anew.
      if (this.#position + 1 < events.firstSeq) this.#welcome(undefined);
      const texts = beginningOf(events.after(this.#position, maxEventsPerMessage), messageLength);
      if (texts.length === 0) return;
      this.#position += texts.length;
      this.#transport.send(`{"type":"events","events":[${texts.join(',')}]}`);
    }
  }

  #send(message: ServerMessage): void {
    if (!this.#closed) this.#transport.send(toJson(message));
  }
}

/** The first texts, at least one, until they have `length` characters. */
function beginningOf(texts: readonly string[], length: number): readonly string[] {
  let total = 0;
  const end = texts.findIndex((text) => {
    total += text.length;
    return total >= length;
  });
  return end === -1 ? texts : texts.slice(0, end + 1);
}

/** A command whose body makes no sense: it can be answered, and nothing else is lost. */
interface Misunderstood {
  readonly type: 'misunderstood';
  readonly id: number;
  readonly problem: string;
}

/** The message, or what is wrong with it. */
function parseMessage(text: string): ClientMessage | Misunderstood | string {
  if (text.length > maxClientMessage) return `A message may have ${maxClientMessage} characters, this one has ${text.length}.`;
  if (isDeeperThan(text, maxMessageDepth)) return `The message is nested deeper than ${maxMessageDepth} levels.`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'The message is not JSON.';
  }
  const parsed = clientMessageSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const complaint = `is not understood: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unknown'}`;
  const command = commandEnvelopeSchema.safeParse(json);
  if (command.success) return { type: 'misunderstood', id: command.data.id, problem: `The command ${complaint}` };
  return `The message ${complaint}`.slice(0, 120);
}
