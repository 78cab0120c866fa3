/** Declares the inputs and results of admission handlers. Upstream: pkg/kubelet/lifecycle/interfaces.go (v1.36). */
import type { RuntimeFeatures } from '@podscope/cri';
import type { Node, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';

/** Why a pod may not run on this node. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
  /**
   * The missing resources, if the pod is rejected only because of them. The unit is milli-CPUs for cpu, bytes for
   * memory and storage, and a count for others.
   */
  readonly insufficient?: readonly InsufficientResource[];
}

export interface InsufficientResource {
  readonly resource: string;
  readonly missing: number;
}

/** The input of a handler. */
export interface AdmissionInput {
  readonly pod: Pod;
  /** The active pods without the pod to admit. */
  readonly others: readonly Pod[];
  readonly node: Node | undefined;
  /**
   * Reads the node from the API again; undefined if that fails. Called when the node affinity is all that rejects the
   * pod.
   */
  readonly fetchNode?: () => Promise<Node | undefined>;
  readonly nodeName: string;
  /** Whether the node's kernel enforces AppArmor; undefined when it isn't known. */
  readonly appArmorEnabled?: boolean | undefined;
  /** The feature gate PodLevelResources: whether `spec.resources` of pods counts. Default: true. */
  readonly podLevelResources?: boolean;
  /** The features that the node declares; undefined when the feature gate NodeDeclaredFeatures is off. */
  readonly declaredFeatures?: readonly string[] | undefined;
  /** The features that the runtime last reported; undefined if it reports none. Default: none. */
  readonly runtimeFeatures?: RuntimeFeatures | undefined;
  /** True while the node shuts down. */
  readonly isShuttingDown?: boolean;
  /**
   * Tries to free the missing resources of a rejected pod, and returns the rejection that remains. Default: nothing is
   * freed. Upstream: AdmissionFailureHandler.
   */
  readonly freeResources?: (rejection: Rejection) => Promise<Rejection | undefined>;
}

/** The differences between releases in admission. */
export interface AdmissionProfile {
  /** The handlers in their order. */
  readonly handlers: readonly AdmissionHandler[];
  /** The text before the handler's message in the status of a rejected pod. */
  readonly prefix: string;
}

/**
 * A rule or group of rules. `admit` returns a rejection, or undefined when the pod may run. It returns a promise only
 * if it has to read something first.
 */
export interface AdmissionHandler {
  readonly name: string;
  /** Returns false for a pod that the handler need not evaluate. Default: every pod is evaluated. */
  readonly applies?: (input: AdmissionInput) => boolean;
  readonly admit: (input: AdmissionInput, ctx: Context) => Rejection | undefined | Promise<Rejection | undefined>;
}
