/**
 * Serves an observed node to clients: the observer's events, the facts about the kubelet, and the kubelet's pods.
 * Clients can't change the pods, because a genuine kubelet gets them from its own sources.
 */
import { randomBytes } from 'node:crypto';
import { forbidden } from '@podscope/apiserver';
import type { Pod } from '@podscope/k8s';
import {
  type ArchivedRun,
  ClientSessions,
  type CommandHandlers,
  CommandTable,
  type EventArchive,
  EventEncoder,
  LiveFeed,
  type NodeCommands,
  nodeCommandHandlers,
  type RunLibrary,
  runCommandHandlers,
  type Session,
  systemClock,
  type Transport,
} from '@podscope/node';
import { RecognizedSecretMask } from '@podscope/node/secrets';
import { CallSpans, type KubeletFacts, type ObservedSpan, Observer, type SavedState } from '@podscope/observer';
import type { DebugState, NodeInfo, ObservedHold } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import type { RunInfo } from '@podscope/trace/file';
import { stringify } from 'yaml';
import { retainedWithStore } from '../store/retained.ts';
import { productVersion } from '../version.ts';
import { LiveLog } from './live-log.ts';
import { maskedSpan } from './masked-span.ts';
import { observedInfoOf, stepsOf } from './observed-run.ts';

export interface ObservedHostOptions {
  readonly facts?: Partial<KubeletFacts>;
  /** Creates the debugger. If absent, calls can't be held and the node is read-only. */
  readonly debugging?: (host: ObservedHost) => Debugging;
  /** Notices about the relay. */
  readonly notices?: () => readonly string[];
  /** The calls that the relay holds. */
  readonly holds?: () => readonly ObservedHold[];
  /** Stores the run. Without it, events are only in memory. */
  readonly keeping?: Keeping | undefined;
  /** Receives the ended calls and the judged syncs of pods as spans. Secrets in them are masked. */
  readonly onSpan?: ((span: ObservedSpan) => void) | undefined;
}

/** A run that an earlier process observed. */
export interface ContinuedRun {
  readonly id: string;
  readonly startedAt: number;
  /** The newest events, without a gap. */
  readonly events: readonly TraceEvent[];
  /** The pods after the last event. */
  readonly pods: readonly Pod[];
  /** The memory of the observer; undefined if it wasn't saved. */
  readonly state: SavedState | undefined;
}

/** Stores the run of an observed node. */
export interface Keeping {
  readonly library: RunLibrary;
  readonly continued: ContinuedRun | undefined;
  readonly open: (run: ArchivedRun) => EventArchive;
  readonly describe: (id: string, info: Partial<RunInfo>) => void;
  /** Saves what the observer remembers, so that the next process can continue. */
  readonly remember: (state: SavedState) => Promise<void>;
}

/** The operations of the debugger that clients use. */
export interface Debugging {
  readonly state: () => DebugState;
  /** Registers a client; the returned function unregisters it. */
  readonly attach: () => () => void;
  readonly commands: CommandHandlers;
}

const noFacts: KubeletFacts = {
  version: undefined,
  nodeName: undefined,
  featureGates: {},
  maxContainerRestartPeriod: undefined,
};

/** Interval at which pending syncs are judged while no event arrives, in milliseconds. */
const tickEvery = 500;

const readOnly = (): Error => forbidden('pods', '', 'this node has a genuine kubelet, which is only observed');
const refuse = (): Promise<never> => Promise.reject(readOnly());

/** Serves one observed node. */
export class ObservedHost {
  readonly observer: Observer;
  /** The commands that clients may send. */
  readonly commandTable: CommandTable;
  /** True if this host has no debugger. */
  readonly readOnly: boolean;
  /** Registers a client of the debugger; the returned function unregisters it. */
  readonly attach: () => () => void;
  readonly #live: LiveLog;
  readonly #options: ObservedHostOptions;
  readonly #sessions: ClientSessions;
  readonly #mask = new RecognizedSecretMask();
  readonly #startedAt: number;
  readonly #run: string;
  readonly #archive: EventArchive | undefined;
  readonly #timer: NodeJS.Timeout;
  #reportedNode = '';
  /** The memory that was saved last, as JSON. */
  #remembered = '';
  #isSaving = false;

