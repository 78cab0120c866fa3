/** Whose files a volume may hold that are for one user only. Upstream: FsUserFrom (pkg/volume/util, v1.36). */
import type { Pod } from '@podscope/k8s';

/** The user that all containers run as, by their specs; undefined when one says none, or they differ. */
export function fsUserOf({ spec }: Pod): number | undefined {
  const users = [...(spec.initContainers ?? []), ...spec.containers].map(
    ({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
  );
  const [first] = users;
  return users.every((user) => user === first) ? first : undefined;
}
