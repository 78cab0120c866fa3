/**
 * Defines the simulation document, with which users describe a simulated node in scenarios, files and links.
 * docs/use/simulator.md explains each member.
 */
import { goDurationPattern, parseGoDuration, readImageReference } from '@podscope/base';
import { isQuantity, parseQuantity, quantityValue } from '@podscope/k8s';
import { grpcErrorCodes } from '@podscope/trace';
import { z } from 'zod';
import { ScriptError } from '../behavior/clause.ts';
import { parseScript } from '../behavior/script.ts';
import type { PlannedFault } from '../faults.ts';
import { type ImageDefinition, unknownImage } from '../images/catalog.ts';
import { definitionIn, type RegistryOptions, withUsualRegistries } from '../images/registry.ts';
import { PodNetwork } from '../network/pod-network.ts';
import { defaultLatencies, type Latencies, operations } from '../operations.ts';
import { defaultImages, defaultNodeIp } from '../options.ts';

const durationWanted = 'must be a duration such as 250ms, 5s or 1m30s, or a number of milliseconds';

/** A duration: a number of milliseconds, or a text like `250ms`, `5s` or `1m30s`. */
const duration = z
  .union([z.number().min(0), z.string().regex(new RegExp(`^(?:${goDurationPattern})$`), durationWanted)], {
    error: durationWanted,
  })
  .transform((given) => (typeof given === 'number' ? given : (parseGoDuration(given) ?? 0)));

const bytesWanted = 'must be a quantity such as 25M or 8Gi, or a number of bytes';

/** A size: a number of bytes, or a Kubernetes quantity like `28M` or `8Gi`. */
const bytes = z
  .union(
    [
      z.number().int().min(0),
      z.string().refine((text) => isQuantity(text) && quantityValue(parseQuantity(text)) >= 0, bytesWanted),
    ],
    {
      error: bytesWanted,
    },
  )
  .transform((given) => quantityValue(parseQuantity(given)));

const text = z.string().min(1, 'must not be empty');
const words = z.array(z.string());

const imageSchema = z
  .strictObject({
    entrypoint: words.optional(),
    command: words.optional(),
    env: z.record(text, z.string()).optional(),
    user: text.optional(),
    workingDir: text.optional(),
    stopSignal: z
      .enum(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGKILL'])
      .optional(),
    files: z.record(text, z.string()).optional(),
    layers: z.array(bytes).min(1, 'must have at least one layer').optional(),
    tools: z.enum(['busybox', 'gnu', 'none']).optional(),
    programs: z.array(text).optional(),
    anyProgram: z.boolean().optional(),
    isSameForAllTags: z.boolean().optional(),
  } satisfies Record<keyof ImageDefinition, z.ZodType>)
  .transform((given): ImageDefinition => {
    const { tools, entrypoint, layers = unknownImage.layers } = given;
    // An image with explicit tools has all its properties in the document. Any other image has the defaults of an
    // unknown image.
    if (tools !== undefined) return { ...given, tools, layers };
    return {
      ...unknownImage,
      ...(entrypoint ? { command: undefined } : {}),
      ...given,
      tools: unknownImage.tools,
      layers,
    };
  });

/** Returns the source of a regular expression that matches a name. `*` in the name matches any text. */
const patternOf = (name: string): string =>
  name.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');

/**
 * Returns a regular expression that matches any of `names`, which may contain `*`. For an empty list it matches
 * nothing.
 */
const namesPattern = (names: readonly string[]): RegExp =>
  new RegExp(`^(?:${names.map(patternOf).join('|') || '(?!)'})$`);

const names = z.array(text).transform(namesPattern);

const registrySchema = z.strictObject({
  host: z
    .string()
    .regex(
      /^(?:\*|(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)$/,
      'must be a host such as docker.io or localhost:5000, *.example.com, or *',
    ),
  repositories: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9._/-]*$/, 'must be a path such as library/nginx'), imageSchema)
    .optional(),
  otherRepositories: imageSchema.optional(),
  libraryIsListed: z.boolean().optional(),
  missingTags: names.optional(),
  missingRepositories: names.optional(),
  credentials: z.array(z.strictObject({ username: text, password: z.string() })).optional(),
  failure: z.enum(['no such host', 'connection refused', 'timeout', 'unavailable']).optional(),
  latency: duration.optional(),
  bytesPerSecond: bytes.refine((given) => given > 0, 'must be greater than 0').optional(),
  rateLimit: z
    .strictObject({ pulls: z.int().min(0), period: duration.refine((given) => given > 0, 'must be greater than 0') })
    .optional(),
  flakiness: z.number().min(0).max(1).optional(),
  resets: z.number().min(0).max(1).optional(),
} satisfies Record<keyof RegistryOptions, z.ZodType>);

