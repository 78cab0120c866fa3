/** Computes the owner of files that only one user may read. Upstream: FsUserFrom (pkg/volume/util, v1.36). */
import type { Pod } from '@podscope/k8s';

/**
 * Returns the user id with which all containers run according to the spec. Returns undefined when a container sets no
 * user or when the users differ.
 */
export function fsUserOf({ spec }: Pod): number | undefined {
  const users = [...(spec.initContainers ?? []), ...spec.containers].map(
    ({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
  );
  const [first] = users;
  return users.every((user) => user === first) ? first : undefined;
}
