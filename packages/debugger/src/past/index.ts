/** Going back with breakpoints, over recorded events: without a node. */
export { type EventPages, reverseContinueIn, stepBackIn } from './go-back.ts';
export { catalogOfRecording } from './recorded-catalog.ts';
export { RecordedDebugger, readRunDebug } from './recorded-debugger.ts';
export { RecordedGate, recordedStops } from './recorded-gate.ts';
