/** Declares the state of a run's virtual clock and the commands that control it. */
import { z } from 'zod';

export const timeStateSchema = z.object({
  /** The virtual clock, in milliseconds since the Unix epoch. */
  now: z.number(),
  /** Virtual seconds per real second. */
  speed: z.number().positive(),
  paused: z.boolean(),
});
export type RunTime = z.infer<typeof timeStateSchema>;

export const timeCommandSchemas = [
  z
    .object({
      command: z.literal('setTime'),
      speed: z.number().min(0.1).max(1000).optional(),
      paused: z.boolean().optional(),
    })
    .describe(
      'Sets the speed of virtual time, and pauses or resumes it. Result: { time: RunTime, lastSeq: number }, with ' +
        'the number of the newest event.',
    ),
  z
    .object({
      command: z.literal('stepTime'),
      milliseconds: z.number().positive().max(86_400_000).optional(),
      toNextEvent: z.boolean().optional(),
      /**
       * Advances virtual time until the first event that changes a pod (spans and decisions don't), but at most by
       * `milliseconds`, or by a day if that is absent.
       */
      toNextChange: z.boolean().optional(),
      /** Only with `milliseconds`: ends earlier if the debugger stops a thread. */
      toStop: z.boolean().optional(),
    })
    .describe(
      'Advances virtual time by `milliseconds`. With `toStop`, it ends earlier if the debugger stops a thread. ' +
        'With `toNextEvent`, it advances until the next event, but at most by a day. With `toNextChange`, it ' +
        'advances until the first status, container state, back-off, SyncResult, Kubernetes event or debugger ' +
        'stop of a pod, but at most by `milliseconds` or a day. Result: { time: RunTime, events: number, ' +
        'lastSeq: number }, with the number of new events and the number of the newest event.',
    ),
  z
    .object({ command: z.literal('rerun'), seq: z.int().nonnegative() })
    .describe(
      'Repeats the simulation from its start up to this event, with the same seed and the same commands, and ' +
        'pauses there. Commands sent while it is paused change the rest of the run. Each client gets a `bye` ' +
        'whose `next` is the id of the new run, and can connect when the new run has reached the event. HTTP ' +
        'requests wait until then. The old run stays in the saved runs. Result: { run: string }, the id of the ' +
        'new run.',
    ),
] as const;
