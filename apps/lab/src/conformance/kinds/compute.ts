/** Defines the kind `compute`: one call of computePodActions. */
import { type ComputeVector, computeDisagreements } from '@podscope/kuberuntime/testing';
import { z } from 'zod';
import { formatValue, gateLines, memberLines, podLines, podStatusLines } from './case-text.ts';
import { defineKind, findingOf, releaseOfID } from './kind.ts';
import { gatesSchema, podSchema, podStatusSchema, recordSchema } from './shapes.ts';

const resultSchema = z.enum(['success', 'failure', 'unknown']);
const resultsSchema = z.record(z.string(), resultSchema).nullable();

/** The schema of a case. */
export const computeSchema: z.ZodType<ComputeVector> = z.object({
  id: z.string(),
  gates: gatesSchema,
  pod: podSchema,
  podStatus: podStatusSchema(),
  probes: z.object({ liveness: resultsSchema, startup: resultsSchema }),
  restartAllContainers: z.boolean().optional(),
  actuated: z
    .object({ containers: z.record(z.string(), z.object({}).loose()).nullable(), pod: z.object({}).loose().nullable() })
    .optional(),
  expect: recordSchema,
});

export const compute = defineKind<ComputeVector>({
  name: 'compute',
  schema: computeSchema,
  // The expected decision has differently named members in the two releases.
  release: ({ id, expect }) =>
    releaseOfID(id) ??
    ('initContainersToStart' in expect ? 'v1.36' : 'nextInitContainerToStart' in expect ? 'v1.20' : undefined),
  situation: ({ pod, podStatus, probes, gates, restartAllContainers, actuated }) => [
    ...podLines(pod),
    ...podStatusLines(podStatus),
    ...Object.entries(probes).flatMap(([kind, results]) =>
      Object.entries(results ?? {}).map(([id, result]) => `${kind} probe of ${id}: ${result}`),
    ),
    ...Object.entries(actuated?.containers ?? {}).map(
      ([name, resources]) => `resources last applied to ${name}: ${formatValue(resources)}`,
    ),
    ...(restartAllContainers ? ['all containers are to restart in place'] : []),
    ...gateLines(gates),
  ],
  recorded: ({ expect }) => memberLines(expect),
  judge: (vector, { release, tracer }) => findingOf(computeDisagreements(vector, release, tracer)),
});
