/** The places of the flow that can be seen, counted and stopped at. Each package lists its own, once, as data. */

/** What kind of place a {@link Point} is; the timeline and the breakpoints group by it. */
export type PointKind =
  /** One iteration or handler of the kubelet's sync loop, PLEG, housekeeping. */
  | 'loop'
  /** One pass of a pod worker over its pod. */
  | 'worker'
  /** A step of the kubelet's syncPod around the runtime's SyncPod. */
  | 'kubeletStep'
  /** The runtime manager's SyncPod and KillPod as a whole. */
  | 'sync'
  /** A numbered step of the runtime manager's SyncPod. */
  | 'syncStep'
  /** A function that a step calls: startContainer, killContainer, EnsureImageExists. */
  | 'function'
  /** A CRI call. */
  | 'cri'
  /** A numbered step inside a CRI call of dockershim. */
  | 'criStep'
  /** A call of the Docker Engine API. */
  | 'docker'
  /** A CNI plugin call. */
  | 'cni'
  /** A lifecycle handler. */
  | 'hook'
  /** One attempt of a probe. */
  | 'probe';

/** A place of the flow. */
export interface Point {
  /** Unique and stable: breakpoints, links and files name it. Dotted, upstream's own word last: `syncPod.createPodSandbox`, `cri.RunPodSandbox`. */
  readonly id: string;
  readonly kind: PointKind;
  /** What a person reads in a list. */
  readonly title: string;
  /** One sentence on what happens here. */
  readonly description?: string;
  /** The step's number in the list it belongs to, from 1. */
  readonly step?: number;
  /** The upstream function this mirrors. */
  readonly upstream?: string;
}
