/**
 * Joins the spans of a CRI server to the trace of this process. Opens these spans below the span that made the call,
 * and returns the decisions of this process's gate. Counterpart: server-sessions.ts.
 */
import { randomBytes } from 'node:crypto';
import { type Client, type ClientDuplexStream, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Context, Span, SpanContext, Timer } from '@podscope/trace';
import { traceEventSchema } from '@podscope/trace/event-schema';
import { CriError } from '../../error.ts';
import { carryError, restoreError } from './carried-error.ts';
import {
  type CarriedResult,
  type ClientMessage,
  fromBytes,
  joinPath,
  type ServerMessage,
  serverMessageSchema,
  sessionIdKey,
  toBytes,
} from './messages.ts';
import { formatTraceparent, traceparentKey } from './traceparent.ts';

/** How long after a break the stream is opened again, in ms. */
const rejoinDelay = 500;
/** How many ended spans are remembered. Later spans can be their children. */
const rememberedSpans = 1000;

type Stream = ClientDuplexStream<ClientMessage, unknown>;
type Message<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;

/** Measures how long the gate has stopped the spans of a call. */
class Hold {
  #spans = 0;
  #since = 0;
  #total = 0;

  /** Begins to measure a stop of a span. The returned function ends the measurement. */
  begin(now: () => number): () => void {
    if (this.#spans++ === 0) this.#since = now();
    return () => {
      if (--this.#spans === 0) this.#total += now() - this.#since;
    };
  }

  /** Returns the total time up to `now`, in ms. */
  total(now: number): number {
    return this.#total + (this.#spans > 0 ? now - this.#since : 0);
  }
}

interface Place {
  readonly ctx: Context;
  readonly hold: Hold;
}

/** Returns the outermost span around a span: for the call of a pod worker, the span of its sync. */
function rootOf(span: Span): Span {
  let at = span;
  while (at.parent) at = at.parent;
  return at;
}

/** A span whose body is running in the server. */
interface OpenBody {
  readonly ctx: SpanContext;
  readonly end: (message: Message<'result'>) => void;
  readonly fail: (error: Error) => void;
}

/** A call by this client. The server adds its spans to the trace of this process. */
export interface TracedCall {
  /** The metadata of the call, which contains the id of the session and the `traceparent`. */
  readonly metadata: Metadata;
  /** Returns how long the gate has stopped the call up to now, in ms. */
  held(now: number): number;
  /** Must be called when the call has ended. */
  end(): void;
}

/**
 * The session to which the calls of this client belong. Each root span is a trace of its own, as in the upstream
 * kubelet: a sync (`syncPod`), a probe, a relist. So an observer of the calls can assign them to syncs.
 */
export class ClientTraceSession {
  readonly #client: Client;
  readonly #ctx: Context;
  readonly #sessionId = randomBytes(16).toString('hex');
  /**
   * The parents of the server's spans. The key is the number of a server's span, or the negative number of the client's
   * span that made a call.
   */
  readonly #places = new Map<number, Place>();
  readonly #bodies = new Map<number, OpenBody>();
  /** The keys of the calls that are running. */
  readonly #calls = new Set<number>();
  #stream: Stream | undefined;
  #deviations: readonly string[] = [];
  #retry: Timer | undefined;
  #isClosed = false;

  /** @param ctx the context with the clock, and with the tracer of spans whose parent isn't known */
  constructor(ctx: Context, client: Client) {
    this.#ctx = ctx;
    this.#client = client;
  }

  /** The requests that the server couldn't fulfill exactly. The list is updated at the join and after calls. */
  get deviations(): readonly string[] {
    return this.#deviations;
  }

  /**
   * Joins the server's trace, and joins again whenever the connection breaks. Resolves to false if the server has no
   * trace service.
   */
  join(): Promise<boolean> {
    return new Promise((resolve) => this.#join(resolve));
  }

  /**
   * Returns the metadata of a call; undefined if the server isn't joined, or the context has no open span that is
   * recorded. A tracer that records nothing numbers its spans by itself, so they have the numbers of recorded ones.
   */
  begin(ctx: Context): TracedCall | undefined {
    if (!this.#stream || !ctx.span || !ctx.tracer.enabled) return undefined;
    const spanId = ctx.span.id;
    const hold = new Hold();
    this.#calls.add(-spanId);
    this.#remember(-spanId, { ctx, hold });
    const metadata = new Metadata();
    metadata.set(sessionIdKey, this.#sessionId);
    metadata.set(traceparentKey, formatTraceparent({ traceId: this.#traceOf(ctx.span), spanId }));
    return { metadata, held: (now) => hold.total(now), end: () => this.#calls.delete(-spanId) };
  }

  /** Returns the id of the trace of a span: random digits of the session, and the number of the root span. */
  #traceOf(span: Span): string {
    return this.#sessionId.slice(0, 16) + rootOf(span).id.toString(16).padStart(16, '0');
  }

  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
    this.#stream?.end();
    this.#lost();
  }

  #join(joined: (isServed: boolean) => void): void {
    const metadata = new Metadata();
    metadata.set(sessionIdKey, this.#sessionId);
    const stream: Stream = this.#client.makeBidiStreamRequest(joinPath, toBytes, fromBytes, metadata);
    stream.on('metadata', () => {
      if (this.#isClosed) return;
      this.#stream = stream;
      joined(true);
    });
    stream.on('data', (message: unknown) => this.#receive(message));
    stream.on('error', (error: ServiceError) => {
      this.#lost();
      const isServed = error.code !== status.UNIMPLEMENTED;
      joined(isServed);
      if (isServed) this.#rejoin();
    });
    stream.on('end', () => {
      this.#lost();
      joined(true);
      this.#rejoin();
    });
  }

  #rejoin(): void {
    if (this.#isClosed || this.#retry) return;
    this.#retry = this.#ctx.clock.schedule(rejoinDelay, () => {
      this.#retry = undefined;
      this.#join(() => undefined);
    });
  }

  /** Ends the spans whose server has disconnected. */
  #lost(): void {
    this.#stream = undefined;
    const bodies = [...this.#bodies.values()];
    this.#bodies.clear();
    this.#calls.clear();
    this.#places.clear();
    for (const { fail } of bodies)
      fail(new CriError('Unavailable', 'the connection to the container runtime was lost'));
  }

  #send(message: ClientMessage): void {
    this.#stream?.write(message);
  }

  #remember(number: number, place: Place): void {
    this.#places.delete(number);
    this.#places.set(number, place);
    if (this.#places.size <= rememberedSpans) return;
    for (const oldest of this.#places.keys()) {
      if (this.#bodies.has(oldest) || this.#calls.has(oldest)) continue;
      this.#places.delete(oldest);
      return;
    }
  }

  #place(number: number): Place {
    return this.#places.get(number) ?? { ctx: this.#ctx, hold: new Hold() };
  }

  #receive(received: unknown): void {
    const parsed = serverMessageSchema.safeParse(received);
    if (!parsed.success) {
      // The server is another program or another version. Its spans are no longer joined; its calls continue.
      this.#stream?.cancel();
      return;
    }
    const message = parsed.data;
    switch (message.type) {
      case 'started':
        void this.#started(message);
        return;
      case 'result':
        this.#bodies.get(message.span)?.end(message);
        return;
      case 'event':
        this.#event(message);
        return;
      case 'callEnded':
        this.#deviations = message.deviations;
        this.#send({ type: 'acknowledged', serial: message.serial });
    }
  }

  /** Opens the span here. Its body runs in the server. */
  async #started({ span, parent, point, kind, title, attributes }: Message<'started'>): Promise<void> {
    const { ctx, hold } = this.#place(parent);
    const now = (): number => ctx.clock.now();
    let release = hold.begin(now);
    /** The result of the body; undefined until the body has ended. */
    let own: { readonly value?: unknown; readonly error?: unknown } | undefined;
    let ran = false;
    const body = (inner: SpanContext): Promise<unknown> =>
      new Promise((resolve, reject) => {
        ran = true;
        release();
        this.#remember(span, { ctx: inner, hold });
        this.#bodies.set(span, {
          ctx: inner,
          end: (message) => {
            this.#bodies.delete(span);
            release = hold.begin(now);
            if (message.attributes) inner.span.set(message.attributes);
            const { result } = message;
            if (result.outcome === 'ok') {
              const value = message.isResponse ? message.attributes?.['response'] : result.value;
              own = { value };
              resolve(value);
              return;
            }
            const error = restoreError(result.error, undefined);
            own = { error };
            reject(error);
          },
          fail: (error) => {
            release = hold.begin(now);
            own = { error };
            reject(error);
          },
        });
        this.#send({ type: 'proceed', span });
      });
    const finish = (result: CarriedResult, isOwn: boolean): void => {
      release();
      if (!ran) this.#send({ type: 'instead', span, result });
      else this.#send({ type: 'finished', span, ...(isOwn ? {} : { result }) });
    };
    try {
      const value = await ctx.tracer.span(ctx, { id: point, kind, title }, attributes, body);
      finish({ outcome: 'ok', value }, own !== undefined && 'value' in own && own.value === value);
    } catch (error) {
      finish({ outcome: 'error', error: carryError(error) }, own !== undefined && own.error === error);
    }
  }

  #event({ parent, event }: Message<'event'>): void {
    const { ctx } = this.#place(parent);
    // This process sets the sequence number, time and thread itself, so the validation uses placeholders.
    const parsed = traceEventSchema.safeParse({ ...event, seq: 1, time: 0, thread: '', span: undefined });
    if (!parsed.success) return;
    const { seq: _seq, time: _time, thread: _thread, span: _span, ...payload } = parsed.data;
    if (payload.type === 'decision') {
      const { rule, facts, outcome, decisive } = payload;
      ctx.tracer.decide(ctx, rule, facts, outcome, decisive);
    } else ctx.tracer.emit(ctx, { ...payload, pod: ctx.pod?.uid });
  }
}
