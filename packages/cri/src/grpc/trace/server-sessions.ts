/**
 * Joins the spans of a CRI server to the traces of its clients. A client opens the stream
 * `podscope.v1.TraceService/Join` and names its session. If a later call names that session, the call's spans are in
 * the client's log, below the span of its `traceparent`, and pass the client's gate.
 */
import { Metadata, type ServerDuplexStream, type ServiceDefinition } from '@grpc/grpc-js';
import { criPoints } from '@podscope/flow';
import { type Context, type EventSink, type Gate, Span, type SpanResult, Tracer } from '@podscope/trace';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import type { CriMethod } from '../../services.ts';
import { carryError, restoreError } from './carried-error.ts';
import {
  type CarriedResult,
  type ClientMessage,
  clientMessageSchema,
  fromBytes,
  isPointKind,
  joinPath,
  type ServerMessage,
  sessionIdKey,
  toBytes,
} from './messages.ts';
import { parseTraceparent, traceparentKey } from './traceparent.ts';

type Runtime = Pick<ContainerRuntime, 'deviations' | 'failures'>;
type Stream = ServerDuplexStream<unknown, ServerMessage>;

/** A call whose spans are sent to its client. */
export interface JoinedCall {
  readonly ctx: Context;
  /** Resolves when the client has recorded all spans and events of the call. */
  ended(): Promise<void>;
}

const resultOf = (message: ClientMessage | undefined): CarriedResult | undefined =>
  message?.type === 'instead' || message?.type === 'finished' ? message.result : undefined;

/** The stream of a client. */
class ServerSession {
  readonly #stream: Stream;
  readonly #runtime: Runtime;
  readonly #tracer: Tracer;
  /**
   * The functions that wait for a response of the client. The key is the id of a span, or the negated serial number of
   * a `callEnded` message.
   */
  readonly #waiting = new Map<number, (message: ClientMessage | undefined) => void>();
  /** The call of each open span. */
  readonly #calls = new Map<number, number>();
  /** The spans that have ended in the client's log, or that will end there without a further message. */
  readonly #ended = new Set<number>();
  /** The calls that have sent messages since their last acknowledgement, as ids of the client's spans. */
  readonly #active = new Set<number>();
  #lastSerial = 0;
  /** The deviations that the client knows, as JSON. */
  #reported = '[]';
  #isOpen = true;

