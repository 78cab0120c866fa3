/**
 * Exports the protocol between relay and debugger with its schemas. The module wire.ts contains no schemas and can be
 * imported alone.
 */
export {
  type Answer,
  answerSchema,
  type DebuggerMessage,
  debuggerMessageSchema,
  type RelayFault,
  type RelayMessage,
  type ReleaseReason,
  relayFaultSchema,
  relayMessageSchema,
  releaseReasonSchema,
} from './messages.ts';
export { encodeHead, type Frame, FrameReader, holdableMethods, methodOfPath, protocolVersion } from './wire.ts';
