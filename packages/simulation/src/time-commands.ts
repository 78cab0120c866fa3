/** The commands that change how a simulation's time passes. */
import { ApiError, type CommandHandlers } from '@podscope/cluster';
import type { EventLog, TraceEvent } from '@podscope/trace';
import type { TimeDriver } from './time-driver.ts';

/** Holds from the first such event on that is told from now on. It is asked at every turn of the clock: each event is looked at once. */
function hasHappened(log: EventLog, isSuch: (event: TraceEvent) => boolean): () => boolean {
  let seen = log.lastSeq;
  let found = false;
  return () => {
    found ||= log.after(seen).some(isSuch);
    seen = log.lastSeq;
    return found;
  };
}

/** Handlers of `setTime` and `stepTime`. What happens in loops that only look (relist) does not count as an event to step to. */
export const timeCommandHandlers = (driver: TimeDriver, log: EventLog): CommandHandlers => ({
  setTime: ({ speed, paused }) => {
    driver.set({ speed, paused });
    return { time: driver.state };
  },
  stepTime: async ({ milliseconds, toNextEvent, toStop }) => {
    if ((milliseconds === undefined) === !toNextEvent) throw new ApiError(400, 'BadRequest', 'stepTime takes either milliseconds or toNextEvent.');
    const before = log.lastSeq;
    if (milliseconds === undefined) await driver.stepUntil(hasHappened(log, ({ pod }) => pod !== undefined));
    else await driver.step(milliseconds, toStop ? hasHappened(log, ({ type }) => type === 'stopped') : undefined);
    return { time: driver.state, events: log.lastSeq - before, lastSeq: log.lastSeq };
  },
});
