/** Declares the form in which an observer saves its memory, and reads it back after a restart of the debugger. */
import { isRecord } from '@podscope/base';
import type { PodStatus, ResourceRequirements } from '@podscope/k8s';
import { instant } from '@podscope/trace';
import { z } from 'zod';

const backOffs = z.array(
  z.tuple([
    z.string(),
    z
      .object({ backoff: z.number(), lastUpdate: z.number() })
      .transform(({ backoff, lastUpdate }) => ({ backoff, lastUpdate: instant(lastUpdate) })),
  ]),
);

const memories = z.array(
  z.object({
    uid: z.string(),
    backOffs,
    imageBackOffs: backOffs,
    reasons: z.array(z.tuple([z.string(), z.object({ error: z.string(), message: z.string() })])),
    status: z.custom<PodStatus>(isRecord).optional(),
    /** The newest attempt by container name. */
    attempts: z.array(z.tuple([z.string(), z.number()])),
    isTerminal: z.boolean(),
    actuated: z.array(z.tuple([z.string(), z.custom<ResourceRequirements>(isRecord)])),
  }),
);

const probes = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['startup', 'readiness', 'liveness']),
    streak: z.object({ last: z.boolean(), count: z.number() }).optional(),
    result: z.enum(['success', 'failure', 'unknown']).optional(),
  }),
);

const state = z.object({
  /** Time of the newest observation, in milliseconds since the Unix epoch. */
  at: z.number(),
  memories,
  probes,
  /** Sandboxes that the kubelet has stopped. Garbage collection stops them again. */
  stopped: z.array(z.string()),
});

export type SavedMemories = z.infer<typeof memories>;
export type SavedProbes = z.infer<typeof probes>;

/** The memory of an observer, as JSON. */
export type SavedState = z.infer<typeof state>;

/** Reads a saved state. Returns undefined for anything else, such as the state of another version. */
export function readSavedState(json: unknown): SavedState | undefined {
  return state.safeParse(json).data;
}
