/** Exports reverse debugging. It works on recorded events and needs no node. */
export { type EventPages, reverseContinueIn, stepBackIn } from './go-back.ts';
export { catalogOfRecording } from './recorded-catalog.ts';
export { RecordedDebugger, readRunDebug } from './recorded-debugger.ts';
export { RecordedGate, recordedStops } from './recorded-gate.ts';
