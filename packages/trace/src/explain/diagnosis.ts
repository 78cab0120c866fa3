/**
 * Declares the parts of a diagnosis, which explains one problem of a pod: cause, evidence, outlook and the commands to
 * try next.
 */
import type { ExplainText } from './text.ts';

/** A field of the pod and its value, as evidence. */
export interface FieldFact {
  /** The path of the field, for example `spec.containers[0].image`. */
  readonly path: string;
  readonly value: string;
}

/** A command to try next, with its purpose. */
export interface NextCommand {
  readonly why: ExplainText;
  readonly command: string;
}

/** The places where a cause can lie. */
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
  /** The reason as Kubernetes names it, for example `CrashLoopBackOff` or `SandboxChanged`. */
  readonly reason: string;
  /** How serious the problem is. `waiting`: the kubelet continues without any action. */
  readonly severity: 'error' | 'waiting' | 'info';
  /** The container; absent if the whole pod is affected. */
  readonly container?: string;
  readonly title: ExplainText;
  /** The sentences of one paragraph. */
  readonly cause: readonly ExplainText[];
  /** The message of the runtime, the registry or the program. */
  readonly said?: string;
  /** Which instance of the container has the log whose last lines show the cause. */
  readonly log?: 'current' | 'previous';
  readonly facts: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  /** What happens next if the user does nothing. Absent if the engine's own decisions show it. */
  readonly outlook?: readonly ExplainText[];
  /** The place where the cause lies. */
  readonly origin?: CauseOrigin;
  /**
   * How certain the cause is. `unknown`: the facts don't name a cause, and `next` says where to look. Default: certain.
   */
  readonly certainty?: 'certain' | 'likely' | 'unknown';
}
