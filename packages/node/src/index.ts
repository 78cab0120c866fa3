/**
 * Exports the node: a kubelet over a container runtime, its API server, its event log and debugger, and the sessions of
 * its clients.
 */

export {
  type CommandCall,
  type CommandConnection,
  type CommandHandlers,
  type CommandInterceptor,
  type CommandName,
  type CommandOf,
  CommandTable,
  requireConnection,
} from './commands/command-table.ts';
export { type LogRequest, type NodeCommands, nodeCommandHandlers } from './commands/node-commands.ts';
export { debugCommandHandlers } from './debug/debug-commands.ts';
export { type PastRun, pastCommandHandlers } from './debug/past-commands.ts';
export type { MachineFacts } from './kubelet/node-object.ts';
export { type ChangeInterceptor, kubernetesVersion, NodeHost } from './node-host.ts';
export type { NodeHostOptions, RefusedPod, StaticPodSource } from './node-host-options.ts';
export { runCommandHandlers } from './runs/run-commands.ts';
export { exportPlace, type RunExportPlace, type RunLibrary, type RunPageRequest } from './runs/run-library.ts';
export { ClientSessions } from './sessions/client-sessions.ts';
export { type ArchivedRun, type EventArchive, type EventFeed, LiveFeed } from './sessions/event-feed.ts';
export { EventEncoder } from './sessions/event-json.ts';
export {
  maxClientMessage,
  type RunTimeSource,
  Session,
  type SessionDependencies,
  type Transport,
} from './sessions/session.ts';
export { systemClock } from './system-clock.ts';
