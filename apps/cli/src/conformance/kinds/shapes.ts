/** The shapes that several kinds of cases share: as much of them as must be there for a case to be tried. */
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

/** Recordings hold pods as the API server gave them out: what must be there is looked at, the rest is taken as it is. */
export const podSchema = z.custom<Pod>((value) => podShape.safeParse(value).success, 'expected a pod with a name, a uid and containers');

const podStatusShape = objectWith({
  id: z.string(),
  name: z.string(),
  namespace: z.string(),
  sandboxStatuses: z.array(objectWith({ id: z.string(), state: z.enum(['ready', 'notready']), attempt: z.number() })).nullable(),
  containerStatuses: z
    .array(objectWith({ id: z.string(), name: z.string(), state: z.enum(['created', 'running', 'exited', 'unknown']), exitCode: z.number(), hash: z.number() }))
    .nullable(),
});

/** What the runtime showed of the pod. */
export const podStatusSchema = <T extends PodStatusVector>(): z.ZodType<T> =>
  z.custom<T>((value) => podStatusShape.safeParse(value).success, 'expected a pod status with sandboxStatuses and containerStatuses');

export const gatesSchema = z.record(z.string(), z.boolean());

/** An object of which nothing more is asked. */
export const recordSchema = z.record(z.string(), z.unknown());

export const textsSchema = z.record(z.string(), z.string());
