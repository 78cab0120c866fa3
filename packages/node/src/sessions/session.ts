/**
 * Serves a client. It sends a welcome and then, from the number that the client requests, every event in order and
 * without gaps. It responds to the client's commands. Messages are carried by a {@link Transport}, for example a
 * WebSocket or a MessagePort.
 */
import type { Pod } from '@podscope/k8s';
import {
  type ClientMessage,
  clientMessageSchema,
  commandEnvelopeSchema,
  type DebugState,
  EventPacker,
  maxEventsPerMessage,
  maxPackedEvents,
  type NodeInfo,
  protocolMismatch,
  protocolVersion,
  type RunTime,
  type ServerMessage,
} from '@podscope/protocol';
import { type Clock, isDeeperThan, type Milliseconds, type Timer, toJson } from '@podscope/trace';
import type { CommandTable } from '../commands/command-table.ts';
import type { EventFeed } from './event-feed.ts';
import { CommandRunner } from './session-commands.ts';

/** Carries text messages to a client. */
export interface Transport {
  send(text: string): void;
  /** How many bytes are buffered and not yet sent. */
  readonly bufferedAmount: number;
  /** Closes the connection with a WebSocket close code. */
  close(code: number, reason: string): void;
}

/** The source from which clients get virtual time. */
export interface RunTimeSource {
  readonly state: RunTime;
  /**
   * Calls `listener` when speed or pause change.
   * @returns a function that unsubscribes
   */
  subscribe(listener: (time: RunTime) => void): () => void;
}

export interface SessionDependencies {
  readonly events: EventFeed;
  readonly node: () => NodeInfo;
  readonly pods: () => readonly Pod[];
  /** The debugger's state, if the node has one. */
  readonly debug?: () => DebugState;
  readonly commands: CommandTable;
  /** A clock of real time, which paces the stream even if the node's clock is virtual. */
  readonly pacing: Clock;
  /** The source of virtual time, if time is virtual. */
  readonly time?: RunTimeSource;
  /** Called once when the session has ended. */
  readonly onClosed?: () => void;
}

/**
 * The length of the longest message that a client may send, in characters. A manifest of 1 MiB fits in such a message,
 * even after escaping.
 */
export const maxClientMessage = 2 * 1024 * 1024;

/** The maximum nesting depth of a message. */
const maxMessageDepth = 100;

/** A client that has this many unread bytes gets no further messages until it has read them. */
const highWater = 1024 * 1024;
/** The target length of a message, in characters of events. Only the last event can exceed it. */
const messageLength = 256 * 1024;
/** How long an event may be delayed, in ms, so that several events are sent in one message. */
const batchDelay: Milliseconds = 8;
/** How long to wait, in ms, before checking a slow client again. */
const drainDelay: Milliseconds = 5;
/** A backlog of more events than this is sent packed, if the client supports packed events. */
const packedBacklog = 4 * maxEventsPerMessage;
/**
 * The number of messages sent before yielding. It is lower for packed messages, because packing one takes as long as
 * sending several others.
 */
const messagesPerTurn = 16;
const packedPerTurn = 4;

/** The node's side of a connection with a client. */
export class Session {
  readonly #dependencies: SessionDependencies;
  readonly #transport: Transport;
  readonly #commands: CommandRunner;
  #unsubscribe: (() => void) | undefined;
  #unsubscribeTime: (() => void) | undefined;
  #timer: Timer | undefined;
  /** The number of the last event that was sent; undefined before the client's hello. */
  #position: number | undefined;
  /** True if the client supports packed events. */
  #readsPacked = false;
  /** Packs the current backlog; undefined without one. */
  #packer: EventPacker | undefined;
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

