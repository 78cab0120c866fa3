/** Defines the kind `backoff`: operations on a flowcontrol back-off. Upstream: client-go flowcontrol.Backoff. */
import { type BackoffVector, backoffDisagreements } from '@podscope/kuberuntime/testing';
import { z } from 'zod';
import { formatValue } from './case-text.ts';
import { defineKind, findingOf } from './kind.ts';

const schema: z.ZodType<BackoffVector> = z.object({
  id: z.string(),
  initial: z.number(),
  max: z.number(),
  expireAfter: z.number().optional(),
  ops: z.array(
    z.object({
      at: z.number(),
      op: z.enum(['next', 'isInBackOffSince', 'isInBackOffSinceUpdate', 'get', 'reset', 'gc']),
      key: z.string().optional(),
      eventTime: z.number().optional(),
      result: z.unknown(),
    }),
  ),
});

export const backoff = defineKind<BackoffVector>({
  name: 'backoff',
  schema,
  release: () => undefined,
  situation: ({ initial, max, expireAfter = 2 * max }) => [
    `a back-off from ${initial} s to ${max} s, forgotten after ${expireAfter} s`,
  ],
  recorded: ({ ops }) => ops.map(({ op, result, ...rest }) => `  ${op} ${formatValue(rest)} → ${formatValue(result)}`),
  judge: (vector, { tracer }) => findingOf(backoffDisagreements(vector, tracer)),
});
