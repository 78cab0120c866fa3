/**
 * Declares the schemas of breakpoints, as clients send them and as the node reports them, in the terms of the Debug
 * Adapter Protocol.
 */
import { z } from 'zod';

/** Maximum length of a CEL expression, in characters. */
export const maxExpressionLength = 1_000;

const expression = z.string().min(1).max(maxExpressionLength);

/** Selects pods, containers and threads. An absent field matches everything. */
export const targetSchema = z.object({
  /** Namespace of the pod; `*` and `?` are wildcards. */
  namespace: z.string().max(253).optional().describe('Namespace of the pod; `*` and `?` are wildcards.'),
  /** Name of the pod, with wildcards. */
  pod: z.string().max(253).optional().describe('Name of the pod; `*` and `?` are wildcards.'),
  /** Name of the container, with wildcards. */
  container: z
    .string()
    .max(253)
    .optional()
    .describe('Name of the container; `*` and `?` are wildcards. Points without a container don’t match.'),
  containerType: z
    .enum(['init', 'sidecar', 'container', 'ephemeral'])
    .optional()
    .describe(
      'Only containers of this type: `init` (runs to its end), `sidecar` (restartable init), `container` (app), ' +
        '`ephemeral`.',
    ),
  /**
   * Threads to match. Loops are matched only if they are named here, because a stop on a loop's thread stops that loop
   * for all pods.
   */
  threads: z
    .enum(['workers', 'loops', 'all'])
    .optional()
    .describe(
      'Which threads: `workers` are pod workers and probe workers, where a stop holds one pod; `loops` are ' +
        'syncLoop, pleg and the like, where a stop holds that loop for all pods. Default: `loops` for points of ' +
        'kind `loop`, else `workers`.',
    ),
});
export type Target = z.infer<typeof targetSchema>;

/**
 * A place in the flow: one point, several points by wildcard or kind, a line of the engine's source, or a decision.
 * Exactly one of point, kind, line and decision is set.
 */
const place = {
  point: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Id of a point, or a pattern with `*` and `?`: `syncPod.createPodSandbox`, `cri.*`. Or the name of a function ' +
        'that has points: `SyncPod`, `Kubelet.SyncPod`.',
    ),
  kind: z
    .string()
    .max(40)
    .optional()
    .describe('All points of a kind: `syncStep`, `cri`, `docker`, `cni`, `hook`, `probe`, …'),
  decision: z
    .string()
    .max(200)
    .optional()
    .describe(
      'A rule, by name or pattern: `computePodActions.*`. Rules are evaluated within a step, so the thread stops ' +
        'at the next point after the rule.',
    ),
  source: z
    .object({ path: z.string().max(400), line: z.int().positive() })
    .optional()
    .describe('A line of the engine’s source. Without a point at that line, the next point of the file is used.'),
};

/** A breakpoint as a client requests it. */
export const breakpointSpecSchema = targetSchema
  .extend({
    ...place,
    when: z
      .enum(['before', 'after', 'error'])
      .optional()
      .describe('Stops before the work (default), after it with its result, or after it only if it failed.'),
    condition: expression
      .optional()
      .describe(
        'CEL expression over the variables of the stop. The breakpoint is hit only if it is true. Example: ' +
          '`attempt > 1 && error.contains("not found")`.',
      ),
    hitCondition: z
      .string()
      .max(20)
      .regex(/^\s*(?:(?:>=|>|==|=|<=|<|%)\s*)?\d+\s*$/, 'is not like `5`, `>= 3` or `% 5`')
      .optional()
      .describe(
        'Hits at which to stop: `5` or `== 5` for the fifth only, `>= 3` from the third, `% 5` for every fifth.',
      ),
    logMessage: z
      .string()
      .max(2_000)
      .optional()
      .describe('Logs this text instead of stopping. `{expression}` is replaced by the value of a CEL expression.'),
    oneShot: z.boolean().optional().describe('The breakpoint is removed after its first hit.'),
    enabled: z
      .boolean()
      .optional()
      .describe('If false, the breakpoint stays in the list and is never hit. Default true.'),
  })
  .refine(
    ({ point, kind, decision, source }) =>
      [point, kind, decision, source].filter((given) => given !== undefined).length === 1,
    {
      message: 'A breakpoint names exactly one of point, kind, decision and source.',
    },
  );
export type BreakpointSpec = z.infer<typeof breakpointSpecSchema>;

/** A place in the engine's source. */
export const sourceLocationSchema = z.object({
  /** Path from the root of the repository: `packages/kuberuntime/src/sync/steps.ts`. */
  path: z.string(),
  line: z.int().positive(),
});
export type SourceLocation = z.infer<typeof sourceLocationSchema>;

/** A breakpoint as the node reports it. */
export const breakpointStateSchema = z.object({
  id: z
    .int()
    .positive()
    .describe('Assigned by the node. Stays the same across restarts unless the breakpoint changes.'),
  group: z.string().describe('The group that contains the breakpoint.'),
  spec: breakpointSpecSchema,
  verified: z.boolean().describe('False if the breakpoint can never be hit.'),
  message: z.string().optional().describe('The reason why it is not verified, or a note about it.'),
  source: sourceLocationSchema.optional().describe('The source location of its point.'),
  hits: z.int().nonnegative().describe('Number of times the breakpoint was reached with a true condition.'),
});
export type BreakpointState = z.infer<typeof breakpointStateSchema>;

/**
 * The exception filters with their descriptions. An exception filter is a condition that stops a thread at any point.
 */
export const exceptionFilters = {
  anyError: 'Any error: a span of the pod’s worker ends with an error.',
  firstBackOff: 'First back-off: a container or image enters back-off for the first time.',
  sandboxChanged: 'Sandbox changed: computePodActions decides to replace an existing sandbox.',
  phaseChanged: 'Phase changed: the phase of the pod changes.',
} as const;
export type ExceptionFilter = keyof typeof exceptionFilters;

export const exceptionFilterSchema = targetSchema.extend({
  filter: z.enum(Object.keys(exceptionFilters) as [ExceptionFilter, ...ExceptionFilter[]]),
  condition: expression.optional().describe('CEL expression. The filter applies only if it is true.'),
});
export type ExceptionFilterSpec = z.infer<typeof exceptionFilterSchema>;
