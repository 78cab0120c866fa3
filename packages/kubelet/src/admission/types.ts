/** What admission says. Upstream: pkg/kubelet/lifecycle/interfaces.go (v1.36). */
import type { Node, Pod } from '@podscope/k8s';

/** Why a pod may not run on this node. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

/** What a handler judges by. */
export interface AdmissionInput {
  readonly pod: Pod;
  /** Active pods, without the one under test. */
  readonly others: readonly Pod[];
  readonly node: Node | undefined;
  readonly nodeName: string;
}

/** One rule or group of rules; undefined: no objection. */
export interface AdmissionHandler {
  readonly name: string;
  readonly admit: (input: AdmissionInput) => Rejection | undefined;
}
