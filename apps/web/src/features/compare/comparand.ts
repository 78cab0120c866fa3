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

/** Virtual seconds per real second. */
const playSpeed = 1000;

/** Time without an event after which loading fails, in milliseconds of real time. */
const timeout = 20_000;

/** Time without an event after which the run counts as finished, in milliseconds. */
const quiet = 1_500;

/**
 * Plays the scenario with other options, for a length of virtual time.
 * @throws Error when the engine fails
 */
export function fromEngine(options: EngineOptions, name: string, milliseconds: number): Promise<Comparand> {
  return new Promise((resolve, reject) => {
    const events: TraceEvent[] = [];
    let other: NodeInfo | undefined;
    let idle: ReturnType<typeof setTimeout> | undefined;
    const node = startLocalNode({ ...options, speed: playSpeed, paused: false });
    const connection = new Connection({
      open: node.open,
      reader: {
        begin: (welcome) => {
          other = welcome.node;
        },
        resume: () => undefined,
        time: () => undefined,
        events: (batch) => {
          events.push(...batch);
          clearTimeout(idle);
          idle = setTimeout(finish, quiet + milliseconds / playSpeed);
          const last = batch.at(-1);
          if (other && last && last.time - other.startedAt >= milliseconds) finish();
        },
      },
    });
    const timer = setTimeout(() => {
      end();
      reject(new Error(translate(compareMessages.tooLate)));
    }, timeout);
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(idle);
      connection.close();
      node.close();
    };
    const finish = (): void => {
      end();
      if (!other) {
        reject(new Error(translate(compareMessages.tooLate)));
        return;
      }
      const begin = other.startedAt;
      resolve({
        name,
        node: other,
        events: events.filter(({ time }) => time - begin <= milliseconds),
        played: { start: begin, milliseconds },
      });
    };
    connection.connect();
  });
}
