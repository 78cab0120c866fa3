/** Reads the operations of the pod sources from the event log. */
import type { TraceEvent } from '@podscope/trace';

/** Returns the operation on the config channel that an event shows; undefined for other events. */
export function configOperation(event: TraceEvent): string | undefined {
  if (event.type !== 'spanStarted' || event.point !== 'kubelet.syncLoopIteration') return undefined;
  const { channel, operation, pods } = event.attributes ?? {};
  // A source without pods sends an empty first update.
  const ofPods = Array.isArray(pods) && pods.length > 0;
  return channel === 'config' && typeof operation === 'string' && ofPods ? operation : undefined;
}
