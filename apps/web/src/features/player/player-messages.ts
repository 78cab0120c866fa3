/** Defines the messages between an embedded page and the page around it: docs/learn/embedding.md. */
import { z } from 'zod';

/** The version of the messages. Each message contains it as the member `podscope`. */
export const playerVersion = 1;

const seconds = z.number().nonnegative().max(86_400);

const playerRequestSchema = z.discriminatedUnion('do', [
  /** Plays a scenario and pauses it at `at` seconds. */
  z.object({
    do: z.literal('load'),
    scenario: z.string().max(100),
    seed: z.union([z.number(), z.string().max(100)]).optional(),
    profile: z.enum(['v1.36', 'v1.20']).optional(),
    at: seconds.optional(),
  }),
  /** Opens a lesson of the library, or a lesson whose Markdown text is part of the message. */
  z.object({
    do: z.literal('loadLesson'),
    lesson: z.string().max(100).optional(),
    text: z.string().max(1_000_000).optional(),
    /** The same lesson in Chinese, shown if the page is in Chinese. */
    translation: z.string().max(1_000_000).optional(),
    step: z.string().max(100).optional(),
  }),
  z.object({ do: z.literal('play'), speed: z.number().min(0.1).max(1_000).optional() }),
  z.object({ do: z.literal('pause') }),
  /** Shows a second of the scenario. To show an earlier second, the scenario is played again from the start. */
  z.object({ do: z.literal('seek'), seconds }),
  z.object({ do: z.literal('state') }),
]);
export type PlayerRequest = z.infer<typeof playerRequestSchema>;

export const playerMessageSchema = z.object({
  podscope: z.literal(playerVersion),
  id: z.number(),
  request: playerRequestSchema,
});

/** A message whose request may be invalid. The answer to it names the problem. */
export const invalidMessageSchema = playerMessageSchema.pick({ podscope: true, id: true });

/** The state of the player. */
export interface PlayerState {
  /** Seconds of the scenario that have passed. */
  readonly seconds: number;
  readonly paused: boolean;
  readonly scenario: string | undefined;
  readonly lesson: string | undefined;
  readonly step: string | undefined;
}

/** A report of the player. */
export type PlayerEvent =
  | { readonly event: 'ready' }
  /**
   * The step of the lesson entered a phase. In `setting`, the scene of the step is being prepared. In `ready`, the step
   * waits for the user.
   */
  | {
      readonly event: 'step';
      readonly lesson: string;
      readonly step: string;
      readonly index: number;
      readonly steps: number;
      readonly phase: string;
    }
  /** A question was answered, and the answer was judged. `right` is null if the run can't decide it. */
  | {
      readonly event: 'answer';
      readonly lesson: string;
      readonly step: string;
      readonly answer: number;
      readonly right: number | null;
      readonly isRight: boolean;
    };
