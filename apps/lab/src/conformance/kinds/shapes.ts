/** Defines the schemas that several kinds of cases share. They validate only the members that a case needs to run. */
import type { Pod } from '@podscope/k8s';
import type { PodStatusVector } from '@podscope/kuberuntime/testing';
import { z } from 'zod';

const objectWith = (shape: z.ZodRawShape): z.ZodType => z.object(shape).loose();

const containerShape = objectWith({ name: z.string() });
const podShape = objectWith({
  metadata: objectWith({ name: z.string(), uid: z.string() }),
  spec: objectWith({
    containers: z.array(containerShape),
    initContainers: z.array(containerShape).nullish(),
    ephemeralContainers: z.array(containerShape).nullish(),
  }),
});

/**
 * The schema of a recorded pod. Only required members are validated; the rest is used as the API server returned it.
 */
export const podSchema = z.custom<Pod>(
  (value) => podShape.safeParse(value).success,
  'expected a pod with a name, a uid and containers',
);

const podStatusShape = objectWith({
  id: z.string(),
  name: z.string(),
  namespace: z.string(),
  sandboxStatuses: z
    .array(objectWith({ id: z.string(), state: z.enum(['ready', 'notready']), attempt: z.number() }))
    .nullable(),
  containerStatuses: z
    .array(
      objectWith({
        id: z.string(),
        name: z.string(),
        state: z.enum(['created', 'running', 'exited', 'unknown']),
        exitCode: z.number(),
        hash: z.number(),
      }),
    )
    .nullable(),
});

/** The schema of the pod status that the runtime reported. */
export const podStatusSchema = <T extends PodStatusVector>(): z.ZodType<T> =>
  z.custom<T>(
    (value) => podStatusShape.safeParse(value).success,
    'expected a pod status with sandboxStatuses and containerStatuses',
  );

export const gatesSchema = z.record(z.string(), z.boolean());

/** An object whose members aren't validated. */
export const recordSchema = z.record(z.string(), z.unknown());

export const textsSchema = z.record(z.string(), z.string());
