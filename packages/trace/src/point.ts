/**
 * Defines the points of the flow: the places that can be traced and stopped at. Each package declares its own as data.
 */

/** The kind of a {@link Point}. The timeline and breakpoints group by it. */
export type PointKind =
  /** One iteration or handler of the kubelet's sync loop, PLEG, housekeeping. */
  | 'loop'
  /** One sync of a pod worker. */
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

/** A point of the flow. */
export interface Point {
  /**
   * Unique and stable id, referenced by breakpoints, links and files. Dotted, with upstream's name last:
   * `syncPod.createPodSandbox`, `cri.RunPodSandbox`.
   */
  readonly id: string;
  readonly kind: PointKind;
  /** Title in lists. */
  readonly title: string;
  /** One sentence on what happens here. */
  readonly description?: string;
  /** Number of the step in its list, from 1. */
  readonly step?: number;
  /** The corresponding upstream function. */
  readonly upstream?: string;
}
