/** Renders a component with a session of a scripted node. */
import {
  clientMessageSchema,
  type DebugState,
  type NodeInfo,
  protocolVersion,
  type ServerMessage,
} from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { ChannelClosed, ChannelListener } from '../../connection/channel.ts';
import { nodeInfo } from '../../connection/testing/fake-node.ts';
import { NodeSessionContext, openSession } from '../node-session.ts';

/** A debugger without breakpoints, faults and stops. */
export const idleDebugger: DebugState = {
  version: 1,
  attached: true,
  options: { onDisconnect: 'release', probes: 'missed' },
  stopped: [],
  pausing: [],
  held: [],
  breakpoints: [],
  filters: [],
  faults: [],
  plans: [],
};

interface ScriptedNode {
  /** Members of the node's information that differ from those of a simulated node. */
  readonly node?: Partial<NodeInfo>;
  /** The node's clock, in milliseconds since the Unix epoch. */
  readonly now?: number;
  readonly debug?: DebugState;
  /** Events of the run so far. */
  readonly events?: readonly TraceEvent[];
  /** Results by command name. A command without a result is refused. */
  readonly results?: Readonly<Record<string, unknown>>;
}

/** Renders `ui` and returns the commands that it sends. Resolves when the page is connected. */
export async function renderWithNode(
  ui: ReactNode,
  { node, now = 0, debug = idleDebugger, events = [], results = {} }: ScriptedNode = {},
) {
  const commands: unknown[] = [];
  let channel: ChannelListener | undefined;
  const session = openSession((listener) => {
    channel = listener;
    const answer = (message: ServerMessage): void => queueMicrotask(() => listener.message(JSON.stringify(message)));
    queueMicrotask(() => listener.opened());
    return {
      send: (text) => {
        const message = clientMessageSchema.parse(JSON.parse(text));
        if (message.type === 'hello') {
          answer({
            type: 'welcome',
            protocol: protocolVersion,
            node: { ...nodeInfo(), ...node },
            firstSeq: 1,
            lastSeq: events.at(-1)?.seq ?? 0,
            after: 0,
            now,
            pods: [],
            debug,
          });
          if (events.length > 0) answer({ type: 'events', events: [...events] });
          return;
        }
        commands.push(message.body);
        const { command } = message.body;
        answer(
          command in results
            ? { type: 'response', id: message.id, ok: true, result: results[command] }
            : { type: 'failure', id: message.id, reason: 'MethodNotAllowed', message: `no result for ${command}` },
        );
      },
      close: () => undefined,
    };
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <NodeSessionContext value={session}>
      <QueryClientProvider client={queries}>{ui}</QueryClientProvider>
    </NodeSessionContext>,
  );
  await act(async () => {
    while (session.connection.state.phase !== 'live') await Promise.resolve();
    // The run notifies the page of its pods in the next frame.
    while (events.length > 0 && session.run.uids.length === 0) await new Promise((done) => requestAnimationFrame(done));
  });
  /** Closes the connection as the node would. */
  const close = (closed: ChannelClosed): void => act(() => channel?.closed(closed));
  /** Delivers events as if they had just happened on the node. */
  const happen = (...news: readonly TraceEvent[]): void =>
    act(() => channel?.message(JSON.stringify({ type: 'events', events: news })));
  return { session, commands, screen, close, happen };
}
