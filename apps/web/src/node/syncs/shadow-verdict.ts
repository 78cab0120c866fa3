/**
 * Reads how the shadow engine's sync compares with the genuine kubelet's sync: per sync, and over all syncs of a run.
 */
import { isRecord } from '@podscope/base';
import type { PodTrack, SpanRecord, SyncRecord } from '@podscope/trace';
import { predictedCalls } from './predicted-calls.ts';
import type { StepNode } from './step-tree.ts';
import type { SpanOf } from './sync-in-view.ts';

/** A call that only the shadow engine or only the genuine kubelet made, as text. */
interface OneSided {
  readonly side: 'predicted' | 'observed' | 'order';
  readonly call: string;
}

export interface ShadowVerdict {
  readonly verdict: 'agrees' | 'differs' | 'unknown';
  /** True if the sync made or should have made a call that changes containers, sandboxes or images. */
  readonly counts: boolean;
  readonly differences: readonly OneSided[];
  /** The input that the observation lacks, if the verdict is unknown. */
  readonly missing: string | undefined;
  readonly detail: string | undefined;
  /** The evidence for the start and the end of the sync. */
  readonly bounds: 'span' | 'traceparent' | 'calls' | undefined;
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((each) => each === value);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Returns the verdict on the sync of a span. Returns undefined for our own kubelet, and until the sync has been judged.
 */
export function shadowVerdictOf(span: SpanRecord | undefined): ShadowVerdict | undefined {
  const attributes = span?.endAttributes;
  const verdict = oneOf(['agrees', 'differs', 'unknown'], attributes?.['verdict']);
  if (!attributes || !verdict) return undefined;
  const differences: readonly unknown[] = Array.isArray(attributes['differences']) ? attributes['differences'] : [];
  return {
    verdict,
    counts: attributes['counts'] === true,
    differences: differences.filter(isRecord).flatMap((each) => {
      const side = oneOf(['predicted', 'observed', 'order'], each['side']);
      return side ? [{ side, call: textOf(each['call']) ?? '' }] : [];
    }),
    missing: textOf(attributes['missing']),
    detail: textOf(attributes['detail']),
    bounds: oneOf(['span', 'traceparent', 'calls'], attributes['bounds']),
  };
}

export interface Agreement {
  readonly agrees: number;
  readonly differs: number;
  readonly unknown: number;
}

/** Counts the syncs that made calls that change something, by whether the shadow engine agrees. */
export function agreementOf(pods: readonly PodTrack[], spanOf: SpanOf): Agreement {
  const counts = { agrees: 0, differs: 0, unknown: 0 };
  for (const { syncs } of pods)
    for (const { span } of syncs) {
      const verdict = shadowVerdictOf(spanOf(span));
      if (verdict?.counts) counts[verdict.verdict] += 1;
    }
  return counts;
}

/**
 * Returns the share of agreeing syncs among those that are decided, such as `98 %`; undefined if no sync is decided.
 */
export function agreementText({ agrees, differs }: Agreement): string | undefined {
  const decided = agrees + differs;
  if (decided === 0) return undefined;
  const percent = (100 * agrees) / decided;
  // Show 100 % only if all syncs agree.
  return `${percent === 100 ? 100 : Math.min(99.9, Math.floor(10 * percent) / 10)} %`;
}

/** The remark on a step of an observed sync: a prediction without a call, or a call without a prediction. */
export type ShadowRemark = 'notCalled' | 'notPredicted';

const writes: ReadonlySet<string> = new Set(
  ['RunPodSandbox', 'StopPodSandbox', 'CreateContainer', 'StartContainer', 'StopContainer', 'PullImage'].map(
    (method) => `cri.${method}`,
  ),
);

/** Returns the remarks on the steps of a sync, by key. They need a sync that the shadow engine computed. */
export function shadowRemarks(
  roots: readonly StepNode[],
  root: SpanRecord | undefined,
): ReadonlyMap<string, ShadowRemark> {
  const remarks = new Map<string, ShadowRemark>();
  if (!root || !shadowVerdictOf(root) || !Array.isArray(root.endAttributes?.['predicted'])) return remarks;
  const predicted = predictedCalls(root);
  const visit = ({ key, span, children }: StepNode): void => {
    if (!span) return;
    if (span.point.startsWith('shadow.') && writes.has(span.point.replace(/^shadow/, 'cri')))
      remarks.set(key, 'notCalled');
    else if (writes.has(span.point) && !predicted.has(span.id)) remarks.set(key, 'notPredicted');
    for (const child of children) visit(child);
  };
  for (const node of roots) visit(node);
  return remarks;
}

/** Returns a sync as data for a bug report: the pod, the verdict, and every span with its decisions. */
export function exportedSync(pod: PodTrack, sync: SyncRecord, spanOf: SpanOf): Readonly<Record<string, unknown>> {
  const tree = (id: number): Readonly<Record<string, unknown>> | undefined => {
    const span = spanOf(id);
    if (!span) return undefined;
    const { point, source, inferred, start, end, outcome, error, attributes, endAttributes, decisions, children } =
      span;
    return {
      point,
      source,
      inferred,
      start,
      end,
      outcome,
      error,
      attributes,
      endAttributes,
      decisions,
      children: children.map(tree),
    };
  };
  const { uid, namespace, name, object } = pod;
  return { pod: { uid, namespace, name, object }, sync: sync.number, start: sync.start, span: tree(sync.span) };
}
