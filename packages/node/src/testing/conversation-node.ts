/** Starts a test node for the debugger's conversations. */

import type { DebugClient } from '@podscope/debugger/testing';
import { type ConversationNode, type ConversationOptions, ProtocolClient } from '@podscope/debugger/testing';
import type { NodeHost } from '../node-host.ts';
import { systemClock } from '../system-clock.ts';
import { startTestNode } from './test-node.ts';

export interface HostedConversationNode extends ConversationNode {
  readonly host: NodeHost;
}

/**
 * Starts a node for one conversation. Real time paces its stream, so reading the stream doesn't advance the virtual
 * clock. The kubelet's jitter is constant, so its delays are equal in every run.
 */
export async function startConversationNode(options: ConversationOptions): Promise<HostedConversationNode> {
  const node = await startTestNode({ ...options, pacing: systemClock(), jitter: () => 0.5 });
  const { nodeHost: host, clock, simulator } = node;
  return {
    host,
    clock,
    log: host.log,
    debugger: host.debugger,
    get sessionCount() {
      return host.sessionCount;
    },
    until: (condition, limit) => node.until(condition, limit),
    apply: (manifest) => node.apply(manifest),
    pod: (name) => node.pod(name),
    pods: () => host.api.storage.list('Pod'),
    deletePod: (name, gracePeriodSeconds) => host.commands.deletePod('default', name, gracePeriodSeconds),
    failNext: (operation, message) => simulator.failNext(operation, message),
    stopSandbox: async () => {
      const [sandbox] = (await simulator.runtime.listPodSandbox(host.context('test'), {})).items;
      await simulator.stopSandboxFromOutside(sandbox?.id ?? '');
    },
    stop: () => host.stop(),
  };
}

/** Connects a client of the debugger in the same process, without a socket. */
export function connectInProcess({ host }: HostedConversationNode): Promise<DebugClient> {
  const client = new ProtocolClient((text) => session.receive(text));
  const session = host.connect({
    send: (text) => queueMicrotask(() => client.receive(text)),
    bufferedAmount: 0,
    close: () => undefined,
  });
  client.hello();
  return Promise.resolve({
    request: (command) => client.request(command),
    eventsUpTo: (seq) => client.eventsUpTo(seq),
    close: () => Promise.resolve(session.closed()),
  });
}
