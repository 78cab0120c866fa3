/**
 * A node whose kubelet is a genuine one, observed through a relay: its event log, its debugger and the sessions of
 * clients. Requests are masked before they reach the log.
 */
import { forbidden } from '@podscope/apiserver';
import { errorMessage } from '@podscope/base';
import { CriError } from '@podscope/cri';
import { Debugger, type DebugHost } from '@podscope/debugger';
import { criPoints, syncPodPointsOf } from '@podscope/flow';
import {
  ClientSessions,
  CommandTable,
  debugCommandHandlers,
  EventEncoder,
  LiveFeed,
  nodeCommandHandlers,
  type Session,
  systemClock,
  type Transport,
} from '@podscope/node';
import { RecognizedSecretMask } from '@podscope/node/secrets';
import { Observer } from '@podscope/observer';
import type { NodeInfo } from '@podscope/protocol';
import { holdableMethods, methodOfPath, type RelayMessage } from '@podscope/relay-protocol';
import {
  background,
  type Clock,
  EventLog,
  grpcCodeOf,
  type Instant,
  type Point,
  type SpanResult,
  Tracer,
  type UnstampedEvent,
} from '@podscope/trace';
import { stringify } from 'yaml';
import { productVersion } from '../version.ts';
import { CallFeed } from './call-feed.ts';
import { type GatedCall, HoldDecisions } from './hold-decisions.ts';
import { RelayConnection, type RelayHello } from './relay-connection.ts';

export interface ObservedNodeOptions {
  /** Path of the relay's control socket. */
  readonly control: string;
  /** Receives what the person at the console should know. */
  readonly notify: (message: string) => void;
}

/** Faults end by themselves: a forgotten one would make a node fail for no visible reason. */
const faultExpiry = '10m';
/** How often the observer evaluates what is due while no call arrives, in milliseconds. */
const tickEvery = 500;

const heldAs = new Set(holdableMethods.map((method) => `cri.${method}`));
const points: readonly Point[] = Object.values<Point>(criPoints).filter(({ id }) => heldAs.has(id));

/** A clock with the time of the observed event while one is appended. Never goes back. */
class ObservedClock implements Clock {
  readonly #real = systemClock();
  #last = 0 as Instant;
  #at: number | undefined;

  now(): Instant {
    const at = Math.max(this.#last, this.#at ?? this.#real.now()) as Instant;
    this.#last = at;
    return at;
  }

  readonly schedule: Clock['schedule'] = (delay, callback) => this.#real.schedule(delay, callback);

  during(at: number, action: () => void): void {
    this.#at = at;
    try {
      action();
    } finally {
      this.#at = undefined;
    }
  }
}

const refuse = (what: string): Promise<never> =>
  Promise.reject(forbidden('pods', '', `the kubelet of this node is a genuine one: ${what}`));

export class ObservedNode {
  readonly log: EventLog;
  readonly debugger: Debugger;
  readonly observer: Observer;
  readonly #options: ObservedNodeOptions;
  readonly #clock = new ObservedClock();
  readonly #tracer: Tracer;
  readonly #feed: CallFeed;
  readonly #decisions: HoldDecisions;
  readonly #relay: RelayConnection;
  readonly #sessions: ClientSessions;
  readonly #mask = new RecognizedSecretMask();
  readonly #startedAt = Date.now();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #hello: RelayHello | undefined;
  /** The methods of the last `ask`. */
  #asked = '';

