/** Parses the reasons in the scheduler's message. Upstream: framework.FitError.Error (v1.20 to v1.36). */
import type { ExplainText, FieldFact, NextCommand } from '@podscope/trace/explain';
import { conditionOf, type PodCase } from '../pod-case.ts';

/** A reason in the scheduler's message, with the number of nodes to which it applies. */
export interface Reason {
  readonly nodes: number;
  readonly text: string;
}
/**
 * Parses a message like
 * `0/6 nodes are available: 3 Insufficient cpu, 3 node(s) had untolerated taint {a: b}. preemption: …`.
 */
export function readReasons(message: string): readonly Reason[] {
  const own = message
    .replace(/\.?\s*(?:preemption|no new claims to deallocate)[:,][\s\S]*$/i, '')
    .replace(/^\d+\/\d+ nodes are available:\s*/, '');
  return own.split(/,\s+(?=\d+ )|(?<=\})\s*,\s*(?=\d)/).map((part) => {
    const { nodes, text = '' } = /^(?:(?<nodes>\d+) )?(?<text>[\s\S]*?)\.?\s*$/.exec(part.trim())?.groups ?? {};
    return { nodes: Number(nodes ?? 0), text };
  });
}
/** Explains a reason for a pod. */
export interface Explained {
  readonly cause: ExplainText;
  /** A second sentence about the cause. */
  readonly more?: ExplainText;
  readonly facts: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  readonly until: ExplainText;
}
/** Returns the names of the claims that the pod uses. */
export const claimNames = ({ pod }: PodCase): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim ? [persistentVolumeClaim.claimName] : ephemeral ? [`${pod.metadata.name}-${name}`] : [],
  );

/** Matches the message of Karpenter's event FailedScheduling. */
export const karpenterWords = /incompatible with (?:nodepool|provisioner) "|all available instance types exceed limits/;

/** Returns the newest message of the scheduler. */
export const reasonText = (it: PodCase): string | undefined =>
  it.events.findLast(({ reason, message }) => reason === 'FailedScheduling' && !karpenterWords.test(message))
    ?.message ?? conditionOf(it, 'PodScheduled')?.message;
