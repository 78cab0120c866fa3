/** What admission says. Upstream: pkg/kubelet/lifecycle/interfaces.go (v1.36). */
import type { Node, Pod } from '@podscope/k8s';

/** Why a pod may not run on this node. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
  /** What the node lacks, by resource, when that is all that is wrong: for cpu milli-CPUs, else units. */
  readonly insufficient?: readonly InsufficientResource[];
}

export interface InsufficientResource {
  readonly resource: string;
  readonly missing: number;
}

/** What a handler judges by. */
export interface AdmissionInput {
  readonly pod: Pod;
  /** Active pods, without the one under test. */
  readonly others: readonly Pod[];
  readonly node: Node | undefined;
  readonly nodeName: string;
}

/** What differs between releases in admission. */
export interface AdmissionProfile {
  /** The handlers in their order. */
  readonly handlers: readonly AdmissionHandler[];
  /** What the status of a refused pod says before the handler's message. */
  readonly prefix: string;
}

/** One rule or group of rules; undefined: no objection. */
export interface AdmissionHandler {
  readonly name: string;
  readonly admit: (input: AdmissionInput) => Rejection | undefined;
}
