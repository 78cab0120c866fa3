/** Which node the page shows: the one its address names, until a file or a kept run is opened in its place. */
import { create } from 'zustand';
import type { EngineOptions } from '../alone/engine-messages.ts';
import { startLocalNode } from '../alone/local-node.ts';
import { readSource } from '../alone/source-address.ts';
import type { OpenChannel } from '../connection/channel.ts';
import { webSocketChannel } from '../connection/web-socket-channel.ts';
import { initialView, type View } from '../state/view-address.ts';
import { useView } from '../state/view-store.ts';
import { type NodeSession, openSession } from './node-session.ts';

function addressedSession(): NodeSession {
  const source = readSource(location.search, import.meta.env.MODE === 'site');
  return openSession(source.kind === 'server' ? webSocketChannel(location.href) : startLocalNode(source.options, podscopeVersion).open);
}

interface OpenNode {
  readonly session: NodeSession;
  /** The session with the address's node: it goes on while a recording is shown, so that the way back is short and stops hold. */
  readonly home: NodeSession;
  /** Id of the kept run that is shown in its place. */
  readonly keptRun: string | undefined;
}

export const useOpenNode = create<OpenNode>()(() => {
  const home = addressedSession();
  return { session: home, home, keptRun: undefined };
});

/** True while a recording is shown in place of the address's node. */
export const isElsewhere = (): boolean => {
  const { session, home } = useOpenNode.getState();
  return session !== home;
};

export const useIsElsewhere = (): boolean => useOpenNode(({ session, home }) => session !== home);

/** Ends what serves the session that is shown, where that is of this page's own. */
let dispose: (() => void) | undefined;

function become(session: NodeSession, keptRun?: string, end?: () => void): void {
  const { session: before, home } = useOpenNode.getState();
  if (before !== home && before !== session) {
    before.connection.close();
    dispose?.();
  }
  dispose = end;
  useOpenNode.setState({ session, keptRun });
}

/** From the beginning of what is shown now. */
const startView = (patch: Partial<View>): void =>
  useView.getState().show({ ...initialView, present: useView.getState().present, tab: useView.getState().tab, ...patch }, 'push');

/** Shows a file's run in place of the node. */
export function openFileRun(channel: OpenChannel): void {
  become(openSession(channel));
  startView({ follow: false });
}

/** Begins a run of this page's own in place of the node: it lives until another takes its place. */
export function openLocalRun(options: EngineOptions): void {
  const node = startLocalNode(options, podscopeVersion);
  become(openSession(node.open), undefined, () => node.close());
  startView({});
}

/** Has the address name a kept run, which is then shown. */
export const openKeptRun = (run: string): void => startView({ follow: false, run });

/** Shows the kept run that the address names. */
export const showKeptRun = (channel: OpenChannel, run: string): void => become(openSession(channel), run);

/** Shows the address's node. */
export const showHome = (): void => become(useOpenNode.getState().home);

/** Back from a recording to the node that the address names. */
export function returnToNode(): void {
  if (!isElsewhere()) return;
  showHome();
  startView({});
}
