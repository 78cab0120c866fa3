/**
 * Inputs of a run with the instant of each. Together with the run's options they suffice to repeat it. Inputs happen
 * between two moves of the clock, so their instants are exact.
 */

import { type Command, onlyLooks } from '@podscope/protocol';
import type { Instant } from '@podscope/trace';
import type { NodeHost } from '../node-host.ts';

/** A position in a run. Equal options and inputs reach it again. */
interface Place {
  readonly at: Instant;
  /** Number of the last event before it. */
  readonly after: number;
  /** The number of timers that had fired, since several may be due at one instant. */
  readonly fired: number;
}

/**
 * A command that changed the run, another change from outside, or the first debugger client's arrival and the last
 * one's departure.
 */
export type Input =
  | { readonly command: Command }
  | { readonly change: (nodeHost: NodeHost) => unknown }
  | { readonly isAnyoneHere: boolean };

/** An input and its position. */
export type RecordedInput = Place & Input;

/** Commands that move the clock. They aren't recorded, because every input is recorded with its instant. */
const movesClock: ReadonlySet<Command['command']> = new Set(['setTime', 'stepTime', 'rerun']);

/** Returns true for commands that must be repeated to repeat a run. */
export const changesRun = (command: Command): boolean => !onlyLooks(command) && !movesClock.has(command.command);
