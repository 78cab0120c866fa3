/**
 * What people did to a run, and when: with the options it began from, all that is needed to run it again. It is done between two moves of
 * the clock, so that "when" is exact.
 */
import type { Cluster } from '@podscope/cluster';
import { type Command, onlyLooks } from '@podscope/protocol';
import type { Instant } from '@podscope/trace';

/** Where in a run: the same options and inputs bring it there again. */
interface Place {
  readonly at: Instant;
  /** Number of the last event before it. */
  readonly after: number;
  /** Timers that had run: several may be due at one instant. */
  readonly fired: number;
}

/** One command that changed the run, another change from outside, or the coming and going of those for whom a debugger stops. */
export type Input = { readonly command: Command } | { readonly change: (cluster: Cluster) => unknown } | { readonly isAnyoneHere: boolean };

/** What was done, and when. */
export type RecordedInput = Place & Input;

/** Commands that move the clock: what was done is kept with the instant at which it was. */
const movesClock: ReadonlySet<Command['command']> = new Set(['setTime', 'stepTime', 'rerun']);

/** True when a run repeats only if this command is performed again. */
export const changesRun = (command: Command): boolean => !onlyLooks(command) && !movesClock.has(command.command);
