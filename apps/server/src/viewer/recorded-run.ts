/** Serves a recorded run like a read-only node, over the same stream protocol. */

import { forbidden } from '@podscope/apiserver';
import { RecordedDebugger } from '@podscope/debugger/past';
import {
  CommandTable,
  type EventFeed,
  type NodeCommands,
  nodeCommandHandlers,
  pastCommandHandlers,
  type RunLibrary,
  runCommandHandlers,
  Session,
  systemClock,
  type Transport,
} from '@podscope/node';
import { maxEventsPerPage, type NodeInfo, type RunTime } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import type { EventStore } from '../store/event-store.ts';
import { productVersion } from '../version.ts';

const readOnly = (): Error => forbidden('runs', '', 'a recorded run is looked at, not changed');
const refuse = (): Promise<never> => Promise.reject(readOnly());

const noCommands: NodeCommands = {
  apply: refuse,
  validate: refuse,
  deletePod: refuse,
  getPodYaml: () => {
    throw readOnly();
  },
  // Recordings don't contain container logs.
  async *logs() {
    yield await refuse();
  },
};

/** Returns a library that lists and reads runs but rejects changes. */
function readOnlyLibrary(store: EventStore): RunLibrary {
  const refused = (): never => {
    throw readOnly();
  };
  return {
    list: () => store.list(),
    get: (id) => store.get(id),
    page: (id, request) => store.page(id, request),
    rename: refused,
    tag: refused,
    annotate: refused,
    delete: refused,
  };
}

/** Reads the events of a finished run from the store. */
class RecordedFeed implements EventFeed {
  readonly #store: EventStore;
  readonly #run: string;
  readonly firstSeq: number;
  readonly lastSeq: number;

  constructor(store: EventStore, run: string) {
    const { firstSeq, lastSeq } = store.get(run);
    this.#store = store;
    this.#run = run;
    this.firstSeq = Math.max(1, firstSeq);
    this.lastSeq = lastSeq;
  }

  get startSeq(): number {
    return this.firstSeq;
  }

  after(after: number, limit: number): readonly string[] {
    return this.#store.textPage(this.#run, { after, limit }).texts;
  }

  subscribe(): () => void {
    return () => undefined;
  }
}

/**
 * The number of events at the start of a run from which the point catalog is derived. They contain nearly all points of
 * a run.
 */
const eventsForPoints = 20_000;

/** Returns a run's first events. They were validated when they were stored. */
function* firstEvents(store: EventStore, id: string): Generator<TraceEvent> {
  for (let after: number | undefined = 0; after !== undefined && after < eventsForPoints; ) {
    const { texts, next } = store.textPage(id, { after, limit: maxEventsPerPage });
    for (const text of texts) yield JSON.parse(text) as TraceEvent;
    after = next;
  }
}

/** Serves clients of one recorded run. */
export class RecordedRun {
  readonly #store: EventStore;
  readonly #id: string;
  readonly #feed: RecordedFeed;
  readonly #commands: CommandTable;
  readonly #debugger: RecordedDebugger;
  readonly #notices: readonly string[];
  /** A clock that is fixed at the end of the recording. Countdowns then show the time that was left at the end. */
  readonly #time: RunTime;
  readonly #sessions = new Set<Session>();

  /** @param notices notices about the recording, for the page */
  constructor(store: EventStore, id: string, notices: readonly string[]) {
    this.#store = store;
    this.#id = id;
    this.#feed = new RecordedFeed(store, id);
    const library = readOnlyLibrary(store);
    const { profile, debug } = store.get(id);
    this.#debugger = new RecordedDebugger({ events: firstEvents(store, id), profile, debug });
    this.#commands = new CommandTable(
      nodeCommandHandlers(noCommands),
      runCommandHandlers(library),
      this.#debugger.commands,
      pastCommandHandlers({
        run: () => ({ id, catalog: this.#debugger.catalog, events: [], debug: this.#debugger.state() }),
        library: () => library,
        pacing: systemClock(),
      }),
    );
    this.#notices = notices;
    const [last] = store.page(id, { after: Math.max(0, this.#feed.lastSeq - 1), limit: 1 }).events;
    const { endedAt, startedAt } = store.get(id);
    const end = last?.['time'];
    this.#time = { now: typeof end === 'number' ? end : (endedAt ?? startedAt), speed: 1, paused: true };
  }

  nodeInfo(): NodeInfo {
    const { id, title, startedAt, nodeName, runtime, profile, steps, observed } = this.#store.get(this.#id);
    return {
      run: id,
      startedAt,
      version: productVersion,
      nodeName,
      runtime,
      notices: [`This is a recorded run${title ? `, “${title}”` : ''}, which is read-only.`, ...this.#notices],
      profile,
      steps,
      ...(observed ? { observed } : {}),
      readOnly: true,
    };
  }

  connect(transport: Transport): Session {
    const session = new Session(
      {
        events: this.#feed,
        node: () => this.nodeInfo(),
        pods: () => [],
        commands: this.#commands,
        pacing: systemClock(),
        debug: () => this.#debugger.state(),
        time: { state: this.#time, subscribe: () => () => undefined },
        onClosed: () => this.#sessions.delete(session),
      },
      transport,
    );
    this.#sessions.add(session);
    return session;
  }

  close(): void {
    for (const session of this.#sessions) session.end(1001, 'The viewer stops.');
  }
}
