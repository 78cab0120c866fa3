/** Rejects pods with block volumes at admission, because this kind of node can't start them. */
import type { Container, FieldError, Pod } from '@podscope/k8s';

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const detail = 'this node does not support block volumes: mount a volume of files with volumeMounts instead';

/**
 * Returns an error for each container with `volumeDevices`. Block devices need persistent volumes, which this node
 * doesn't have. Upstream supports both.
 */
export function blockVolumeErrors({ spec }: Pod): readonly FieldError[] {
  return lists.flatMap((list) =>
    (spec[list] ?? []).flatMap(({ volumeDevices }: Container, index): readonly FieldError[] =>
      volumeDevices && volumeDevices.length > 0
        ? [{ type: 'Forbidden', field: `spec.${list}[${index}].volumeDevices`, detail }]
        : [],
    ),
  );
}
