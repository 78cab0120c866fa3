/**
 * Handles `pods/ephemeralcontainers` in the format of kubectl before 1.22: an object of its own kind that contains only
 * a list of containers. These clients don't read the existing list first, so the list contains only new containers.
 * Upstream: core/v1 EphemeralContainers (v1.20).
 */
import { badRequest } from '@podscope/apiserver';
import type { Pod } from '@podscope/k8s';
import { z } from 'zod';

const schema = z.object({
  apiVersion: z.literal('v1'),
  kind: z.literal('EphemeralContainers'),
  ephemeralContainers: z.array(z.looseObject({ name: z.string() })),
});

type EphemeralContainers = z.infer<typeof schema>;

/** Returns the object in a body, or undefined for another kind. @throws ApiError BadRequest */
export function parseEphemeralContainers(body: unknown): EphemeralContainers | undefined {
  if (typeof body !== 'object' || body === null || !('kind' in body) || body.kind !== 'EphemeralContainers')
    return undefined;
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`EphemeralContainers: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`);
}

/** Returns the pod with the added containers. A container replaces an existing one with the same name. */
export function withEphemeralContainers(pod: Pod, { ephemeralContainers: added }: EphemeralContainers): object {
  const kept = (pod.spec.ephemeralContainers ?? []).filter(
    ({ name }) => !added.some((container) => container.name === name),
  );
  return { ...pod, spec: { ...pod.spec, ephemeralContainers: [...kept, ...added] } };
}
