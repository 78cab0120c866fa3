/** Declares one sync of a genuine pod worker, as far as it was observed. */
import type { PodName } from '../state/registry.ts';

/** The source of a sync's bounds: the kubelet's span, the trace id in the calls' metadata, or the calls alone. */
type BoundsSource = 'span' | 'traceparent' | 'calls';

export interface ObservedSync {
  readonly id: number;
  readonly pod: PodName;
  readonly trace: string | undefined;
  start: number;
  /** Undefined while the sync runs. */
  end: number | undefined;
  bounds: BoundsSource;
  /** `syncPod` or `syncTerminatingPod`; undefined if no source says which. */
  kind: 'sync' | 'terminating' | undefined;
  /** The numbers of its calls, in order. */
  readonly calls: number[];
  /** The number of the span in the log, and the time of its start there. */
  span: number | undefined;
  begun: number;
}
