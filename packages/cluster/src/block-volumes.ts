/** What a pod can't have on this node at all, told when it is submitted and not by a container that never starts. */
import type { Container, FieldError, Pod } from '@podscope/k8s';

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const detail = 'this node sets up no block volumes: mount a volume of files with volumeMounts instead';

/** The fields in which a pod asks for block devices. Upstream kubelets map them from persistent volumes. */
export function blockVolumeErrors({ spec }: Pod): readonly FieldError[] {
  return lists.flatMap((list) =>
    (spec[list] ?? []).flatMap(({ volumeDevices }: Container, index): readonly FieldError[] =>
      volumeDevices && volumeDevices.length > 0 ? [{ type: 'Forbidden', field: `spec.${list}[${index}].volumeDevices`, detail }] : [],
    ),
  );
}
