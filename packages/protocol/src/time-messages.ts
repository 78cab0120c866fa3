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
      'Lets so much virtual time pass at once, with toStop no further than to where the debugger stops a ' +
        'thread; or, with toNextEvent, as much as it takes until something happens, a day at most. With ' +
        'toNextChange it stops at the first status, container state, back-off, SyncResult, Kubernetes event or ' +
        'stop of a pod, and otherwise after `milliseconds` or a day. Result: { time: RunTime, events: number, ' +
        'lastSeq: number }, with how many events there were and the number of the newest.',
    ),
  z
    .object({ command: z.literal('rerun'), seq: z.int().nonnegative() })
    .describe(
      'Runs the simulation again from its beginning, with the same seed and all that was done to it, up to this ' +
        'event, and pauses there: what is to differ is said next, before time passes. Clients are sent on to the ' +
        'new run, which the `bye` names in `next`, and are let in when it is there; requests over HTTP wait for ' +
        'it. The run so far stays among the kept ones. Result: { run: string }, the id of the new run.',
    ),
] as const;
