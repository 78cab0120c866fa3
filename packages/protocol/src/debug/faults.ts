/**
 * Declares the schemas of faults (changes to the flow set ahead of time, alone or as a named plan) and interventions
 * (the same changes made at a stop).
 */
import { goDurationPattern } from '@podscope/base';
import { grpcErrorCodes } from '@podscope/trace';
import { z } from 'zod';
import { maxExpressionLength, targetSchema } from './breakpoints.ts';

const message = z.string().max(4_000);

/** An error to inject. */
export const failureSchema = z.union([
  z.strictObject({ grpc: z.enum(grpcErrorCodes).describe('A CRI error: the name of its gRPC status code.'), message }),
  z.strictObject({
    docker: z.int().min(400).max(599).describe('A response of the Docker Engine: its HTTP status.'),
    message,
  }),
  z.strictObject({
    cni: z.int().min(1).max(999).describe('An error of a CNI plugin: its code. Code 11 means “try again later”.'),
    message,
    details: message.optional(),
  }),
  z.strictObject({ reason: z.string().min(1).max(200).describe('Any other error, by name.'), message }),
]);
export type Failure = z.infer<typeof failureSchema>;

/** A duration: `250ms`, `1.5s`, `1m30s`, or a number of milliseconds. */
export const durationSchema = z.union([
  z.number().nonnegative().max(86_400_000),
  z.string().regex(new RegExp(`^(?:${goDurationPattern})$`), 'is not a duration such as 250ms, 1.5s or 1m30s'),
]);

/**
 * Actions on the flow. They can be combined: `delay` comes first, then `set`, then one of `answer`, `fail` and `hang`.
 */
const actions = {
  delay: durationSchema.optional().describe('Waits this long on the node’s clock before continuing.'),
  set: z
    .record(z.string().max(200), z.unknown())
    .optional()
    .describe('Sets changeable variables by name: `{ "podActions.containersToStart": [1] }`.'),
  fail: failureSchema
    .optional()
    .describe('The call fails with this error. With `when: after`, the call is made first and its response is lost.'),
  answer: z
    .strictObject({ result: z.enum(['success', 'failure', 'warning']), output: message.optional() })
    .optional()
    .describe('The probe or hook returns this result instead of running.'),
  hang: z.literal(true).optional().describe('The call does not return until it is released or its context ends.'),
  cut: z
    .int()
    .nonnegative()
    .max(1_000_000)
    .optional()
    .describe('For a CRI call: its stream ends after this number of response messages.'),
  drop: z.literal(true).optional().describe('At `kubelet.plegEvent`: the event is not delivered.'),
  duplicate: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('At `kubelet.plegEvent`: the number of additional times the event is delivered.'),
  skipWait: z
    .literal(true)
    .optional()
    .describe('At `kuberuntime.doBackOff`: starts the container at once, whatever the back-off.'),
};

const actionNames = Object.keys(actions) as (keyof typeof actions)[];

const exclusive = ['fail', 'answer', 'hang', 'cut', 'drop', 'duplicate', 'skipWait'] as const;

/** Returns the problem of a combination of actions, or undefined if it is valid. */
function combinationError(value: object): string | undefined {
  const given = actionNames.filter((name) => name in value && Reflect.get(value, name) !== undefined);
  if (given.length === 0) return `say what to do: one of ${actionNames.join(', ')}`;
  const ends = given.filter((name) => (exclusive as readonly string[]).includes(name));
  return ends.length > 1 ? `${ends.join(' and ')} exclude each other` : undefined;
}

const combined = (value: object, ctx: z.core.$RefinementCtx): void => {
  const error = combinationError(value);
  if (error) ctx.addIssue({ code: 'custom', message: error, input: value });
};

/** An intervention at a stop. The thread continues with it. */
export const interventionActionSchema = z.strictObject(actions).superRefine(combined);
export type InterventionAction = z.infer<typeof interventionActionSchema>;

/** A fault, set ahead of time. */
export const faultSpecSchema = z
  .strictObject({
    ...targetSchema.shape,
    name: z.string().min(1).max(100).optional().describe('Name for display.'),
    at: z.string().min(1).max(200).describe('Id of a point, or a pattern with `*` and `?`.'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe('Applies before the work (default), or after it, so that the work is done but its result is lost.'),
    condition: z
      .string()
      .min(1)
      .max(maxExpressionLength)
      .optional()
      .describe('CEL expression. The fault applies only if it is true.'),
    skip: z.int().nonnegative().optional().describe('Number of matches to ignore first.'),
    probability: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Share of the matches to which the fault applies, chosen with `seed`.'),
    seed: z.int().nonnegative().optional().describe('Seed of the choice. The same seed chooses the same matches.'),
    expires: durationSchema
      .optional()
      .describe('Time after which the fault stops applying. Default with a genuine kubelet: 10m; otherwise none.'),
    times: z.int().positive().optional().describe('Maximum number of times the fault applies. Default: no limit.'),
    ...actions,
  })
  .superRefine(combined);
export type FaultSpec = z.infer<typeof faultSpecSchema>;

/** A named list of faults, as saved in a file. */
export const faultPlanSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/, 'is not a name of lower case letters, digits, - and .'),
  description: z.string().max(2_000).optional(),
  faults: z.array(faultSpecSchema).min(1).max(200),
});
export type FaultPlan = z.infer<typeof faultPlanSchema>;

/** A fault as the node reports it. */
export const faultStateSchema = z.object({
  id: z.int().positive(),
  /** The list or plan that contains the fault: `plan/NAME` for a plan. */
  group: z.string(),
  spec: faultSpecSchema,
  verified: z.boolean(),
  message: z.string().optional(),
  /** Number of times the fault was applied. */
  applied: z.int().nonnegative(),
  kept: z.boolean().optional().describe('True if the fault was restored when the node started.'),
});
export type FaultState = z.infer<typeof faultStateSchema>;

/** A call that hangs because of a fault or an intervention. */
export const heldCallSchema = z.object({
  id: z.int().positive(),
  thread: z.string(),
  pod: z.string().optional(),
  span: z.int().positive(),
  point: z.string(),
  since: z.number(),
});
export type HeldCall = z.infer<typeof heldCallSchema>;

export const faultPlanStateSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  enabled: z.boolean(),
  faults: z.int().nonnegative(),
  /** The plan's original text. */
  yaml: z.string(),
});
export type FaultPlanState = z.infer<typeof faultPlanStateSchema>;
