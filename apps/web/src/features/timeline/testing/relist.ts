/** Contains events of an observed kubelet's work that belongs to no pod, for tests of the timeline. */
import type { TraceEvent } from '@podscope/trace';

/** Returns a call of the PLEG that begins 1 s after the last one of `events`. */
export function relistAfter(events: readonly TraceEvent[]): TraceEvent {
  const { seq = 0, time = 0 } = events.at(-1) ?? {};
  return {
    type: 'spanStarted',
    seq: seq + 1,
    time: time + 1_000,
    span: 9_000,
    thread: 'pleg',
    point: 'cri.ListPodSandbox',
    kind: 'cri',
    title: 'ListPodSandbox',
    attributes: {},
    source: 'cri',
  };
}