const faultSchema = z.strictObject({
  operation: z.enum(operations),
  message: text,
  code: z.enum(grpcErrorCodes).optional(),
  times: z.int().min(1).optional(),
  skip: z.int().min(0).optional(),
  after: duration.optional(),
  probability: z.number().gt(0).max(1).optional(),
} satisfies Record<keyof PlannedFault, z.ZodType>);

const script = z.string().superRefine((given, context) => {
  try {
    parseScript(given, 0);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    context.addIssue({ code: 'custom', message: error.message, input: given });
  }
});

const isIpRange = (given: string): boolean => {
  try {
    return new PodNetwork(given, defaultNodeIp) instanceof PodNetwork;
  } catch {
    // The constructor rejects an invalid range.
    return false;
  }
};

const imageReference = z
  .string()
  .refine((given) => readImageReference(given) !== undefined, 'must be an image reference such as nginx:1.27');

/** Rejects initial images that don't exist in any registry. */
function rejectUnknownImages(
  {
    images = defaultImages,
    registries = [],
  }: { readonly images?: readonly string[]; readonly registries?: readonly RegistryOptions[] },
  context: z.core.$RefinementCtx,
): void {
  for (const [index, image] of images.entries()) {
    const reference = readImageReference(image);
    if (!reference || definitionIn(withUsualRegistries(registries)(reference.domain), reference)) continue;
    context.addIssue({
      code: 'custom',
      path: ['images', index],
      message: 'no simulated registry has this image',
      input: image,
    });
  }
}

export const simulationDocumentSchema = z
  .strictObject({
    seed: z.union([z.int(), text], { error: 'must be a whole number or a text' }).optional(),
    images: z.array(imageReference).optional(),
    registries: z.array(registrySchema).optional(),
    scripts: z
      .record(
        z
          .string()
          .regex(
            /^(?:[a-z0-9.-]+\/){0,2}[a-z0-9-]+$/,
            'must be a container: container, pod/container or namespace/pod/container',
          ),
        script,
      )
      .optional(),
    latencies: z
      .partialRecord(z.enum(operations), duration)
      .transform((given): Latencies => ({ ...defaultLatencies, ...given }))
      .optional(),
    ipRange: z.string().refine(isIpRange, 'must be an IPv4 range of /8 to /30 such as 10.244.0.0/24').optional(),
    faults: z.array(faultSchema).optional(),
    nodeMemory: bytes.refine((given) => given > 0, 'must be greater than 0').optional(),
    sandboxImage: imageReference.optional(),
    hasSandboxImage: z.boolean().optional(),
    engineApiVersion: z
      .string()
      .regex(/^\d+\.\d+$/, 'must be an API version of Docker such as 1.41')
      .optional(),
    runtimeHandlers: z.array(text).optional(),
  })
  .superRefine(rejectUnknownImages);

/** The document as a user writes it. */
export type SimulationDocument = z.input<typeof simulationDocumentSchema>;

/** The parsed document, which contains the seed and the options of the simulator. */
export type SimulationSettings = z.output<typeof simulationDocumentSchema>;
