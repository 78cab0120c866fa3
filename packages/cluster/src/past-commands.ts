/** The commands that go back: over the events of the run that goes on, and of kept runs. */
import type { PointCatalog } from '@podscope/debugger';
import { catalogOfRecording, type EventPages, RecordedGate, readRunDebug, reverseContinueIn, stepBackIn } from '@podscope/debugger/past';
import { type DebugState, maxEventsPerPage, type PastPlace } from '@podscope/protocol';
import { type Clock, sleep, type TraceEvent, toJson } from '@podscope/trace';
import { ApiError } from './api-errors.ts';
import type { CommandCall, CommandHandlers, CommandOf } from './command-table.ts';
import { asRefusal } from './debug-commands.ts';
import type { RunLibrary } from './run-library.ts';

type PastCommand = CommandOf<'stepBack'> | CommandOf<'reverseContinue'>;

/** The run that goes on, or the one recording that is served. */
export interface PastRun {
  readonly id: string;
  readonly catalog: PointCatalog;
  /** As far as memory has them; none: they are read from the library. */
  readonly events: readonly TraceEvent[];
  /** What is set now. */
  readonly debug: Pick<DebugState, 'breakpoints' | 'filters'>;
  /** Number of the event at which a thread is stopped, if it is. None: nothing is stopped in what is only read. */
  readonly standsAt?: (thread: string) => number | undefined;
}

export interface PastCommandOptions {
  readonly run: () => PastRun;
  /** Kept runs, where there are any; also the events of the run that memory has no longer. */
  readonly library: () => RunLibrary | undefined;
  /** Real time: others get a turn between two pages. */
  readonly pacing: Clock;
  /** Replaces secrets in JSON text. */
  readonly mask?: (text: string) => string;
}

/** Handlers of `stepBack` and `reverseContinue`. */
export function pastCommandHandlers(options: PastCommandOptions): CommandHandlers {
  const go = async (command: PastCommand, { signal }: CommandCall): Promise<PastPlace> => {
    const recording = open(options, command, signal);
    try {
      const landing = await walk(recording, command);
      if (!landing) throw new ApiError(404, 'NotFound', 'Nothing is recorded before this.');
      const text = toJson({ run: recording.id, ...landing });
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
  /** Where the thread stands now, when it is stopped. */
  readonly present: number | undefined;
}

function walk({ catalog, pages, debug, present }: Recording, command: PastCommand): ReturnType<typeof stepBackIn> {
  const at = command.at ?? present;
  if (command.command === 'stepBack') return stepBackIn(pages, { ...command, at }, new RecordedGate({ catalog, breakpoints: [] }), catalog);
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
  if (!kept) throw new ApiError(404, 'NotFound', `This node keeps no runs: there is none beside ${current.id}.`);
  const { id, profile, debug } = kept.get(command.run);
  return { id, catalog: catalogOfRecording([], profile), pages: readPages(kept, id, pacing, signal), debug: readRunDebug(debug), present: undefined };
}

async function* readPages(library: RunLibrary, id: string, pacing: Clock, signal: AbortSignal): AsyncGenerator<readonly TraceEvent[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = library.page(id, { after, limit: maxEventsPerPage });
    // The store's own events: written by this program, from checked ones.
    yield page.events as unknown as readonly TraceEvent[];
    after = page.next;
    await sleep(pacing, 0, signal);
  }
}
