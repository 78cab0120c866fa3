/** The other run of a comparison: from a file, from the server's store, or played anew in the other profile. */

import type { TraceEvent } from '@podscope/trace';
import type { EngineOptions } from '../alone/engine-messages.ts';
import { startLocalNode } from '../alone/local-node.ts';
import { Connection } from '../connection/connection.ts';
import { readTraceFile } from '../files/file-node.ts';
import { readKeptRun } from '../files/kept-run.ts';
import { translate } from '../i18n/i18n.ts';
import { compareMessages } from './messages.en.ts';

/** A run to compare with. */
export interface Comparand {
  readonly name: string;
  readonly events: readonly TraceEvent[];
  /** How long it was played, and from when, in milliseconds: of a run that goes on only as much can be laid beside it. */
  readonly played?: { readonly start: number; readonly milliseconds: number };
}

/** The events of both runs up to where the shorter of them has come. */
export function sameStretch(
  events: readonly TraceEvent[],
  start: number,
  comparand: Comparand,
): { readonly mine: readonly TraceEvent[]; readonly theirs: readonly TraceEvent[] } {
  const { played } = comparand;
  if (!played) return { mine: events, theirs: comparand.events };
  const length = Math.min(played.milliseconds, (events.at(-1)?.time ?? start) - start);
  const upTo = (all: readonly TraceEvent[], begin: number): readonly TraceEvent[] => all.filter(({ time }) => time - begin <= length);
  return { mine: upTo(events, start), theirs: upTo(comparand.events, played.start) };
}

/** @throws TraceFileError */
export async function fromFile(file: File): Promise<Comparand> {
  const { events, header } = await readTraceFile(file);
  return { name: header.run.title ?? file.name, events };
}

/** Reads a run of the server's store. @throws CommandFailedError, DisconnectedError */
export async function fromStore(connection: Connection, run: string, name: string, signal: AbortSignal): Promise<Comparand> {
  return { name, events: (await readKeptRun(connection, run, signal)).events };
}

/** Virtual seconds to a real one. */
const playSpeed = 1000;

/** How long a playing may take that gives no more events, in milliseconds of real time. */
const patience = 20_000;

/** Real time after which nothing more is expected of a playing that has become quiet, in milliseconds. */
const quiet = 1_500;

/** Plays the same with other options, for so long. @throws Error when the engine fails */
export function fromEngine(options: EngineOptions, version: string, name: string, milliseconds: number): Promise<Comparand> {
  return new Promise((resolve, reject) => {
    const events: TraceEvent[] = [];
    let start: number | undefined;
    let idle: ReturnType<typeof setTimeout> | undefined;
    const node = startLocalNode({ ...options, speed: playSpeed, paused: false }, version);
    const connection = new Connection({
      open: node.open,
      reader: {
        begin: (welcome) => {
          start = welcome.node.startedAt;
        },
        resume: () => undefined,
        time: () => undefined,
        events: (batch) => {
          events.push(...batch);
          clearTimeout(idle);
          idle = setTimeout(finish, quiet + milliseconds / playSpeed);
          const last = batch.at(-1);
          if (start !== undefined && last && last.time - start >= milliseconds) finish();
        },
      },
    });
    const timer = setTimeout(() => {
      end();
      reject(new Error(translate(compareMessages.tooLate)));
    }, patience);
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(idle);
      connection.close();
      node.close();
    };
    const finish = (): void => {
      end();
      const begin = start ?? 0;
      resolve({ name, events: events.filter(({ time }) => time - begin <= milliseconds), played: { start: begin, milliseconds } });
    };
    connection.connect();
  });
}
