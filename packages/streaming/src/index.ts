/**
 * Exports the streaming protocols of Kubernetes: exec, attach and port-forward over SPDY/3.1 and WebSocket, server and
 * client.
 */
export { remoteStreams } from './client/remote-streams.ts';
export type { PortForwardHandler } from './port-forward/handler.ts';
export { type PortForwardOptions, servePortForward } from './port-forward/serve.ts';
export type { RemoteCommandStreams } from './remote-command/protocols.ts';
export { type RemoteCommandHandler, type ServeOptions, serveRemoteCommand } from './remote-command/serve.ts';
export { type StreamedRuntime, streamedRuntime } from './server/streamed-runtime.ts';
export { StreamingServer, type StreamingServerOptions } from './server/streaming-server.ts';
export { isWebSocketRequest, refuse, UpgradeError, type UpgradeRequest } from './upgrade.ts';
