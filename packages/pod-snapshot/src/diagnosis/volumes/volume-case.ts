/** Finds the volume of the pod that a message of the kubelet or the attach/detach controller concerns. */
import type { ExplainText, FieldFact, NextCommand } from '@podscope/trace/explain';
import type { Finding, PodCase } from '../pod-case.ts';

/** Explains why a volume isn't available: cause, evidence and remedies. */
export interface Explained {
  readonly origin: Finding['origin'];
  readonly title: ExplainText;
  readonly cause: readonly ExplainText[];
  readonly facts?: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  readonly outlook?: readonly ExplainText[];
}

/**
 * Returns the volume of the pod to which a message refers. If the message contains the name of a PV, the pod's volume
 * with a claim is taken.
 */
export function volumeOf(it: PodCase, message: string) {
  const volumes = it.pod.spec.volumes ?? [];
  const name = /for volume "([^"]+)"/.exec(message)?.[1] ?? '';
  const unmounted = /unmounted volumes=\[([^\]]+)\]/.exec(message)?.[1]?.split(/[ ,]+/)[0];
  const index = volumes.findIndex((volume) => volume.name === name || volume.name === unmounted);
  const claimed = volumes.findIndex(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
  const at = index >= 0 ? index : claimed;
  const volume = volumes[at];
  return {
    name: name || (unmounted ?? ''),
    volume,
    path: `spec.volumes[${at}]`,
    claim: volume?.persistentVolumeClaim?.claimName,
  };
}
