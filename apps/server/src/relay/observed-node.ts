/**
 * Implements a node with a genuine kubelet that is observed through a relay: the event log, the debugger and the
 * sessions of clients. Secrets in requests are masked before they are logged.
 */
import { forbidden } from '@podscope/apiserver';
import { errorMessage } from '@podscope/base';
import { CriError } from '@podscope/cri';
import { Debugger, type DebugHost, type DebugPersistence } from '@podscope/debugger';
import { criPoints } from '@podscope/flow';
import { debugCommandHandlers, type Session, type Transport } from '@podscope/node';
import { RecognizedSecretMask } from '@podscope/node/secrets';
import type { ObservedSpan, Observer } from '@podscope/observer';
import type { ObservedHold } from '@podscope/protocol';
import { holdableMethods, methodOfPath, type RelayMessage } from '@podscope/relay-protocol';
import { background, type EventLog, grpcCodeOf, type Point, type SpanResult, Tracer } from '@podscope/trace';
import { type Debugging, type Keeping, ObservedHost } from '../observe/index.ts';
import { CallFeed } from './call-feed.ts';
import { type GatedCall, HoldDecisions } from './hold-decisions.ts';
import { endingsOf } from './observed-store.ts';
import { RelayConnection, type RelayHello } from './relay-connection.ts';

export interface ObservedNodeOptions {
  /** Path of the relay's control socket. */
  readonly control: string;
  /** The role at the relay. A reader observes only: it can't stop or fail calls. By default, `debugger`. */
  readonly role?: 'debugger' | 'reader' | undefined;
  /** Stores the run. Without it, events are only in memory. */
  readonly keeping?: Keeping;
  /** Stores breakpoints and faults. */
  readonly persistence?: DebugPersistence;
  /** Receives the ended calls and the judged syncs of pods as spans. */
  readonly onSpan?: ((span: ObservedSpan) => void) | undefined;
  /** Shows messages to the user of the program, for example that the relay has ended. */
  readonly notify: (message: string) => void;
}

/**
 * The time after which faults end. A limit is necessary, because a forgotten fault would make the node fail for no
 * visible reason.
 */
const faultExpiry = '10m';
/**
 * Interval at which the list of held methods is sent to the relay, in milliseconds. It is sent regularly, because a
 * pause or a step also changes the list, and because the relay ends the connection of a silent debugger.
 */
const tickEvery = 500;

const heldAs = new Set(holdableMethods.map((method) => `cri.${method}`));
const points: readonly Point[] = Object.values<Point>(criPoints).filter(({ id }) => heldAs.has(id));

export class ObservedNode {
  readonly host: ObservedHost;
  /** Resolves when breakpoints and faults are restored. The node connects to the relay only then. */
  readonly ready: Promise<void>;
  readonly #options: ObservedNodeOptions;
  readonly #tracer: Tracer;
  readonly #feed: CallFeed;
  readonly #decisions: HoldDecisions;
  #relay: RelayConnection | undefined;
  #isClosed = false;
  readonly #mask = new RecognizedSecretMask();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #debugger: Debugger | undefined;
  #hello: RelayHello | undefined;
  #problem: string | undefined;

