/** One node as the page holds it: its connection and the run it reports. */
import { createContext, use } from 'react';
import type { OpenChannel } from '../connection/channel.ts';
import { Connection } from '../connection/connection.ts';
import { RunStore } from './run-store.ts';

export interface NodeSession {
  readonly connection: Connection;
  readonly run: RunStore;
}

/** Connects to a node. */
export function openSession(open: OpenChannel): NodeSession {
  const run = new RunStore();
  const connection = new Connection({ open, reader: run });
  connection.connect();
  return { connection, run };
}

export const NodeSessionContext = createContext<NodeSession | undefined>(undefined);

/** The session of the page. */
export function useSession(): NodeSession {
  const session = use(NodeSessionContext);
  if (!session) throw new Error('useSession needs a NodeSessionContext above it');
  return session;
}
