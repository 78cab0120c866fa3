/** CRI over gRPC, for Node: serving a runtime on a socket, and driving one behind a socket. */
export type { CriApiVersion } from './api-version.ts';
export { type ConnectCriOptions, connectCri, type RemoteRuntime } from './connect.ts';
export { socketPath } from './endpoint.ts';
export { type CriServer, type ServeCriOptions, serveCri } from './server.ts';
