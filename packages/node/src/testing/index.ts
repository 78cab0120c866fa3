/** Exports test helpers to other packages. */
export { type HostedConversationNode, startConversationNode } from './conversation-node.ts';
export { startTestNode, type TestNode } from './test-node.ts';
