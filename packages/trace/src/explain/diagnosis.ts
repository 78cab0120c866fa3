/** Defines what a diagnosis says about one problem of a pod: cause, evidence, outlook and the commands to try next. */
import type { ExplainText } from './text.ts';

/** A field of the pod with its value, as evidence. */
export interface FieldFact {
  /** For example, `spec.containers[0].image`. */
  readonly path: string;
  readonly value: string;
}

/** A command to try next, with its purpose. */
export interface NextCommand {
  readonly why: ExplainText;
  readonly command: string;
}

/** Where a cause lies. */
export const causeOrigins = [
  'scheduler',
  'controller',
  'kubelet',
  'runtime',
  'registry',
  'storage',
  'network',
  'node',
  'program',
  'configuration',
] as const;
export type CauseOrigin = (typeof causeOrigins)[number];

/** One problem of a pod. */
export interface Diagnosis {
  /** The reason in Kubernetes terms: `CrashLoopBackOff`, `SandboxChanged`. */
  readonly reason: string;
  /** `waiting`: the kubelet continues without any action. */
  readonly severity: 'error' | 'waiting' | 'info';
  /** The container; absent if the whole pod is affected. */
  readonly container?: string;
  readonly title: ExplainText;
  /** The sentences of one paragraph. */
  readonly cause: readonly ExplainText[];
  /** The message of the runtime, the registry or the program. */
  readonly said?: string;
  /** The instance of the container whose last log lines tell the cause. */
  readonly log?: 'current' | 'previous';
  readonly facts: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  /** What happens next without any action; absent where the engine's own decisions tell. */
  readonly outlook?: readonly ExplainText[];
  /** Where the cause lies. */
  readonly origin?: CauseOrigin;
  /** `unknown`: the facts don't name a cause, and `next` says where to look. Default: certain. */
  readonly certainty?: 'certain' | 'likely' | 'unknown';
}
