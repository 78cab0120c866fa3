/** Exports the debugger's conversation suite, which tests every connection that carries its commands. */
export type { ConversationNode, ConversationOptions } from './conversations/conversation-node.ts';
export { type DebugClient, ProtocolClient, RefusedError } from './conversations/debug-client.ts';
export { type Carrier, playScenario } from './conversations/run-scenario.ts';
export { crashingPod, podOf, type Scenario } from './conversations/scenario.ts';
export { scenarios } from './conversations/scenarios.ts';
