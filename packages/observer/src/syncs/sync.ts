/** Declares one sync of a genuine pod worker, as far as it was observed. */
import type { PodName } from '../state/registry.ts';

/**
 * The source from which the bounds of a sync are known: the kubelet's span, the trace id in the metadata of the calls,
 * or only the calls themselves.
 */
type BoundsSource = 'span' | 'traceparent' | 'calls';

export interface ObservedSync {
  readonly id: number;
  readonly pod: PodName;
  readonly trace: string | undefined;
  start: number;
  /** Time at which the sync ended; undefined while it runs. */
  end: number | undefined;
  bounds: BoundsSource;
  /** The kind of sync, `syncPod` or `syncTerminatingPod`; undefined if no source reports it. */
  kind: 'sync' | 'terminating' | undefined;
  /** The numbers of the sync's calls, in order. */
  readonly calls: number[];
  /** The number of the sync's span in the log, and the start time of that span. */
  span: number | undefined;
  begun: number;
}
