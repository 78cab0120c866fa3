/** Defines the kind `status`: one call of generateAPIPodStatus. */
import { type StatusVector, statusDisagreements } from '@podscope/kubelet/testing';
import { z } from 'zod';
import { formatValue, gateLines, memberLines, podLines, podStatusLines } from './case-text.ts';
import { defineKind, findingOf } from './kind.ts';
import { gatesSchema, podSchema, podStatusSchema } from './shapes.ts';

const resultsSchema = z.record(z.string(), z.enum(['success', 'failure', 'unknown'])).nullish();
const apiStatus = z.custom<StatusVector['expect']>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected a pod status',
);

const schema: z.ZodType<StatusVector> = z.object({
  id: z.string(),
  family: z.string().optional(),
  gates: gatesSchema,
  pod: podSchema,
  podStatus: podStatusSchema<StatusVector['podStatus']>(),
  oldStatus: apiStatus.nullable(),
  reasons: z.record(z.string(), z.object({ error: z.string(), message: z.string() })).nullable(),
  probes: z.object({ liveness: resultsSchema, readiness: resultsSchema, startup: resultsSchema }).partial(),
  podIsTerminal: z.boolean(),
  expect: apiStatus,
});

export const status = defineKind<StatusVector>({
  name: 'status',
  schema,
  // The cases were recorded from v1.36 only.
  release: () => 'v1.36',
  situation: ({ pod, podStatus, oldStatus, reasons, probes, podIsTerminal, gates }) => [
    ...podLines(pod),
    ...podStatusLines(podStatus),
    `before: ${oldStatus ? `phase ${oldStatus.phase ?? 'none'}` : 'no status was held'}; the API says ` +
      (pod.status?.phase ?? 'nothing'),
    ...Object.entries(probes).flatMap(([kind, results]) =>
      Object.entries(results ?? {}).map(([id, result]) => `${kind} probe of ${id}: ${result}`),
    ),
    ...Object.entries(reasons ?? {}).map(
      ([key, { error, message }]) =>
        `last start of ${key.split('_').slice(1).join('_')} failed: ${formatValue({ error, message })}`,
    ),
    ...(podIsTerminal ? ['nothing of the pod runs, and nothing will'] : []),
    ...gateLines(gates),
  ],
  recorded: ({ expect }) => memberLines({ ...expect }),
  judge: (vector, { tracer }) => findingOf(statusDisagreements(vector, tracer)),
});
