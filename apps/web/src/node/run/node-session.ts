/** Combines the connection to a node, its run and its debugger. */
import type { RunHistory } from '@podscope/trace';
import { createContext, use } from 'react';
import type { OpenChannel } from '../connection/channel.ts';
import { Connection, type EventReader } from '../connection/connection.ts';
import { DebugStore } from './debug-store.ts';
import { RunStore } from './run-store.ts';

export interface NodeSession {
  readonly connection: Connection;
  readonly run: RunStore;
  readonly debug: DebugStore;
}

/** Returns a reader that forwards each call to both readers, first to `first`. */
const both = (first: EventReader, second: EventReader): EventReader => ({
  begin: (welcome, restarted) => {
    first.begin(welcome, restarted);
    second.begin(welcome, restarted);
  },
  resume: (welcome) => {
    first.resume(welcome);
    second.resume(welcome);
  },
  time: (time) => {
    first.time(time);
    second.time(time);
  },
  events: (events) => {
    first.events(events);
    second.events(events);
  },
});

/**
 * Opens a session with a node.
 * @param history the events of a recording, which its channel doesn't send
 */
export function openSession(open: OpenChannel, history?: RunHistory): NodeSession {
  const run = new RunStore(history ? { history } : {});
  const debug = new DebugStore();
  const connection = new Connection({ open, reader: both(run, debug) });
  debug.attach(connection);
  connection.connect();
  return { connection, run, debug };
}

export const NodeSessionContext = createContext<NodeSession | undefined>(undefined);

/** Returns the session of the page. */
export function useSession(): NodeSession {
  const session = use(NodeSessionContext);
  if (!session) throw new Error('useSession needs a NodeSessionContext above it');
  return session;
}
