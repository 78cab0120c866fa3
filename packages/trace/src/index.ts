/** Exports events, tracer, gate, clock and folds, on which every engine package is based. */
export { changingMethods } from './changing-calls.ts';
export {
  addMilliseconds,
  type Clock,
  formatMicroTime,
  formatTime,
  fromNanoseconds,
  type Instant,
  instant,
  type Milliseconds,
  parseTime,
  sleep,
  type Timer,
  toNanoseconds,
} from './clock/clock.ts';
export { VirtualClock } from './clock/virtual-clock.ts';
export {
  background,
  type Context,
  type Exposed,
  type Exposures,
  type PodReference,
  type SharedSlot,
  Span,
  type SpanContext,
  withoutCancel,
  withPod,
  withSignal,
  withThread,
  withTimeout,
} from './context.ts';
export { DeadlineExceededError, describeError, InterruptedError, isCanceled, isInterrupted } from './error.ts';
export type {
  Attributes,
  EventPayload,
  TraceEvent,
  TraceEventOf,
  TraceEventType,
  UnstampedEvent,
} from './events/event.ts';
export { toJson } from './events/event-json.ts';
export { defaultRetainedEvents, EventLog } from './events/event-log.ts';
export {
  type ExplanationSection,
  explainDiagnoses,
  explainPod,
  explanationLines,
  type PodExplanation,
  summarizeObject,
} from './explain/explain-pod.ts';
export { isDeeperThan } from './file/json-depth.ts';
export { pullFraction } from './folds/apply/pull-progress.ts';
export { criTimeAt, textAt } from './folds/attribute-values.ts';
export {
  type CurrentBackOff,
  currentBackOff,
  describePodForPeople,
  type PodDescription,
  type PodTone,
} from './folds/describe-pod.ts';
export { sourceOf } from './folds/fact-source.ts';
export { interventionsBehind, interventionsQuoted, interventionsWithin } from './folds/interventions.ts';
export { MergedLists } from './folds/merged-lists.ts';
export { type FoldSnapshot, RunFold } from './folds/run-fold.ts';
export type * from './folds/tracks.ts';
export { type Gate, openGate, type SpanResult } from './gate.ts';
export {
  type GrpcCode,
  type GrpcErrorCode,
  grpcCodeNumber,
  grpcCodeOf,
  grpcErrorCodes,
  isGrpcErrorCode,
} from './grpc-codes.ts';
export { type FlowLine, FlowText, type FlowTone, formatDuration } from './narrative/flow-text.ts';
export { printable, replaceUnprintable } from './narrative/printable.ts';
export { type StatusSummary, summarizeStatus } from './narrative/status-summary.ts';
export type { Point, PointKind } from './point.ts';
export { type Delivery, type EventSink, Tracer } from './tracer.ts';
export {
  type BoundaryContext,
  type BreakpointPredicate,
  openSpans,
  reverseContinue,
  type StepBoundary,
  type StepGranularity,
  stepBack,
} from './travel/reverse.ts';
export { keyframeInterval, RunHistory, type RunHistoryOptions } from './travel/run-history.ts';
