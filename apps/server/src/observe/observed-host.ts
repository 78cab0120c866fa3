/**
 * Serves an observed node to clients: the observer's events, its facts about the kubelet, and the kubelet's pods.
 * Clients can't change the pods, because a genuine kubelet takes them from its own sources.
 */
import { forbidden } from '@podscope/apiserver';
import type { Pod } from '@podscope/k8s';
import {
  ClientSessions,
  type CommandHandlers,
  CommandTable,
  EventEncoder,
  LiveFeed,
  type NodeCommands,
  nodeCommandHandlers,
  type Session,
  systemClock,
  type Transport,
} from '@podscope/node';
import { RecognizedSecretMask } from '@podscope/node/secrets';
import { type KubeletFacts, Observer } from '@podscope/observer';
import type { DebugState, NodeInfo } from '@podscope/protocol';
import { stringify } from 'yaml';
import { productVersion } from '../version.ts';
import { LiveLog } from './live-log.ts';
import { observedInfoOf, stepsOf } from './observed-run.ts';

export interface ObservedHostOptions {
  readonly facts?: Partial<KubeletFacts>;
  /** Creates the debugger. Absent if calls can't be held; the node is then read-only. */
  readonly debugging?: (host: ObservedHost) => Debugging;
  /** Notices about the relay. */
  readonly notices?: () => readonly string[];
}

/** The parts of the debugger that clients use. */
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

/** Interval at which due syncs are judged while no event arrives, in milliseconds. */
const tickEvery = 500;

const readOnly = (): Error => forbidden('pods', '', 'this node has a genuine kubelet, which is only observed');
const refuse = (): Promise<never> => Promise.reject(readOnly());

/** Serves one observed node. */
export class ObservedHost {
  readonly observer: Observer;
  readonly #live = new LiveLog();
  readonly #options: ObservedHostOptions;
  readonly #sessions: ClientSessions;
  readonly #mask = new RecognizedSecretMask();
  readonly #startedAt = systemClock().now();
  readonly #timer: NodeJS.Timeout;
  #reportedNode = '';

  constructor(options: ObservedHostOptions = {}) {
    this.#options = options;
    this.observer = new Observer({ sink: this.#live, facts: { ...noFacts, ...options.facts } });
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
    this.#sessions = new ClientSessions({
      events: new LiveFeed(this.#live.log, new EventEncoder()),
      node: () => this.nodeInfo(),
      pods: () => this.observer.currentPods,
      commands: new CommandTable(nodeCommandHandlers(commands), ...(debugging ? [debugging.commands] : [])),
      pacing: systemClock(),
      ...(debugging ? { debug: debugging.state } : {}),
      attach: debugging?.attach ?? (() => () => undefined),
    });
    this.#timer = setInterval(() => {
      this.observer.tick(Date.now());
      this.#reportNode();
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
      run: `observed-${this.#startedAt}`,
      startedAt: this.#startedAt,
      version: productVersion,
      nodeName: facts.nodeName ?? 'node',
      runtime: { name: runtime?.name ?? 'cri', version: runtime?.version ?? '', kind: 'cri' },
      notices: [...(this.#options.notices?.() ?? [])],
      profile: profile.profile,
      steps: stepsOf(this.observer),
      readOnly: this.#options.debugging === undefined,
      observed: observedInfoOf(this.observer),
    };
  }

  /** Sends the facts about the node to clients when they have changed. */
  #reportNode(): void {
    const node = JSON.stringify(this.nodeInfo());
    if (node === this.#reportedNode) return;
    this.#reportedNode = node;
    this.#sessions.nodeChanged();
  }

  /** Serves a client until the transport closes. */
  connect(transport: Transport): Session {
    return this.#sessions.connect(transport);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.observer.finish(Date.now());
    this.#sessions.end('The observation ends.');
  }
}
