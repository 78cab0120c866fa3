/** The commands that change how a simulation's time passes. */
import { ApiError } from '@podscope/apiserver';
import type { EventLog, TraceEvent } from '@podscope/trace';
import type { CommandHandlers } from '../commands/command-table.ts';
import type { TimeDriver } from './time-driver.ts';

/** Returns a predicate that holds once a matching event has been logged. It checks each event once. */
function hasHappened(log: EventLog, isSuch: (event: TraceEvent) => boolean): () => boolean {
  let seen = log.lastSeq;
  let found = false;
  return () => {
    found ||= log.after(seen).some(isSuch);
    seen = log.lastSeq;
    return found;
  };
}

/** Returns the handlers of `setTime` and `stepTime`. Events of polling loops (relist) aren't events to step to. */
export const timeCommandHandlers = (driver: TimeDriver, log: EventLog): CommandHandlers => ({
  setTime: ({ speed, paused }) => {
    driver.set({ speed, paused });
    return { time: driver.state };
  },
  stepTime: async ({ milliseconds, toNextEvent, toStop }) => {
    if ((milliseconds === undefined) === !toNextEvent)
      throw new ApiError(400, 'BadRequest', 'stepTime takes either milliseconds or toNextEvent.');
    const before = log.lastSeq;
    if (milliseconds === undefined) await driver.stepUntil(hasHappened(log, ({ pod }) => pod !== undefined));
    else await driver.step(milliseconds, toStop ? hasHappened(log, ({ type }) => type === 'stopped') : undefined);
    return { time: driver.state, events: log.lastSeq - before, lastSeq: log.lastSeq };
  },
});
