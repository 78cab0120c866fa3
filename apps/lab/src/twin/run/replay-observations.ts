/** Defines the observations of a replayed run. */
import type { KubeletEvent, PodStatusSeen } from '../recording.ts';
import { EngineTrace } from './engine-trace.ts';

export interface ReplayObservations {
  /** UIDs of the pods in order of appearance. */
  readonly uids: readonly string[];
  readonly statuses: readonly {
    readonly t: number;
    readonly uid: string;
    readonly status: PodStatusSeen | undefined;
  }[];
  readonly events: readonly KubeletEvent[];
  /** Operations on the config channel. */
  readonly operations: readonly string[];
  readonly trace: Pick<EngineTrace, 'events' | 'creates' | 'ids'>;
  readonly rootDir: string;
  readonly keepsCgroups: boolean;
  /** Paths inside the pod's directory just before it was removed. */
  readonly podDir: readonly { readonly path: string; readonly type: string; readonly mode: string }[];
  readonly podIPs: readonly string[];
  /** Reasons why the run couldn't proceed as recorded. */
  readonly trouble: readonly string[];
}
