/** Exports what tests of other packages use of the relay. */
export { firstChild } from './first-child.ts';
export { answerWithinTests, type RelayBefore, relayBefore } from './relay-before.ts';
export { type CallResult, callThrough, grpcFrame, listening } from './served-relay.ts';
export { TestDebugger } from './test-debugger.ts';