  /** Handles one message of the client. Never throws. */
  receive(text: string): void {
    if (this.#closed) return;
    const message = parseMessage(text);
    if (typeof message === 'string') this.end(1007, message);
    else if (message.type === 'hello') this.#hello(message);
    else if (this.#position === undefined) this.end(1002, 'The first message must be hello.');
    else if (message.type === 'misunderstood')
      this.#send({ type: 'failure', id: message.id, reason: 'BadRequest', message: message.problem });
    else this.#commands.run(message.id, message.body);
  }

  /** Sends changed facts about the node to a client that was welcomed. */
  nodeChanged(): void {
    if (!this.#closed && this.#position !== undefined) this.#send({ type: 'node', node: this.#dependencies.node() });
  }

  /**
   * Sends the reason and closes the connection.
   * @param next the run that the server serves from now on
   */
  end(code: number, reason: string, next?: string): void {
    if (this.#closed) return;
    this.#send({ type: 'bye', reason, next });
    this.closed();
    this.#transport.close(code, reason);
  }

  /** Ends the session's commands and timers. The caller must call it when the connection is closed. */
  closed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe?.();
    this.#unsubscribeTime?.();
    this.#timer?.cancel();
    this.#commands.close();
    this.#dependencies.onClosed?.();
  }

  #hello({ protocol, run, after, packed = false }: Extract<ClientMessage, { type: 'hello' }>): void {
    if (protocol !== protocolVersion) {
      this.end(1002, protocolMismatch({ client: protocol, node: protocolVersion }));
      return;
    }
    if (this.#position !== undefined) {
      this.end(1002, 'hello was sent twice.');
      return;
    }
    this.#readsPacked = packed;
    const { events, node } = this.#dependencies;
    const resumable =
      run === node().run && after !== undefined && after >= events.firstSeq - 1 && after <= events.lastSeq;
    this.#welcome(resumable ? after : undefined);
    this.#unsubscribeTime = this.#dependencies.time?.subscribe((time) => this.#send({ type: 'time', time }));
    this.#unsubscribe = events.subscribe(() => this.#wake());
    this.#pump();
  }

  /**
   * Sends the welcome.
   * @param after the number of the last event that the client has; undefined to begin with the oldest event
   */
  #welcome(after: number | undefined): void {
    const { events, node, pods, pacing, debug, time } = this.#dependencies;
    const { firstSeq, startSeq, lastSeq } = events;
    this.#position = after ?? startSeq - 1;
    // If the client starts after events were dropped, it needs the pods that these events described.
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

  /** Sends the missing events, as fast as the client reads them. */
  #pump(): void {
    const { events } = this.#dependencies;
    for (let sent = 0; !this.#closed && this.#position !== undefined && this.#position < events.lastSeq; ) {
      if (this.#transport.bufferedAmount > highWater) {
        this.#timer ??= this.#schedule(drainDelay);
        return;
      }
      if (sent >= messagesPerTurn) {
        this.#timer ??= this.#schedule(0);
        return;
      }
      // The events after the client's last event were dropped, so the client has to start again.
      if (this.#position + 1 < events.firstSeq) this.#welcome(undefined);
      if (this.#sendPacked(this.#position)) {
        sent += messagesPerTurn / packedPerTurn;
        continue;
      }
      sent++;
      const texts = beginningOf(events.after(this.#position, maxEventsPerMessage), messageLength);
      if (texts.length === 0) return;
      this.#position += texts.length;
      this.#transport.send(`{"type":"events","events":[${texts.join(',')}]}`);
    }
    // The packer of this backlog is discarded: the client discards its templates when the next packed backlog begins.
    this.#packer = undefined;
  }

  /** Sends events after `position` packed if there are many. Returns false if they have to be sent otherwise. */
  #sendPacked(position: number): boolean {
    const { events } = this.#dependencies;
    if (!this.#readsPacked || (!this.#packer && events.lastSeq - position <= packedBacklog)) return false;
    const split = events.splitAfter?.(position, maxPackedEvents);
    if (!split) return false;
    this.#packer ??= new EventPacker();
    const { text, count } = this.#packer.pack(split);
    this.#position = position + count;
    this.#transport.send(text);
    return true;
  }

  #send(message: ServerMessage): void {
    if (!this.#closed) this.#transport.send(toJson(message));
  }
}

/** Returns the first texts, up to `length` characters in total, but at least one text. */
function beginningOf(texts: readonly string[], length: number): readonly string[] {
  let total = 0;
  const end = texts.findIndex((text) => {
    total += text.length;
    return total >= length;
  });
  return end === -1 ? texts : texts.slice(0, end + 1);
}

/** A command with an invalid body, which gets an error response. */
interface Misunderstood {
  readonly type: 'misunderstood';
  readonly id: number;
  readonly problem: string;
}

/** Parses a message. Returns it, or the reason why it is invalid. */
function parseMessage(text: string): ClientMessage | Misunderstood | string {
  if (text.length > maxClientMessage)
    return `A message may have ${maxClientMessage} characters, this one has ${text.length}.`;
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
