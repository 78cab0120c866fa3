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

/** How long a playing may take that gives no more events, in milliseconds of real time. */
const patience = 20_000;

/** Plays the same with other options, as far as this run has come. @throws Error when the engine fails */
export function fromEngine(options: EngineOptions, version: string, name: string, milliseconds: number): Promise<Comparand> {
  return new Promise((resolve, reject) => {
    const events: TraceEvent[] = [];
    let start: number | undefined;
    const node = startLocalNode({ ...options, speed: 1000, paused: false }, version);
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
      connection.close();
      node.close();
    };
    const finish = (): void => {
      end();
      const limit = (start ?? 0) + milliseconds;
      resolve({ name, events: events.filter(({ time }) => time <= limit) });
    };
    connection.connect();
  });
}
