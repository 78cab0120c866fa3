/** Exports the protocol between relay and debugger with its schemas. wire.ts is the part without them. */
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
