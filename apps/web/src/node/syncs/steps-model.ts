/** Computes the state of each step of a sync. */
import type { NodeInfo } from '@podscope/protocol';
import type { PodTrack, SpanRecord, SyncRecord, SyncResultRecord } from '@podscope/trace';

export type StepDefinition = NodeInfo['steps'][number];

/**
 * `postponed`: it ended, but a back-off delays the work. `skipped`: the sync didn't need it. `pending`: it may still
 * run. `unreached`: the sync failed before it.
 */
export type StepState =
  | 'done'
  | 'failed'
  | 'postponed'
  | 'canceled'
  | 'running'
  | 'stopped'
  | 'skipped'
  | 'pending'
  | 'unreached';

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
  /** Results outside the steps. */
  readonly otherResults: readonly SyncResultRecord[];
}

type SpanOf = (id: number | undefined) => SpanRecord | undefined;

/** Errors that mean nothing was tried yet. */
const backOffs: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

/** Summarizes results. A step itself succeeds although a container in it doesn't start. */
export function verdictOf(results: readonly SyncResultRecord[]): 'done' | 'failed' | 'postponed' {
  const errors = results.flatMap(({ error }) => error ?? []);
  if (errors.length === 0) return 'done';
  return errors.every((error) => backOffs.has(error)) ? 'postponed' : 'failed';
}

/** Returns the step that contains a span. */
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

/** Returns the steps with their states in a sync. */
export function syncView(
  definitions: readonly StepDefinition[],
  sync: SyncRecord,
  spanOf: SpanOf,
  stoppedAt?: PodTrack['stoppedAt'],
): SyncView {
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
    // A failed sync ends at its last step; the steps it omitted before that were not needed.
    const isStopped = sync.end === undefined && stoppedAt?.point === definition.id;
    const results = span ? (resultsOf.get(span.id) ?? []) : [];
    return {
      definition,
      state: stateOf({ span, results, isStopped, hasLaterStep: index < lastStarted, sync, syncSpan }),
      span,
      results,
    };
  });
  return { sync, span: syncSpan, steps, otherResults: resultsOf.get(undefined) ?? [] };
}

/** Returns the sync that contains a span. */
export function syncAround(pod: PodTrack, spanOf: SpanOf, id: number | undefined): SyncRecord | undefined {
  for (let span = spanOf(id); span; span = spanOf(span.parent)) {
    const { id: current } = span;
    const sync = pod.syncs.find((candidate) => candidate.span === current);
    if (sync) return sync;
  }
  return undefined;
}

/** Returns the sync to show: the requested number, else the sync of the selected span, else the latest. */
export function syncInView(
  pod: PodTrack,
  spanOf: SpanOf,
  number: number | undefined,
  selected: number | undefined,
): SyncRecord | undefined {
  const asked =
    number === undefined
      ? syncAround(pod, spanOf, selected)
      : pod.syncs.find((candidate) => candidate.number === number);
  return asked ?? pod.syncs.at(-1);
}
