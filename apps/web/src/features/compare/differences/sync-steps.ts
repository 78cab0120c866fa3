/** Lists the work of a sync as rows with stable names: steps, calls, decisions and results. */
import {
  interventionsBehind,
  interventionsWithin,
  type PodTrack,
  type SpanRecord,
  type SyncRecord,
} from '@podscope/trace';
import type { RunStep } from '@podscope/trace/compare';
import { spanSubject } from '../../../node/syncs/span-subject.ts';

type SpanOf = (id: number | undefined) => SpanRecord | undefined;
type Unnumbered = Omit<RunStep, 'occurrence'>;

/** Prefixes of the names of decisions and results. */
export interface SyncStepWords {
  readonly decision: string;
  readonly result: string;
}

const shownKinds: ReadonlySet<string> = new Set(['syncStep', 'cri', 'hook']);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Returns the container or the image that a call concerns. Calls that contain only ids are distinguished by their
 * order.
 */
const targetOf = (span: SpanRecord): string => (span.kind === 'syncStep' ? span.title : (spanSubject(span) ?? ''));

/** Returns the rows of a sync. */
export function syncSteps(
  sync: SyncRecord,
  spanOf: SpanOf,
  track: Pick<PodTrack, 'namespace' | 'name' | 'interventions'>,
  words: SyncStepWords,
): readonly RunStep[] {
  const pod = `${track.namespace}/${track.name}`;
  const found: Unnumbered[] = [];
  const visit = (span: SpanRecord): void => {
    if (shownKinds.has(span.kind)) {
      found.push({
        pod,
        manifest: pod,
        action: span.kind === 'syncStep' ? span.point.replace('syncPod.', '') : span.title,
        target: targetOf(span),
        attempt: 0,
        outcome: span.outcome ?? 'ok',
        reason: span.error?.reason,
        message: span.error?.message,
        injected: interventionsWithin(span, spanOf).map(({ text }) => text),
        start: span.start,
        duration: span.end === undefined ? undefined : span.end - span.start,
        seq: span.startSeq,
      });
    }
    for (const { seq, time, rule, facts, outcome, decisive } of span.decisions) {
      if (!decisive) continue;
      const container = textOf(facts['container']);
      const reason = typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
      found.push({
        pod,
        manifest: pod,
        action: words.decision,
        target: container ? `${rule} ${container}` : rule,
        attempt: 0,
        outcome: 'ok',
        reason,
        message: undefined,
        injected: [],
        start: time,
        duration: undefined,
        seq,
      });
    }
    for (const id of span.children) {
      const child = spanOf(id);
      if (child) visit(child);
    }
  };
  // Omit the kubelet's own steps, which are the same in almost every sync.
  const root = spanOf(sync.runtime ?? sync.span);
  if (root) visit(root);
  for (const { seq, time, action, target, error, message, duration, span } of sync.results)
    found.push({
      pod,
      manifest: pod,
      action: words.result,
      target: `${action} ${target}`,
      attempt: 0,
      outcome: error ? 'error' : 'ok',
      reason: error,
      message,
      injected: interventionsBehind(track, message, spanOf(span), spanOf).map(({ text }) => text),
      start: time,
      duration,
      seq,
    });
  const counts = new Map<string, number>();
  return found
    .toSorted((a, b) => a.seq - b.seq)
    .map((step) => {
      const key = `${step.action}\0${step.target}`;
      const occurrence = (counts.get(key) ?? 0) + 1;
      counts.set(key, occurrence);
      return { ...step, occurrence };
    });
}
