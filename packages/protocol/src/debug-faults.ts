/** Faults: what a debugger does to the flow ahead of time, alone or as a named plan; and interventions, the same things done at a stop. */
import { grpcErrorCodes } from '@podscope/trace';
import { z } from 'zod';
import { maxExpressionLength, targetSchema } from './debug-breakpoints.ts';

const message = z.string().max(4_000);

/** An error of someone's choice. */
export const failureSchema = z.union([
  z.strictObject({ grpc: z.enum(grpcErrorCodes).describe('A CRI error: the name of its gRPC status code.'), message }),
  z.strictObject({ docker: z.int().min(400).max(599).describe('An answer of the Docker Engine: its HTTP status.'), message }),
  z.strictObject({
    cni: z.int().min(1).max(999).describe('An error of a CNI plugin: its code. 11 means try again later.'),
    message,
    details: message.optional(),
  }),
  z.strictObject({ reason: z.string().min(1).max(200).describe('Any other error, by name.'), message }),
]);
export type Failure = z.infer<typeof failureSchema>;

/** A length of time: `250ms`, `1.5s`, `2m`, or a number of milliseconds. */
export const durationSchema = z.union([
  z.number().nonnegative().max(86_400_000),
  z.string().regex(/^\d+(\.\d+)?(ms|s|m|h)$/, 'is not a duration such as 250ms, 1.5s or 2m'),
]);

/** What is done to the flow. Several may be combined: a delay comes first, then `set`, then `answer`, `fail` or `hang`. */
const actions = {
  delay: durationSchema.optional().describe('Wait that long on the node’s clock before going on.'),
  set: z
    .record(z.string().max(200), z.unknown())
    .optional()
    .describe('Give changeable variables other values, by name: `{ "podActions.containersToStart": [1] }`.'),
  fail: failureSchema.optional().describe('The call fails with this error. With `when: after` it is made first, and its answer is lost.'),
  answer: z
    .strictObject({ result: z.enum(['success', 'failure', 'warning']), output: message.optional() })
    .optional()
    .describe('A probe or a hook gives this instead of being run.'),
  hang: z.literal(true).optional().describe('The call does not return until it is released, or its context ends.'),
  drop: z.literal(true).optional().describe('At `kubelet.plegEvent`: the event is not delivered.'),
  duplicate: z.int().min(1).max(100).optional().describe('At `kubelet.plegEvent`: the event is delivered that many times more.'),
  skipWait: z.literal(true).optional().describe('At `kuberuntime.doBackOff`: start now, however long the back-off would be.'),
};

const actionNames = Object.keys(actions) as (keyof typeof actions)[];

const exclusive = ['fail', 'answer', 'hang', 'drop', 'duplicate', 'skipWait'] as const;

/** What is wrong with a combination of actions, if anything. */
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

/** An intervention at a stop; the thread goes on with it. */
export const interventionActionSchema = z.strictObject(actions).superRefine(combined);
export type InterventionAction = z.infer<typeof interventionActionSchema>;

/** One fault. */
export const faultSpecSchema = z
  .strictObject({
    ...targetSchema.shape,
    name: z.string().min(1).max(100).optional().describe('What people call it.'),
    at: z.string().min(1).max(200).describe('Id of a point, or a pattern with `*` and `?`.'),
    when: z.enum(['before', 'after']).optional().describe('Before the work (default), or after it, so that it has been done and its result is lost.'),
    condition: z.string().min(1).max(maxExpressionLength).optional().describe('CEL; the fault applies only where it is true.'),
    skip: z.int().nonnegative().optional().describe('Leave that many matching passes alone first.'),
    times: z.int().positive().optional().describe('Apply at most that often; without it, every time.'),
    ...actions,
  })
  .superRefine(combined);
export type FaultSpec = z.infer<typeof faultSpecSchema>;

/** Faults with a name, as kept in files. */
export const faultPlanSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/, 'is not a name of lower case letters, digits, - and .'),
  description: z.string().max(2_000).optional(),
  faults: z.array(faultSpecSchema).min(1).max(200),
});
export type FaultPlan = z.infer<typeof faultPlanSchema>;

/** A fault as the node has it. */
export const faultStateSchema = z.object({
  id: z.int().positive(),
  /** The list or plan it belongs to: `plan/NAME` for a plan. */
  group: z.string(),
  spec: faultSpecSchema,
  verified: z.boolean(),
  message: z.string().optional(),
  /** How often it has been applied. */
  applied: z.int().nonnegative(),
  kept: z.boolean().optional().describe('True when it was set before the node was last started, and has been kept since.'),
});
export type FaultState = z.infer<typeof faultStateSchema>;

/** A call that hangs because a fault or an intervention says so. */
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
  /** The plan as it was written. */
  yaml: z.string(),
});
export type FaultPlanState = z.infer<typeof faultPlanStateSchema>;