  constructor(options: ObservedNodeOptions) {
    this.#options = options;
    this.log = new EventLog(this.#clock);
    this.#tracer = new Tracer(this.log);
    this.debugger = new Debugger({
      clock: this.#clock,
      log: this.log,
      host: this.#host(),
      faultExpiry,
      warn: (message) => this.#warn(message),
    });
    this.observer = new Observer({
      sink: {
        append: (time, event: UnstampedEvent) => this.#clock.during(time, () => this.log.append(event)),
      },
      facts: { version: undefined, nodeName: undefined, featureGates: {}, maxContainerRestartPeriod: undefined },
    });
    this.#feed = new CallFeed(this.observer);
    this.#decisions = new HoldDecisions({
      debugger: this.debugger,
      tracer: this.#tracer,
      clock: this.#clock,
      send: (message) => this.#relay.send(message),
    });
    const ctx = background(this.#clock, this.#tracer, 'debugger');
    const commands = new CommandTable(
      nodeCommandHandlers({
        apply: () => refuse('apply pods to its API server'),
        validate: () => refuse('validate pods with its API server'),
        deletePod: () => refuse('delete pods from its API server'),
        getPodYaml: (namespace, name) => this.#podYaml(namespace, name),
        async *logs() {
          yield await refuse('read its logs with kubectl');
        },
      }),
      debugCommandHandlers(this.debugger, ctx, (text) => this.#mask.text(text)),
    );
    this.#sessions = new ClientSessions({
      events: new LiveFeed(this.log, new EventEncoder()),
      node: () => this.nodeInfo(),
      pods: () => this.observer.currentPods,
      commands,
      pacing: systemClock(),
      debug: () => this.debugger.state(),
      attach: () => this.debugger.attach(),
    });
    this.#unsubscribe = this.log.subscribe(({ type }) => {
      if (type === 'breakpointsChanged') this.#ask();
    });
    this.#timer = setInterval(() => this.#tick(), tickEvery);
    this.#relay = new RelayConnection({
      path: options.control,
      connected: (hello) => this.#connected(hello),
      received: (message, bytes) => this.#receive(message, bytes),
      disconnected: (problem) => this.#disconnected(problem),
    });
  }

  /** True while a relay is connected. */
  get isConnected(): boolean {
    return this.#hello !== undefined;
  }

  nodeInfo(): NodeInfo {
    const { facts, profile, runtime } = this.observer;
    return {
      run: `observed-${this.#startedAt}`,
      startedAt: this.#startedAt,
      version: productVersion,
      nodeName: facts.nodeName ?? 'node',
      runtime: { name: runtime?.name ?? 'cri', version: runtime?.version ?? '', kind: 'cri' },
      notices: [],
      profile: profile.profile,
      steps: syncPodPointsOf(profile.profile, {}).map(({ id, step, title, description }) => ({
        id,
        step: step ?? 0,
        title,
        description: description ?? '',
      })),
      readOnly: false,
    };
  }

  connect(transport: Transport): Session {
    return this.#sessions.connect(transport);
  }

  /** Ends all sessions and stops. Held calls are forwarded. */
  close(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.debugger.close();
    this.#relay.close();
    this.#sessions.end('The server stops.');
  }

  #host(): DebugHost {
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
      mask: (text) => this.#mask.text(text),
      resync: () => undefined,
      killContainer: async () => refused('kill containers with the runtime')(),
      exitContainer: async () => refused('end containers with the runtime')(),
      skipBackOff: refused('its back-offs are its own'),
      setBackOff: refused('its back-offs are its own'),
    };
  }

  #podYaml(namespace: string, name: string): string {
    const pod = this.observer.currentPods.find(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
    if (!pod) throw forbidden('pods', name, 'its manifest was not observed: the kubelet reports it at /pods');
    return stringify(this.#mask.object(pod));
  }

  #warn(message: string): void {
    const ctx = background(this.#clock, this.#tracer, 'debugger');
    this.#tracer.emit(ctx, { type: 'output', level: 'warning', category: 'debugger', message });
  }

  #connected(hello: RelayHello): void {
    this.#hello = hello;
    this.#asked = '';
    this.#ask();
    this.#options.notify(`observing ${hello.runtime} through ${hello.listen}`);
  }

  #disconnected(problem: string | undefined): void {
    const wasConnected = this.#hello !== undefined;
    this.#hello = undefined;
    this.#feed.relayGone(Date.now());
    this.#decisions.relayGone();
    if (problem !== undefined) this.#options.notify(problem);
    else if (wasConnected) this.#options.notify('the relay ended; connecting again');
  }

  /** Tells the relay which calls concern the debugger. Without breakpoints and faults none do. */
  #ask(): void {
    const { breakpoints, faults } = this.debugger.state();
    const isIdle = breakpoints.length === 0 && faults.length === 0 && this.debugger.threads.size === 0;
    const methods = isIdle ? [] : [...holdableMethods];
    const after = faults.some(({ spec }) => spec.when === 'after') ? [...holdableMethods] : [];
    const key = `${methods.length} ${after.length}`;
    if (!this.#hello || key === this.#asked) return;
    this.#asked = key;
    this.#relay.send({ type: 'ask', methods, after });
  }

  #tick(): void {
    this.observer.tick(Date.now());
    this.#ask();
  }

  #receive(message: RelayMessage, bytes: Uint8Array): void {
    try {
      this.#decide(message);
      this.#feed.receive(message, bytes);
      if (message.type === 'lost') this.#warn(`${message.messages} messages of the relay were lost: it was too busy.`);
    } catch (error) {
      // A call that can't be shown is still forwarded, and the next ones are observed.
      this.#warn(`A call could not be shown: ${errorMessage(error)}`);
      if (message.type === 'question') this.#relay.send({ type: 'answer', call: message.call, answer: { kind: 'go' } });
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
        return this.#decisions.released(message.call, message.reason);
      case 'ended':
        return this.#decisions.ended(message.call);
    }
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
