/**
 * Implements the debugger of a recording. Breakpoints and filters decide where going back stops; threads can't be
 * stopped, inspected or changed. At first the recording has the breakpoints of the recorded run.
 */
import {
  type BreakpointSpec,
  type BreakpointState,
  breakpointSpecSchema,
  type Command,
  type CommandResultOf,
  type DebugState,
  type ExceptionFilterSpec,
  exceptionFilterSchema,
} from '@podscope/protocol';
import type { Attributes, TraceEvent } from '@podscope/trace';
import type { RunDebug } from '@podscope/trace/file';
import { BreakpointList } from '../breakpoints/breakpoints.ts';
import { ExceptionFilters } from '../breakpoints/exception-filters.ts';
import type { PointCatalog } from '../point-catalog.ts';
import { catalogOfRecording } from './recorded-catalog.ts';
import { RecordedGate } from './recorded-gate.ts';

type KeptBreakpoint = Pick<BreakpointState, 'id' | 'group' | 'spec'>;

/** Returns the breakpoints and filters of a run. Drops those that this version doesn't understand. */
export function readRunDebug(debug: RunDebug | undefined): {
  readonly breakpoints: readonly KeptBreakpoint[];
  readonly filters: readonly ExceptionFilterSpec[];
} {
  const breakpoints = (debug?.breakpoints ?? []).flatMap(({ group, spec }, index): readonly KeptBreakpoint[] => {
    const { data } = breakpointSpecSchema.safeParse(spec);
    return data ? [{ id: index + 1, group, spec: data }] : [];
  });
  const filters = (debug?.filters ?? []).flatMap((filter) => {
    const { data } = exceptionFilterSchema.safeParse(filter);
    return data && isUnderstood(data) ? [data] : [];
  });
  return { breakpoints, filters };
}

/** Checks filters. @throws DebuggerError Invalid for a condition that isn't valid CEL */
const check = (filters: readonly ExceptionFilterSpec[]): void => new ExceptionFilters(() => undefined).set(filters);

function isUnderstood(filter: ExceptionFilterSpec): boolean {
  try {
    check([filter]);
    return true;
  } catch {
    return false;
  }
}

type CommandOf<Name extends Command['command']> = Extract<Command, { command: Name }>;

/** The debugger commands that a recording supports, without stepBack and reverseContinue. */
type RecordedCommandName = 'debugState' | 'points' | 'setBreakpoints' | 'checkBreakpoint' | 'setExceptionBreakpoints';

export type RecordedCommandHandlers = {
  readonly [Name in RecordedCommandName]: (command: CommandOf<Name>) => CommandResultOf<Name>;
};

export interface RecordedDebuggerOptions {
  /** The events of the recording, from which its points are read. */
  readonly events: Iterable<TraceEvent>;
  /** The release whose source files are reported as locations, for example `v1.36`. */
  readonly profile: string;
  /** The breakpoints and filters of the recorded run. */
  readonly debug?: RunDebug | undefined;
  /** The v1.Pod objects as of the first event, if the recording doesn't start at the beginning of the run. */
  readonly pods?: readonly Attributes[];
}

export class RecordedDebugger {
  readonly catalog: PointCatalog;
  readonly #breakpoints: BreakpointList;
  readonly #pods: readonly Attributes[];
  #filters: readonly ExceptionFilterSpec[];
  #version = 0;

  constructor({ events, profile, debug, pods = [] }: RecordedDebuggerOptions) {
    this.catalog = catalogOfRecording(events, profile);
    this.#breakpoints = new BreakpointList(this.catalog);
    this.#pods = pods;
    const { breakpoints, filters } = readRunDebug(debug);
    this.#breakpoints.restore(breakpoints);
    this.#filters = filters;
  }

  state(): DebugState {
    return {
      version: this.#version,
      attached: false,
      options: { probes: 'missed', onDisconnect: 'release' },
      stopped: [],
      pausing: [],
      held: [],
      breakpoints: this.#breakpoints.all.map((breakpoint) => breakpoint.state()),
      filters: [...this.#filters],
      faults: [],
      plans: [],
    };
  }

  /**
   * Returns a gate with the current breakpoints and filters.
   * @throws DebuggerError Invalid for a filter's condition that isn't valid CEL
   */
  gate(): RecordedGate {
    return new RecordedGate({
      catalog: this.catalog,
      breakpoints: this.#breakpoints.all,
      filters: this.#filters,
      pods: this.#pods,
    });
  }

  #setBreakpoints(group: string, specs: readonly BreakpointSpec[]): BreakpointState[] {
    const own = this.#breakpoints.replace(group, specs);
    this.#version += 1;
    return own.map((breakpoint) => breakpoint.state());
  }

  #setFilters(filters: readonly ExceptionFilterSpec[]): void {
    check(filters);
    this.#filters = filters;
    this.#version += 1;
  }

  /** The handlers by command. Each handler throws a DebuggerError Invalid for invalid arguments. */
  readonly commands: RecordedCommandHandlers = {
    debugState: () => this.state(),
    points: () => this.catalog.list(),
    setBreakpoints: ({ group = '', breakpoints }) => ({ breakpoints: this.#setBreakpoints(group, breakpoints) }),
    checkBreakpoint: ({ breakpoint }) => {
      const { verified, message, source } = this.#breakpoints.check(breakpoint);
      return { verified, message, source };
    },
    setExceptionBreakpoints: ({ filters }) => {
      this.#setFilters(filters);
      return { filters };
    },
  };
}
