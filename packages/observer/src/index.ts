/**
 * Exports the observer of genuine kubelets. The observer turns a kubelet's calls, pods and spans into events, and a
 * shadow engine computes each sync.
 */
export type { EventPlace, EventSource, ObservationSink } from './event-writer.ts';
export type {
  CallMessage,
  CallRecord,
  CallResult,
  KubeletFacts,
  ObservedCall,
  ObservedSpan,
  PodsSnapshot,
  SourceName,
} from './inputs.ts';
export { isPod } from './is-pod.ts';
export { Observer, type ObserverOptions } from './observer.ts';
export { type ReadMessage, type Recording, type RecordingTexts, readRecording } from './recording/recording.ts';
export { type Replayed, type ReplayOptions, replay, SortingSink, type Tracing, tracings } from './recording/replay.ts';
export { chooseProfile, type KnownDifference, knownDifferences, type ProfileChoice } from './releases.ts';
export { exportSync, figuresOf, type ShadowFigures } from './report.ts';
export { readSavedState, type SavedState } from './shadow/saved-memories.ts';
export type { ProbeCount } from './state/probe-counts.ts';
export type { SyncReport } from './sync-judge.ts';
export { CallSpans } from './traces/call-spans.ts';
export { podTraces, type StoredSpan } from './traces/pod-traces.ts';
