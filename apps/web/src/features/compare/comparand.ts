/** Loads the other run of a comparison: from a file, from the server, or played in the other release. */
import type { NodeInfo } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { translate } from '../../base/i18n/i18n.ts';
import { Connection } from '../../node/connection/connection.ts';
import { readTraceFile } from '../../node/files/file-node.ts';
import { readSavedRun } from '../../node/files/saved-run.ts';
import type { EngineOptions } from '../../node/standalone/engine-messages.ts';
import { startLocalNode } from '../../node/standalone/local-node.ts';
import { compareMessages } from './messages.en.ts';

/** The properties of a node that the flow of a run depends on. */
type ComparedNode = Pick<NodeInfo, 'profile' | 'runtime' | 'steps' | 'startedAt'>;

/** A run to compare with. */
export interface Comparand {
  readonly name: string;
  readonly events: readonly TraceEvent[];
  readonly node: ComparedNode;
  /** The start and the length of the current run, in milliseconds. The other run is compared only up to this length. */
  readonly played?: { readonly start: number; readonly milliseconds: number };
}

/** Returns the events of both runs up to the end of the shorter one. */
export function sameStretch(
  events: readonly TraceEvent[],
  start: number,
  comparand: Comparand,
): { readonly mine: readonly TraceEvent[]; readonly theirs: readonly TraceEvent[] } {
  const { played } = comparand;
  if (!played) return { mine: events, theirs: comparand.events };
  const length = Math.min(played.milliseconds, (events.at(-1)?.time ?? start) - start);
  const upTo = (all: readonly TraceEvent[], begin: number): readonly TraceEvent[] =>
    all.filter(({ time }) => time - begin <= length);
  return { mine: upTo(events, start), theirs: upTo(comparand.events, played.start) };
}

/** Reads a run from a file. @throws TraceFileError */
export async function fromFile(file: File): Promise<Comparand> {
  const { events, header } = await readTraceFile(file);
  return { name: header.run.title ?? file.name, events, node: header.run };
}

/** Reads a saved run of the server. @throws CommandFailedError, DisconnectedError */
export async function fromStore(
  connection: Connection,
  run: string,
  name: string,
  signal: AbortSignal,
): Promise<Comparand> {
  const { run: node, events } = await readSavedRun(connection, run, signal);
  return { name, events, node };
}

/** Time after which loading fails if the engine doesn't answer, in milliseconds of real time. */
const timeout = 120_000;

/** Longest virtual time for which the engine runs without an answer, in milliseconds. */
const longestStep = 60_000;

/** Returns the promise's result. @throws Error if it takes longer than {@link timeout} */
async function inTime<Result>(promise: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(translate(compareMessages.tooLate))), timeout);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Plays the scenario with other options, for a length of virtual time.
 * @throws Error when the engine fails
 */
export async function fromEngine(options: EngineOptions, name: string, milliseconds: number): Promise<Comparand> {
  const events: TraceEvent[] = [];
  const node = startLocalNode({ ...options, paused: true });
  let onEvents = (): void => undefined;
  const received = (seq: number): Promise<void> =>
    new Promise((resolve) => {
      onEvents = () => {
        if ((events.at(-1)?.seq ?? 0) >= seq) resolve();
      };
      onEvents();
    });
  const { promise: begun, resolve: begin } = Promise.withResolvers<NodeInfo>();
  const connection = new Connection({
    open: node.open,
    reader: {
      begin: (welcome) => begin(welcome.node),
      resume: () => undefined,
      time: () => undefined,
      events: (batch) => {
        events.push(...batch);
        onEvents();
      },
    },
  });
  try {
    connection.connect();
    const other = await inTime(begun);
    for (let left = milliseconds; left > 0; left -= longestStep) {
      const step = { command: 'stepTime', milliseconds: Math.min(left, longestStep) } as const;
      const { lastSeq } = await inTime(connection.command<'stepTime'>(step));
      await inTime(received(lastSeq));
    }
    return { name, node: other, events, played: { start: other.startedAt, milliseconds } };
  } finally {
    connection.close();
    node.close();
  }
}
