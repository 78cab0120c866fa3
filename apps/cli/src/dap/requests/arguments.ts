/** Defines the schemas of the DAP request arguments that the adapter reads. */
import { z } from 'zod';

const source = z.object({ path: z.string().optional(), name: z.string().optional() });
const id = z.int().nonnegative();

/**
 * Matches an origin. Its host is a name, an IPv4 address or an IPv6 address. `*.name` stands for all names below
 * `name`.
 */
const originForm =
  /^https?:\/\/(?:\[[\da-f:.]+\]|(?:\*\.)?[a-z\d_](?:[\w-]*\w)?(?:\.[a-z\d_](?:[\w-]*\w)?)*)(?::\d+)?$/;

// The pattern excludes characters such as `;` and `,`, because origins become part of a Content-Security-Policy.
const frameAncestor = z
  .string()
  .max(300)
  .refine(
    (text) => originForm.test(text) && URL.parse(text)?.origin === text,
    'is not an origin such as https://code.example',
  );
const origin = frameAncestor.refine((text) => !text.includes('*'), 'is not the origin of one host');

const common = {
  /**
   * Name of the client's breakpoint list on the node. Clients with different groups don't replace each other's
   * breakpoints.
   */
  group: z.string().max(63).default('dap'),
  /** True to send every event of the run as a `podscopeEvents` event. */
  events: z.boolean().default(false),
  /** The token that `--listen` printed. */
  adapterToken: z.string().optional(),
};

const launchFields = z.object({
  ...common,
  /** Path of the manifest. */
  program: z.string().min(1).optional(),
  /** Names of the pods in the manifest that are run. Default: all pods. */
  pods: z.array(z.string().min(1)).min(1).optional(),
  /** Id of a scenario to play instead of a manifest. */
  scenario: z.string().min(1).optional(),
  runtime: z
    .string()
    .regex(/^(?:auto|docker|sim|unix:\/\/\/[^/].*)$/, 'is not auto, docker, sim or unix:///path/of/a.sock')
    .default('auto'),
  profile: z.enum(['v1.36', 'v1.20']).default('v1.36'),
  featureGates: z.string().optional(),
  stopOnEntry: z.boolean().default(false),
  noDebug: z.boolean().default(false),
  seed: z.union([z.string(), z.number()]).optional(),
  faults: z.string().optional(),
  /** Path of the file with simulation settings. */
  simulation: z.string().optional(),
  /** Virtual seconds per real second. Applies only to the simulator. */
  speed: z.number().min(0.1).max(1_000).default(10),
  keepPods: z.boolean().default(false),
  stateDir: z.string().optional(),
  allowPrivileged: z.boolean().default(false),
  allowHostPath: z.boolean().default(false),
  allowHostNamespaces: z.boolean().default(false),
});

export const launchSchema = launchFields
  .refine(({ program, scenario }) => (program === undefined) !== (scenario === undefined), {
    path: ['program'],
    message: 'launch takes a program, the path of a manifest, or a scenario',
  })
  .refine(({ scenario, runtime }) => scenario === undefined || runtime === 'auto' || runtime === 'sim', {
    path: ['runtime'],
    message: 'scenarios run in the simulator only',
  });
export type LaunchArguments = z.infer<typeof launchSchema>;

export const attachSchema = z.object({ ...common, url: z.url({ protocol: /^https?$/ }), token: z.string().min(1) });

export const requestSchemas = {
  setBreakpoints: z.object({
    source,
    breakpoints: z
      .array(
        z.object({
          line: id,
          condition: z.string().optional(),
          hitCondition: z.string().optional(),
          logMessage: z.string().optional(),
        }),
      )
      .default([]),
  }),
  setFunctionBreakpoints: z.object({
    breakpoints: z.array(
      z.object({ name: z.string(), condition: z.string().optional(), hitCondition: z.string().optional() }),
    ),
  }),
  setExceptionBreakpoints: z.object({
    filters: z.array(z.string()),
    filterOptions: z.array(z.object({ filterId: z.string(), condition: z.string().optional() })).default([]),
  }),
  breakpointLocations: z.object({ source, line: id, endLine: id.optional() }),
  thread: z.object({ threadId: id, granularity: z.string().optional(), singleThread: z.boolean().optional() }),
  stackTrace: z.object({ threadId: id, startFrame: id.optional(), levels: id.optional() }),
  frame: z.object({ frameId: id }),
  variables: z.object({
    variablesReference: id,
    filter: z.enum(['indexed', 'named']).optional(),
    start: id.optional(),
    count: id.optional(),
  }),
  setVariable: z.object({ variablesReference: id, name: z.string(), value: z.string() }),
  evaluate: z.object({ expression: z.string(), frameId: id.optional(), context: z.string().optional() }),
  source: z.object({ sourceReference: id.optional(), source: z.object({ sourceReference: id.optional() }).optional() }),
  podscope: z.looseObject({ command: z.string() }),
  podscopePage: z
    .object({
      /** The origin under which the client's window reaches the page, if its port is forwarded. */
      origin: origin.optional(),
      /** Origins of pages that may show Podscope's page in a frame, in addition to VS Code's desktop program. */
      frameAncestors: z.array(frameAncestor).max(10).default([]),
    })
    .default({ frameAncestors: [] }),
} as const;
