/**
 * Defines the points of the flow, which are the places where the flow can be traced and stopped. Each package declares
 * its own points as data.
 */

/** The kind of a {@link Point}. The timeline and the breakpoints are grouped by it. */
export type PointKind =
  /** An iteration or a handler of the kubelet's sync loop, of the PLEG or of housekeeping. */
  | 'loop'
  /** One sync of a pod worker. */
  | 'worker'
  /** A step of the kubelet's syncPod, which calls the runtime manager's SyncPod. */
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
   * The id, which is unique and never changes, because breakpoints, links and files refer to it. It has dots, and
   * upstream's name is its last part, for example `syncPod.createPodSandbox` or `cri.RunPodSandbox`.
   */
  readonly id: string;
  readonly kind: PointKind;
  /** The title in lists. */
  readonly title: string;
  /** A sentence about what happens at this point. */
  readonly description?: string;
  /** The number of the step in its list, from 1. */
  readonly step?: number;
  /** The corresponding upstream function. */
  readonly upstream?: string;
}
