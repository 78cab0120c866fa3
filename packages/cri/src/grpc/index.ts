/** Exports CRI over gRPC, with server and client. Needs Node. */
export type { CriApiVersion } from './api-version.ts';
export { type ConnectCriOptions, connectCri, type RemoteRuntime } from './client/connect.ts';
export {
  type DecodedMessage,
  decodeCallMessage,
  encodeCallMessage,
  readCallMessage,
} from './codec/messages-of-calls.ts';
export { socketPath } from './endpoint.ts';
export { type CriServer, type ServeCriOptions, serveCri } from './server/server.ts';