  constructor(options: ObservedNodeOptions) {
    this.#options = options;
    this.host = new ObservedHost({
      debugging: (host) => this.#debugging(host),
      keeping: options.keeping,
      onSpan: options.onSpan,
      holds: () => (this.#hello ? this.#holds() : []),
      notices: () => (this.#hello ? [] : [this.#problem ?? `No relay answers at ${options.control}.`]),
    });
    this.#tracer = new Tracer(this.log);
    this.#feed = new CallFeed(this.observer);
    this.#decisions = new HoldDecisions({
      debugger: this.debugger,
      tracer: this.#tracer,
      clock: this.host.clock,
      send: (message) => this.#relay?.send(message),
    });
    this.#unsubscribe = this.log.subscribe(({ type }) => {
      if (type === 'breakpointsChanged') this.#ask();
    });
    this.#timer = setInterval(() => this.#ask(), tickEvery);
    const earlier = options.keeping?.continued?.events;
    if (earlier) for (const event of endingsOf(earlier, Date.now())) this.log.append(event);
    this.ready = this.#start();
  }

  /** Restores breakpoints and faults before the first call arrives. */
  async #start(): Promise<void> {
    await this.debugger.load();
    if (this.#isClosed) return;
    this.#relay = new RelayConnection({
      path: this.#options.control,
      role: this.#options.role ?? 'debugger',
      connected: (hello) => this.#connected(hello),
      received: (message, bytes) => this.#receive(message, bytes),
      disconnected: (problem) => this.#disconnected(problem),
    });
  }

  /** True while a relay is connected. */
  get isConnected(): boolean {
    return this.#hello !== undefined;
  }

  get log(): EventLog {
    return this.host.log;
  }

  get observer(): Observer {
    return this.host.observer;
  }

  get debugger(): Debugger {
    if (!this.#debugger) throw new Error('the debugger is created with its host');
    return this.#debugger;
  }

  connect(transport: Transport): Session {
    return this.host.connect(transport);
  }

  /** Ends all sessions and closes the connection to the relay, which then forwards all held calls. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#isClosed = true;
    await this.debugger.saved();
    this.debugger.close();
    this.#relay?.close();
    await this.host.stop();
  }

  #debugging(host: ObservedHost): Debugging {
    const { clock, log } = host;
    const warn = (message: string): void => this.#warn(message);
    const { persistence } = this.#options;
    const debug = new Debugger({
      clock,
      log,
      host: this.#debugHost(),
      faultExpiry,
      warn,
      ...(persistence ? { persistence } : {}),
    });
    this.#debugger = debug;
    return {
      state: () => debug.state(),
      attach: () => debug.attach(),
      // Don't mask the whole result, because each variable would then count as an environment variable of a pod. Every
      // value is masked where it is formatted.
      commands: debugCommandHandlers(background(clock, new Tracer(log), 'debugger'), debug, (text) => text),
    };
  }

  /** Returns the calls that the relay holds, and the work that waits for each of them. */
  #holds(): readonly ObservedHold[] {
    return this.#feed.held.flatMap(({ number, method, limit }) => {
      const open = this.observer.openCall(number);
      if (!open) return [];
      const { deadline } = open.attributes;
      return [
        {
          span: open.span,
          method,
          ...(limit === undefined ? {} : { endsAt: limit }),
          ...(typeof deadline === 'number' ? { deadline } : {}),
          waiting: this.observer.waitingBehind(number).map(({ reason, pod, what }) => ({
            reason,
            namespace: pod.namespace,
            pod: pod.name,
            what,
          })),
        },
      ];
    });
  }

  #debugHost(): DebugHost {
    const refused = (what: string) => (): never => {
      throw forbidden('pods', '', `the kubelet of this node is a genuine one: ${what}`);
    };
    return {
      points: () => points,
      refusal: (point) =>
        point.startsWith('cri.') &&
        point in Object.fromEntries(Object.values<Point>(criPoints).map(({ id }) => [id, 1]))
          ? `${point.slice('cri.'.length)} can't be held: it affects the whole node, and a kubelet that waits for it ` +
            'marks the node as not ready'
          : undefined,
      pod: (uid) => this.observer.currentPods.find(({ metadata }) => metadata.uid === uid),
      pods: () => this.observer.currentPods,
      failures: () => undefined,
      mask: (text, place) => (place ? this.#mask.member(text, place) : this.#mask.text(text)),
      resync: () => undefined,
      killContainer: async () => refused('kill its containers through the runtime')(),
      exitContainer: async () => refused('end its containers through the runtime')(),
      skipBackOff: refused('its back-offs cannot be changed'),
      setBackOff: refused('its back-offs cannot be changed'),
    };
  }

  #warn(message: string): void {
    const ctx = background(this.host.clock, this.#tracer, 'debugger');
    this.#tracer.emit(ctx, { type: 'output', level: 'warning', category: 'debugger', message });
  }

  #connected(hello: RelayHello): void {
    this.#hello = hello;
    this.#problem = undefined;
    this.observer.resumed(hello.now, `${hello.pid} ${hello.startedAt}`);
    this.#ask();
    this.#options.notify(`observing ${hello.runtime} through ${hello.listen}`);
  }

  #disconnected(problem: string | undefined): void {
    const wasConnected = this.#hello !== undefined;
    this.#hello = undefined;
    this.#feed.relayGone(Date.now());
    if (wasConnected) this.observer.interrupted(Date.now());
    this.#decisions.relayGone();
    // The relay ends together with this server.
    if (this.#isClosed) return;
    const isNew = problem !== this.#problem;
    this.#problem = problem;
    if (problem !== undefined && isNew) this.#options.notify(problem);
    else if (wasConnected) this.#options.notify('the relay ended; connecting again');
  }

  /**
   * Sends the relay the methods of calls about which it must ask. The list is empty if no breakpoint, fault, pause or
   * step needs a question.
   */
  #ask(): void {
    const { breakpoints, faults } = this.debugger.state();
    const isIdle = breakpoints.length === 0 && faults.length === 0 && this.debugger.threads.size === 0;
    const methods = isIdle ? [] : [...holdableMethods];
    const after = faults.some(({ spec }) => spec.when === 'after') ? [...holdableMethods] : [];
    if (this.#hello && this.#options.role !== 'reader') this.#relay?.send({ type: 'ask', methods, after });
  }

  #receive(message: RelayMessage, bytes: Uint8Array): void {
    try {
      this.#decide(message);
      this.#feed.receive(message, bytes);
      if (message.type === 'held' || message.type === 'released') this.host.reportNode();
      if (message.type === 'lost')
        this.#warn(`${message.messages} messages of the relay were lost, because they arrived too fast.`);
    } catch (error) {
      // After an error, the call is still forwarded, and later calls are still observed.
      this.#warn(`A call could not be shown: ${errorMessage(error)}`);
      if (message.type === 'question')
        this.#relay?.send({ type: 'answer', call: message.call, answer: { kind: 'go' } });
    }
  }

  #decide(message: RelayMessage): void {
    switch (message.type) {
      case 'question':
        if (message.phase === 'before') void this.#decisions.before(message.call, this.#gated(message.call));
        else {
          const response = this.#feed.resultOf(message.call)?.response;
          void this.#after(message.call, { outcome: 'ok', value: response }, true);
        }
        return;
      case 'trailers':
        if (!message.injected) void this.#after(message.call, this.#resultOf(message), false);
        return;
      case 'released':
        if (message.reason === 'limit') this.#warnOfLimit(message.call);
        return this.#decisions.released(message.call, message.reason);
      case 'ended':
        return this.#decisions.ended(message.call);
      case 'held':
      case 'faulted':
        return this.#decisions.confirmed(message.call);
      case 'refused':
        return this.#refused(message.call);
      default:
    }
  }

  #warnOfLimit(call: number): void {
    this.#warn(`${this.#describe(call)} continued by itself: its deadline was near.`);
  }

  /** Ends the stop of a call that the relay has forwarded before it received the answer. */
  #refused(call: number): void {
    const what = this.#decisions.refused(call);
    if (what) this.#warn(`${this.#describe(call)} was forwarded without its ${what}: this server answered too late.`);
  }

  #describe(call: number): string {
    const gated = this.#gated(call);
    return `${gated?.method ?? 'A call'}${gated?.place.pod ? ` of pod ${gated.place.pod.name}` : ''}`;
  }

  #resultOf({ call, status, message }: Extract<RelayMessage, { type: 'trailers' }>): SpanResult {
    if (status === 0) return { outcome: 'ok', value: this.#feed.resultOf(call)?.response };
    return { outcome: 'error', error: new CriError(grpcCodeOf(status) ?? 'Unknown', message) };
  }

  async #after(call: number, result: SpanResult, isAsked: boolean): Promise<void> {
    const gated = this.#gated(call);
    if (!isAsked && !(gated && heldAs.has(`cri.${gated.method}`))) return;
    await this.#decisions.after(call, gated, result, isAsked);
  }

  #gated(call: number): GatedCall | undefined {
    const open = this.observer.openCall(this.#feed.numberOf(call));
    const method = this.#feed.resultOf(call)?.method;
    return open && method !== undefined ? { method: methodOfPath(method), ...open } : undefined;
  }
}
