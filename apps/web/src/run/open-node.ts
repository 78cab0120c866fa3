/** Which node the page shows: the one its address names, until a file is opened in its place. */
import { create } from 'zustand';
import { startLocalNode } from '../alone/local-node.ts';
import { readSource } from '../alone/source-address.ts';
import { webSocketChannel } from '../connection/web-socket-channel.ts';
import { type NodeSession, openSession } from './node-session.ts';

function addressedSession(): NodeSession {
  const source = readSource(location.search, import.meta.env.MODE === 'site');
  return openSession(source.kind === 'server' ? webSocketChannel(location.href) : startLocalNode(source.options, podscopeVersion).open);
}

interface OpenNode {
  readonly session: NodeSession;
  /** Name of the file that is shown in place of the address's node. */
  readonly file: string | undefined;
}

export const useOpenNode = create<OpenNode>()(() => ({ session: addressedSession(), file: undefined }));

/** Shows another node in place of this one. */
export function replaceNode(session: NodeSession, file: string): void {
  useOpenNode.getState().session.connection.close();
  useOpenNode.setState({ session, file });
}
