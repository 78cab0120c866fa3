/** Reads scenarios that users write or record: docs/learn/lessons.md describes the format. */
import type { EphemeralContainer } from '@podscope/k8s';
import { simulationDocumentSchema } from '@podscope/simulated-runtime';
import { z } from 'zod';
import type { Act, Scenario } from './scenario.ts';

const name = z.string().min(1).max(253);
const at = z.number().nonnegative().max(86_400);
const resourceList = z.record(z.string(), z.union([z.string(), z.number()]).transform(String));
const ofContainer = { namespace: name, name, container: name };

/** The API server validates the container when the act is performed. */
const ephemeralContainerSchema = z.custom<EphemeralContainer>(
  (value) => z.looseObject({ name }).safeParse(value).success,
  'needs a name',
);

const commandSchema = z.discriminatedUnion('command', [
  z.strictObject({
    command: z.literal('setFaultPlan'),
    yaml: z.string().max(262_144),
    enabled: z.boolean().optional(),
  }),
  z.strictObject({ command: z.literal('enableFaultPlan'), name, enabled: z.boolean() }),
  z.strictObject({ command: z.literal('skipBackOff'), ...ofContainer }),
  z.strictObject({ command: z.literal('setBackOff'), ...ofContainer, seconds: z.number().nonnegative().max(86_400) }),
]);

const actSchema = z.discriminatedUnion('do', [
  z.strictObject({ at, do: z.literal('apply'), manifest: z.string() }),
  z.strictObject({
    at,
    do: z.literal('deletePod'),
    pod: name,
    gracePeriodSeconds: z.int().nonnegative().optional(),
  }),
  z.strictObject({ at, do: z.literal('killContainer'), pod: name, container: name }),
  z.strictObject({ at, do: z.literal('exitContainer'), pod: name, container: name, code: z.int().min(0).max(255) }),
  z.strictObject({ at, do: z.literal('stopSandbox'), pod: name }),
  z.strictObject({ at, do: z.literal('removeImage'), image: name }),
  z.strictObject({ at, do: z.literal('addImage'), image: name }),
  z.strictObject({ at, do: z.literal('setNetworkReady'), ready: z.boolean() }),
  z.strictObject({ at, do: z.literal('debug'), pod: name, container: ephemeralContainerSchema }),
  z.strictObject({
    at,
    do: z.literal('resize'),
    pod: name,
    container: name,
    resources: z.strictObject({ requests: resourceList.optional(), limits: resourceList.optional() }),
  }),
  z.strictObject({
    at,
    do: z.literal('restartNode'),
    downFor: z.number().nonnegative(),
    containersGone: z.boolean().optional(),
  }),
  z.strictObject({ at, do: z.literal('restartKubelet'), downFor: z.number().nonnegative() }),
  z.strictObject({
    at,
    do: z.literal('shutdownNode'),
    gracePeriod: z.number().nonnegative(),
    criticalGracePeriod: z.number().nonnegative().optional(),
  }),
  z.strictObject({ at, do: z.literal('setStaticPods'), manifest: z.string() }),
  z.strictObject({ at, do: z.literal('command'), command: commandSchema }),
]);

/** The simulated node of a scenario. The parsed form is used when the scenario is played. */
const simulatorSchema = z.custom<Scenario['simulator']>().superRefine((value, context) => {
  const { error } = simulationDocumentSchema.safeParse(value);
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
});

const ownScenarioSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'is made of lower-case words with hyphens'),
  title: z.string().optional(),
  /** Applied at the start. */
  manifest: z.string().min(1),
  scripts: z.record(z.string(), z.string()).optional(),
  simulator: simulatorSchema.optional(),
  acts: z.array(actSchema).optional(),
  /** Time until the last interesting event, in seconds. */
  duration: z.number().positive().max(86_400),
  profiles: z
    .array(z.enum(['v1.36', 'v1.20']))
    .nonempty()
    .default(['v1.36']),
});
/** A scenario as its author writes it. */
export type OwnScenario = z.input<typeof ownScenarioSchema>;

/** Result of {@link readOwnScenario}: the scenario, or the description of its first error. */
export type ReadScenario =
  | { readonly scenario: Scenario; readonly error?: undefined }
  | { readonly scenario?: undefined; readonly error: z.ZodError };

/** Returns the scenario of a parsed YAML document, or the description of its first error. */
export function readOwnScenario(value: unknown): ReadScenario {
  const { data, error } = ownScenarioSchema.safeParse(value);
  if (error) return { error };
  const { title = data.id, acts, ...rest } = data;
  const words = { en: title, zh: title };
  return {
    scenario: {
      category: 'start',
      summary: words,
      notice: [],
      docker: { onlySimulated: words },
      ...rest,
      title: words,
      ...(acts ? { acts: acts satisfies readonly Act[] } : {}),
    },
  };
}
