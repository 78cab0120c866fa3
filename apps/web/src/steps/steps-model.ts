/** What became of each numbered step in one pass of SyncPod. */
import type { NodeInfo } from '@podscope/protocol';
import type { PodTrack, SpanRecord, SyncRecord, SyncResultRecord } from '@podscope/trace';

export type StepDefinition = NodeInfo['steps'][number];

/** `postponed`: it ended, but a back-off keeps something from being tried. `skipped`: the pass went past it. `pending`: it may still come. `unreached`: the pass ended before it, because of an error. */
export type StepState = 'done' | 'failed' | 'postponed' | 'canceled' | 'running' | 'stopped' | 'skipped' | 'pending' | 'unreached';

export interface StepView {
  readonly definition: StepDefinition;
  readonly state: StepState;
  readonly span: SpanRecord | undefined;
  readonly results: readonly SyncResultRecord[];
}

export interface SyncView {
  readonly sync: SyncRecord;
  readonly span: SpanRecord | undefined;
  readonly steps: readonly StepView[];
  /** Results that belong to no step. */
  readonly otherResults: readonly SyncResultRecord[];
}

type SpanOf = (id: number | undefined) => SpanRecord | undefined;

/** Errors which say that nothing was tried yet. */
const backOffs: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

/** How results sum up: the steps themselves go on past a container that does not start. */
export function verdictOf(results: readonly SyncResultRecord[]): 'done' | 'failed' | 'postponed' {
  const errors = results.flatMap(({ error }) => error ?? []);
  if (errors.length === 0) return 'done';
  return errors.every((error) => backOffs.has(error)) ? 'postponed' : 'failed';
}

/** The step that a span is part of. */
function stepAround(spanOf: SpanOf, id: number | undefined, steps: ReadonlySet<number>): number | undefined {
  for (let span = spanOf(id); span; span = spanOf(span.parent)) if (steps.has(span.id)) return span.id;
  return undefined;
}

interface StepFacts {
  readonly span: SpanRecord | undefined;
  readonly results: readonly SyncResultRecord[];
  readonly isStopped: boolean;
  readonly hasLaterStep: boolean;
  readonly sync: SyncRecord;
  readonly syncSpan: SpanRecord | undefined;
}

function stateOf({ span, results, isStopped, hasLaterStep, sync, syncSpan }: StepFacts): StepState {
  if (isStopped) return 'stopped';
  if (span) {
    if (span.end === undefined) return 'running';
    if (span.outcome === 'canceled') return 'canceled';
    const verdict = verdictOf(results);
    return span.outcome === 'error' && verdict === 'done' ? 'failed' : verdict;
  }
  if (hasLaterStep) return 'skipped';
  if (sync.end === undefined) return 'pending';
  return syncSpan?.outcome === 'ok' || syncSpan === undefined ? 'skipped' : 'unreached';
}

/** Lays the pass over the list of steps. */
export function syncView(definitions: readonly StepDefinition[], sync: SyncRecord, spanOf: SpanOf, stoppedAt?: PodTrack['stoppedAt']): SyncView {
  const spans = sync.steps.flatMap((id) => spanOf(id) ?? []);
  const syncSpan = spanOf(sync.span);
  const ids = new Set(sync.steps);
  const resultsOf = new Map<number | undefined, SyncResultRecord[]>();
  for (const result of sync.results) {
    const step = stepAround(spanOf, result.span, ids);
    resultsOf.set(step, [...(resultsOf.get(step) ?? []), result]);
  }
  const spanAt = (id: string): SpanRecord | undefined => spans.findLast(({ point }) => point === id);
  const lastStarted = definitions.findLastIndex(({ id }) => spanAt(id) !== undefined);
  const steps = definitions.map((definition, index): StepView => {
    const span = spanAt(definition.id);
    // A pass that failed went no further than its last step; steps it left out before that were skipped.
    const isStopped = sync.end === undefined && stoppedAt?.point === definition.id;
    const results = span ? (resultsOf.get(span.id) ?? []) : [];
    return { definition, state: stateOf({ span, results, isStopped, hasLaterStep: index < lastStarted, sync, syncSpan }), span, results };
  });
  return { sync, span: syncSpan, steps, otherResults: resultsOf.get(undefined) ?? [] };
}

/** The pass that a span is part of. */
export function syncAround(pod: PodTrack, spanOf: SpanOf, id: number | undefined): SyncRecord | undefined {
  for (let span = spanOf(id); span; span = spanOf(span.parent)) {
    const { id: current } = span;
    const sync = pod.syncs.find((candidate) => candidate.span === current);
    if (sync) return sync;
  }
  return undefined;
}

/** The pass to show: the one asked for by its number, or the one that the selected span is part of, or the latest. */
export function syncInView(pod: PodTrack, spanOf: SpanOf, number: number | undefined, selected: number | undefined): SyncRecord | undefined {
  const asked = number === undefined ? syncAround(pod, spanOf, selected) : pod.syncs.find((candidate) => candidate.number === number);
  return asked ?? pod.syncs.at(-1);
}
