/** Handles stepBack and reverseContinue on the events of the current run and of saved runs. */

import { ApiError } from '@podscope/apiserver';
import type { PointCatalog } from '@podscope/debugger';
import {
  catalogOfRecording,
  type EventPages,
  RecordedGate,
  readRunDebug,
  reverseContinueIn,
  stepBackIn,
} from '@podscope/debugger/past';
import { type DebugState, maxEventsPerPage, type PastPlace } from '@podscope/protocol';
import { type Clock, sleep, type TraceEvent, toJson } from '@podscope/trace';
import type { CommandCall, CommandHandlers, CommandOf } from '../commands/command-table.ts';
import type { RunLibrary } from '../runs/run-library.ts';
import { asRefusal } from './debug-commands.ts';

type PastCommand = CommandOf<'stepBack'> | CommandOf<'reverseContinue'>;

/** The current run, or the recording that the node serves. */
export interface PastRun {
  readonly id: string;
  readonly catalog: PointCatalog;
  /** The events in memory. If the list is empty, the events are read from the library. */
  readonly events: readonly TraceEvent[];
  /** The current breakpoints and options. */
  readonly debug: Pick<DebugState, 'breakpoints' | 'filters'>;
  /** Returns the number of the event at which a thread is stopped. Absent for a recording, which has no threads. */
  readonly standsAt?: (thread: string) => number | undefined;
}

export interface PastCommandOptions {
  readonly run: () => PastRun;
  /** Returns the library of saved runs. It also contains the events of the current run that are no longer in memory. */
  readonly library: () => RunLibrary | undefined;
  /** A clock of real time, for the pauses between two pages of events. */
  readonly pacing: Clock;
  /** Replaces secrets in JSON text. */
  readonly mask?: (text: string) => string;
}

/** Handlers of `stepBack` and `reverseContinue`. */
export function pastCommandHandlers(options: PastCommandOptions): CommandHandlers {
  const go = async (command: PastCommand, { signal }: CommandCall): Promise<PastPlace> => {
    const recording = open(options, command, signal);
    try {
      const destination = await walk(recording, command);
      if (!destination) throw new ApiError(404, 'NotFound', 'Nothing is recorded before this.');
      const text = toJson({ run: recording.id, ...destination });
      return JSON.parse(options.mask?.(text) ?? text) as PastPlace;
    } catch (error) {
      throw asRefusal(error);
    }
  };
  return { stepBack: go, reverseContinue: go };
}

interface Recording {
  readonly id: string;
  readonly catalog: PointCatalog;
  readonly pages: EventPages;
  readonly debug: ReturnType<typeof readRunDebug>;
  /** The number of the event at which the thread is stopped; undefined while it runs. */
  readonly present: number | undefined;
}

function walk({ catalog, pages, debug, present }: Recording, command: PastCommand): ReturnType<typeof stepBackIn> {
  const at = command.at ?? present;
  if (command.command === 'stepBack')
    return stepBackIn(pages, { ...command, at }, new RecordedGate({ catalog, breakpoints: [] }), catalog);
  const { thread, breakpoints, filters } = command;
  const given = {
    breakpoints: (breakpoints ?? []).map((spec, index) => ({ id: index + 1, group: '', spec })),
    filters: filters ?? [],
  };
  const gate = new RecordedGate({ catalog, ...(breakpoints || filters ? given : debug) });
  return reverseContinueIn(pages, { thread, at }, gate, catalog);
}

function open({ run, library, pacing }: PastCommandOptions, command: PastCommand, signal: AbortSignal): Recording {
  const current = run();
  const kept = library();
  if (command.run === undefined || command.run === 'current' || command.run === current.id) {
    const { id, catalog, events, debug, standsAt } = current;
    const { thread } = command;
    const pages = events[0]?.seq === 1 || !kept ? [events] : readPages(kept, id, pacing, signal);
    return { id, catalog, debug, pages, present: thread === undefined ? undefined : standsAt?.(thread) };
  }
  if (!kept)
    throw new ApiError(404, 'NotFound', `This node saves no runs. Only the current run ${current.id} is available.`);
  const { id, profile, debug } = kept.get(command.run);
  return {
    id,
    catalog: catalogOfRecording([], profile),
    pages: readPages(kept, id, pacing, signal),
    debug: readRunDebug(debug),
    present: undefined,
  };
}

async function* readPages(
  library: RunLibrary,
  id: string,
  pacing: Clock,
  signal: AbortSignal,
): AsyncGenerator<readonly TraceEvent[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = library.page(id, { after, limit: maxEventsPerPage });
    // The type is safe, because only this program writes events to the store.
    yield page.events as unknown as readonly TraceEvent[];
    after = page.next;
    await sleep(pacing, 0, signal);
  }
}
