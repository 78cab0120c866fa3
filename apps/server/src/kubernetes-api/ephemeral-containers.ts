/**
 * `pods/ephemeralcontainers` as kubectls before 1.22 write it: an object of its own kind with nothing but the list. They read none of ours,
 * so that the list holds only what is new. Upstream: core/v1 EphemeralContainers (v1.20).
 */
import { badRequest } from '@podscope/cluster';
import type { Pod } from '@podscope/k8s';
import { z } from 'zod';

const schema = z.object({
  apiVersion: z.literal('v1'),
  kind: z.literal('EphemeralContainers'),
  ephemeralContainers: z.array(z.looseObject({ name: z.string() })),
});

type EphemeralContainers = z.infer<typeof schema>;

/** The object in a body; undefined when it is another kind. Fails with BadRequest. */
export function parseEphemeralContainers(body: unknown): EphemeralContainers | undefined {
  if (typeof body !== 'object' || body === null || !('kind' in body) || body.kind !== 'EphemeralContainers') return undefined;
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`EphemeralContainers: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`);
}

/** The pod's data with the containers added, those of its own replaced by name. */
export function withEphemeralContainers(pod: Pod, { ephemeralContainers: added }: EphemeralContainers): object {
  const kept = (pod.spec.ephemeralContainers ?? []).filter(({ name }) => !added.some((container) => container.name === name));
  return { ...pod, spec: { ...pod.spec, ephemeralContainers: [...kept, ...added] } };
}