  constructor(options: ObservedHostOptions = {}) {
    this.#options = options;
    const continued = options.keeping?.continued;
    const last = continued?.events.at(-1);
    this.#startedAt = continued?.startedAt ?? systemClock().now();
    this.#run = continued?.id ?? `observed-${this.#startedAt}`;
    this.#live = new LiveLog(options.keeping && retainedWithStore, continued?.events);
    const { onSpan } = options;
    const spans = onSpan && new CallSpans((bytes) => randomBytes(bytes).toString('hex'));
    const pass = (span: ObservedSpan | undefined): void => {
      if (span) onSpan?.(maskedSpan(span, this.#mask));
    };
    this.observer = new Observer({
      sink: this.#live,
      ...(spans ? { onCall: (call) => pass(spans.ofCall(call)), onSync: (report) => pass(spans.ofSync(report)) } : {}),
      facts: { ...noFacts, ...options.facts },
      // Each span begins with its own event, so no span has a higher number than the number of events.
      ...(continued && last
        ? { earlier: { at: last.time, pods: continued.pods, spans: last.seq, state: continued.state } }
        : {}),
    });
    const encoder = new EventEncoder();
    this.#archive = options.keeping?.open({
      info: this.#runInfo(),
      log: this.#live.log,
      encode: (event) => encoder.encode(event),
    });
    const commands: NodeCommands = {
      apply: refuse,
      validate: refuse,
      deletePod: refuse,
      getPodYaml: (namespace, name) => stringify(this.#mask.object(this.#pod(namespace, name))),
      async *logs() {
        yield await refuse();
      },
    };
    const debugging = options.debugging?.(this);
    this.readOnly = debugging === undefined;
    this.attach = debugging?.attach ?? (() => () => undefined);
    this.commandTable = new CommandTable(
      nodeCommandHandlers(commands),
      ...(debugging ? [debugging.commands] : []),
      ...(options.keeping ? [runCommandHandlers(options.keeping.library)] : []),
    );
    this.#sessions = new ClientSessions({
      events: new LiveFeed(this.#live.log, encoder, () => this.#archive),
      node: () => this.nodeInfo(),
      pods: () => this.observer.currentPods,
      commands: this.commandTable,
      pacing: systemClock(),
      ...(debugging ? { debug: debugging.state } : {}),
      attach: this.attach,
    });
    this.#timer = setInterval(() => {
      this.observer.tick(Date.now());
      this.reportNode();
      void this.#remember();
    }, tickEvery);
    this.#timer.unref();
  }

  /** The event log of this observation. */
  get log(): LiveLog['log'] {
    return this.#live.log;
  }

  /** The clock of the log. */
  get clock(): LiveLog['clock'] {
    return this.#live.clock;
  }

  #pod(namespace: string, name: string): Pod {
    const pod = this.observer.currentPods.find(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
    if (!pod) throw forbidden('pods', name, 'the kubelet does not have it');
    return pod;
  }

  nodeInfo(): NodeInfo {
    const { facts, runtime, profile } = this.observer;
    return {
      run: this.#run,
      startedAt: this.#startedAt,
      version: productVersion,
      nodeName: facts.nodeName ?? 'node',
      runtime: { name: runtime?.name ?? 'cri', version: runtime?.version ?? '', kind: 'cri' },
      notices: [...(this.#options.notices?.() ?? [])],
      profile: profile.profile,
      steps: stepsOf(this.observer),
      readOnly: this.readOnly,
      observed: observedInfoOf(this.observer),
      holds: [...(this.#options.holds?.() ?? [])],
    };
  }

  #runInfo(): RunInfo {
    const { startedAt, version: engine, nodeName, runtime, profile, steps } = this.nodeInfo();
    const observed = observedInfoOf(this.observer);
    return { id: this.#run, tags: [], notes: [], startedAt, nodeName, runtime, profile, engine, steps, observed };
  }

  /** Sends the facts about the node to clients if they have changed. */
  reportNode(): void {
    const node = JSON.stringify(this.nodeInfo());
    if (node === this.#reportedNode) return;
    this.#reportedNode = node;
    this.#options.keeping?.describe(this.#run, this.#runInfo());
    this.#sessions.nodeChanged();
  }

  /** Saves the observer's memory if it has changed. One write at a time, so an older one never replaces a newer. */
  async #remember(): Promise<void> {
    const { keeping } = this.#options;
    if (!keeping || this.#isSaving) return;
    const { at, ...state } = this.observer.state();
    const text = JSON.stringify(state);
    if (text === this.#remembered) return;
    this.#remembered = text;
    this.#isSaving = true;
    await keeping.remember({ at, ...state }).finally(() => {
      this.#isSaving = false;
    });
  }

  /** Serves a client until the transport closes. */
  connect(transport: Transport): Session {
    return this.#sessions.connect(transport);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    // Syncs that are judged now could not be continued, so the memory is saved after them.
    await this.observer.finish(Date.now());
    await this.#remember();
    this.#sessions.end('The observation ends.');
    this.#archive?.close();
  }
}
