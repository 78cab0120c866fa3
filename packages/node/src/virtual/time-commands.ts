/** Handles the commands that change how the time of a simulation advances. */
import { ApiError } from '@podscope/apiserver';
import type { EventLog, TraceEvent, TraceEventType } from '@podscope/trace';
import type { CommandHandlers } from '../commands/command-table.ts';
import type { TimeDriver } from './time-driver.ts';

/** Returns a function that returns true once a matching event is in the log. It checks each event once. */
function hasHappened(log: EventLog, isSuch: (event: TraceEvent) => boolean): () => boolean {
  let seen = log.lastSeq;
  let found = false;
  return () => {
    found ||= log.after(seen).some(isSuch);
    seen = log.lastSeq;
    return found;
  };
}

/** The types of events that change what a client shows of a pod. */
const changes: ReadonlySet<TraceEventType> = new Set([
  'syncResult',
  'kubernetesEvent',
  'podChanged',
  'podStatus',
  'backOff',
  'runtimeStateChanged',
  'stopped',
  'continued',
  'intervention',
]);

const changesPod = ({ pod, type }: TraceEvent): boolean => pod !== undefined && changes.has(type);

/** The longest virtual time that a step to the next change may take, in ms: a day. */
const longestStep = 86_400_000;

/**
 * Returns the handlers of `setTime` and `stepTime`. A step doesn't end at an event of a polling loop, for example of a
 * relist.
 */
export const timeCommandHandlers = (driver: TimeDriver, log: EventLog): CommandHandlers => ({
  setTime: async ({ speed, paused }) => {
    driver.set({ speed, paused });
    // A move of the clock that is in progress may still log events.
    if (paused) await driver.idle();
    return { time: driver.state, lastSeq: log.lastSeq };
  },
  stepTime: async ({ milliseconds, toNextEvent, toNextChange, toStop }) => {
    if (toNextChange ? toNextEvent : (milliseconds === undefined) === !toNextEvent)
      throw new ApiError(400, 'BadRequest', 'stepTime takes either milliseconds, toNextEvent or toNextChange.');
    const before = log.lastSeq;
    if (toNextChange) await driver.step(milliseconds ?? longestStep, hasHappened(log, changesPod));
    else if (milliseconds === undefined) await driver.stepUntil(hasHappened(log, ({ pod }) => pod !== undefined));
    else await driver.step(milliseconds, toStop ? hasHappened(log, ({ type }) => type === 'stopped') : undefined);
    return { time: driver.state, events: log.lastSeq - before, lastSeq: log.lastSeq };
  },
});