  constructor(stream: Stream, runtime: Runtime) {
    this.#stream = stream;
    this.#runtime = runtime;
    const sink: EventSink = { append: (event) => this.#append(event) };
    const gate: Gate = {
      before: (_, span) => this.#before(span),
      after: (_, span, result) => this.#after(span, result),
    };
    this.#tracer = new Tracer(sink, gate);
    stream.on('data', (message: unknown) => this.#receive(message));
    for (const event of ['end', 'error', 'cancelled', 'close'] as const) stream.on(event, () => this.close());
  }

  /** Returns the context for the call that the client's span `call` made. */
  join(ctx: Context, method: CriMethod, call: number): JoinedCall {
    const own = { ...ctx, tracer: this.#tracer };
    return {
      ctx: { ...own, span: new Span(-call, criPoints[method], own, {}) },
      ended: async () => {
        if (!this.#active.delete(call)) return;
        const message = this.#callEnded();
        await this.#ask(-message.serial, message);
      },
    };
  }

  /** Sends the runtime's deviations if they have changed since the client received them. */
  report(): void {
    if (JSON.stringify(this.#runtime.deviations()) !== this.#reported) this.#send(this.#callEnded());
  }

  #callEnded(): Extract<ServerMessage, { type: 'callEnded' }> {
    const deviations = [...this.#runtime.deviations()];
    this.#reported = JSON.stringify(deviations);
    return { type: 'callEnded', serial: ++this.#lastSerial, deviations };
  }

  /** Ends the stream. Spans that wait for the client continue. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const resume of this.#waiting.values()) resume(undefined);
    this.#waiting.clear();
    this.#stream.end();
  }

  #send(message: ServerMessage): void {
    if (this.#isOpen) this.#stream.write(message);
  }

  /** Waits for the client's answer; returns undefined if the client has disconnected. */
  #answer(key: number): Promise<ClientMessage | undefined> {
    if (!this.#isOpen) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }

  #ask(key: number, message: ServerMessage): Promise<ClientMessage | undefined> {
    this.#send(message);
    return this.#answer(key);
  }

  #receive(received: unknown): void {
    const parsed = clientMessageSchema.safeParse(received);
    if (!parsed.success) {
      this.close();
      return;
    }
    const message = parsed.data;
    const key = message.type === 'acknowledged' ? -message.serial : message.span;
    const resume = this.#waiting.get(key);
    this.#waiting.delete(key);
    resume?.(message);
  }

  #append(event: Parameters<EventSink['append']>[0]): void {
    if (event.type === 'spanEnded') {
      this.#endUngated(event);
      return;
    }
    const parent = event.type === 'spanStarted' ? event.parent : event.span;
    if (parent === undefined) return;
    const call = parent < 0 ? -parent : this.#calls.get(parent);
    if (call !== undefined) this.#active.add(call);
    if (event.type === 'spanStarted') {
      const { span, point, kind, title, attributes } = event;
      if (call !== undefined) this.#calls.set(span, call);
      if (isPointKind(kind)) this.#send({ type: 'started', span, parent, point, kind, title, attributes });
    } else this.#send({ type: 'event', parent, event });
  }

  /** Sends the result of a span that didn't pass the gate. */
  #endUngated(event: {
    span: number;
    outcome: SpanResult['outcome'];
    attributes?: Record<string, unknown> | undefined;
  }) {
    this.#calls.delete(event.span);
    if (this.#ended.delete(event.span)) return;
    const { span, outcome, attributes } = event;
    const result: CarriedResult =
      outcome === 'ok' ? { outcome, value: undefined } : { outcome, error: { name: 'Error', message: '' } };
    this.#send({ type: 'result', span, result, attributes });
  }

  async #before(span: Span): Promise<SpanResult | undefined> {
    // The message about the start was already sent when the span was opened.
    const instead = this.#restore(resultOf(await this.#answer(span.id)));
    // The client provided a result, so its span has ended and needs no further message.
    if (instead) this.#ended.add(span.id);
    return instead;
  }

  async #after(span: Span, result: SpanResult): Promise<SpanResult | undefined> {
    const { id, attributes } = span;
    if (this.#ended.has(id)) return undefined;
    this.#ended.add(id);
    const isResponse =
      result.outcome === 'ok' && result.value !== undefined && result.value === attributes?.['response'];
    const carried: CarriedResult =
      result.outcome === 'ok'
        ? { outcome: 'ok', value: isResponse ? undefined : plain(result.value) }
        : { outcome: result.outcome, error: carryError(result.error) };
    const answer = await this.#ask(id, {
      type: 'result',
      span: id,
      result: carried,
      attributes: attributes && { ...attributes },
      ...(isResponse ? { isResponse } : {}),
    });
    return this.#restore(resultOf(answer));
  }

  #restore(result: CarriedResult | undefined): SpanResult | undefined {
    if (!result) return undefined;
    if (result.outcome === 'ok') return { outcome: 'ok', value: result.value };
    return { outcome: result.outcome, error: restoreError(result.error, this.#runtime.failures) };
  }
}

/** Returns a value that JSON can express; undefined for objects with methods, for example connections. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  return isPlain && Object.values(value).every((member) => typeof member !== 'function') ? value : undefined;
}

/** The clients that have joined a server's traces. */
export class ServerTraceSessions {
  readonly #runtime: Runtime;
  readonly #sessions = new Map<string, ServerSession>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** The definition of the service that clients join. */
  readonly definition: ServiceDefinition = {
    Join: {
      path: joinPath,
      requestStream: true,
      responseStream: true,
      requestSerialize: toBytes,
      requestDeserialize: fromBytes,
      responseSerialize: toBytes,
      responseDeserialize: fromBytes,
    },
  };

  readonly implementation = {
    Join: (stream: Stream): void => {
      const [id] = stream.metadata.get(sessionIdKey);
      if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id)) {
        stream.end();
        return;
      }
      const session = new ServerSession(stream, this.#runtime);
      this.#sessions.get(id)?.close();
      this.#sessions.set(id, session);
      stream.on('close', () => {
        if (this.#sessions.get(id) === session) this.#sessions.delete(id);
      });
      // The headers confirm that the client's calls are joined from now on.
      stream.sendMetadata(new Metadata());
      session.report();
    },
  };

  /** Joins a call to its client's trace; returns undefined if the client hasn't joined. */
  join(ctx: Context, method: CriMethod, metadata: Metadata): JoinedCall | undefined {
    if (this.#sessions.size === 0) return undefined;
    const [id] = metadata.get(sessionIdKey);
    const [text] = metadata.get(traceparentKey);
    const parent = typeof text === 'string' ? parseTraceparent(text) : undefined;
    return parent && typeof id === 'string' ? this.#sessions.get(id)?.join(ctx, method, parent.spanId) : undefined;
  }

  /** Reports changed deviations to all clients. For the end of a call whose client records no spans. */
  report(): void {
    for (const session of this.#sessions.values()) session.report();
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }
}
