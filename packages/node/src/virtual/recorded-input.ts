/**
 * Declares the inputs of a run, each with its instant. With the inputs and the run's options, the run can be repeated.
 * Inputs happen between two moves of the clock, so their instants are exact.
 */

import { type Command, isReadOnlyCommand } from '@podscope/protocol';
import type { Instant } from '@podscope/trace';
import type { NodeHost } from '../node-host.ts';

/** A place in a run. Another run with the same options and inputs reaches the same place. */
interface Place {
  readonly at: Instant;
  /** The sequence number of the last event before this place. */
  readonly after: number;
  /** How many timers had fired. Several timers may be due at one instant. */
  readonly fired: number;
}

/**
 * A command that changed the run, another change by a client, the arrival of the first client of the debugger, or the
 * departure of the last one.
 */
export type Input =
  | { readonly command: Command }
  | { readonly change: (nodeHost: NodeHost) => unknown }
  | { readonly hasClient: boolean };

/** An input and its position. */
export type RecordedInput = Place & Input;

/** The commands that move the clock. They aren't recorded, because every input is recorded with its instant. */
const movesClock: ReadonlySet<Command['command']> = new Set(['setTime', 'stepTime', 'rerun']);

/** Returns true for a command that has to be repeated when the run is repeated. */
export const changesRun = (command: Command): boolean =>
  !isReadOnlyCommand(command) && !movesClock.has(command.command);
