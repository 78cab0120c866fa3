/** A recorded run, served as a node would be: the same stream, read only. */
import {
  CommandTable,
  type EventFeed,
  forbidden,
  type NodeCommands,
  nodeCommandHandlers,
  pastCommandHandlers,
  type RunLibrary,
  runCommandHandlers,
  Session,
  systemClock,
  type Transport,
} from '@podscope/cluster';
import { RecordedDebugger } from '@podscope/debugger/past';
import { maxEventsPerPage, type NodeInfo, type RunTime } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { productVersion } from '../repository.ts';
import type { EventStore } from '../store/event-store.ts';

const readOnly = (): Error => forbidden('runs', '', 'a recorded run is looked at, not changed');
const refuse = (): Promise<never> => Promise.reject(readOnly());

const noCommands: NodeCommands = {
  apply: refuse,
  validate: refuse,
  deletePod: refuse,
  getPodYaml: () => {
    throw readOnly();
  },
  // The log of a container is not part of a recording.
  async *logs() {
    yield await refuse();
  },
};

/** Lists and reads; what is said of the run stays as it is. */
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

/** All events of a run in the store: there will be no others. */
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

/** So many tell nearly all points there are. */
const eventsForPoints = 20_000;

/** A run's first events. They were checked when they came into the store. */
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
  /** Stands still at the end of the recording, so that countdowns show what was left then. */
  readonly #time: RunTime;
  readonly #sessions = new Set<Session>();

  /** @param notices what the person who looks should know of the recording */
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
    const { id, title, startedAt, nodeName, runtime, profile, steps } = this.#store.get(this.#id);
    return {
      run: id,
      startedAt,
      version: productVersion,
      nodeName,
      runtime,
      notices: [`This is a recorded run${title ? `, “${title}”` : ''}: nothing goes on in it.`, ...this.#notices],
      profile,
      steps,
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
