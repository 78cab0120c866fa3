/** Selects the node that the page shows: the one of the address, or a file or saved run in its place. */
import { create } from 'zustand';
import { addressedSource, linkedBreakpoints, pageAddress } from '../address/address.ts';
import { initialView, type View } from '../address/view-address.ts';
import { useView } from '../address/view-store.ts';
import type { OpenChannel } from '../connection/channel.ts';
import { webSocketChannel } from '../connection/web-socket-channel.ts';
import type { EngineOptions } from '../standalone/engine-messages.ts';
import { startLocalNode } from '../standalone/local-node.ts';
import { type NodeSession, openSession } from './node-session.ts';

function addressedSession(): NodeSession {
  if (addressedSource.kind === 'server') return openSession(webSocketChannel(pageAddress().href));
  const { options } = addressedSource;
  // A run that starts before its link's breakpoints are set may pass them, so its time starts afterwards.
  const { time: _time, ...rest } = options;
  const held = linkedBreakpoints ? { ...rest, paused: true } : options;
  return openSession(startLocalNode(held, podscopeVersion).open);
}

interface OpenNode {
  readonly session: NodeSession;
  /**
   * The session with the address's node. It stays open while a recording is shown, so that stops last and returning
   * is fast.
   */
  readonly home: NodeSession;
  /** Id of the saved run that is shown instead. */
  readonly savedRun: string | undefined;
}

export const useOpenNode = create<OpenNode>()(() => {
  const home = addressedSession();
  return { session: home, home, savedRun: undefined };
});

/** Returns true while a recording replaces the address's node. */
export const isElsewhere = (): boolean => {
  const { session, home } = useOpenNode.getState();
  return session !== home;
};

export const useIsElsewhere = (): boolean => useOpenNode(({ session, home }) => session !== home);

/** Stops the page's own engine behind the shown session. */
let dispose: (() => void) | undefined;

function become(session: NodeSession, savedRun?: string, end?: () => void): void {
  const { session: before, home } = useOpenNode.getState();
  if (before !== home && before !== session) {
    before.connection.close();
    dispose?.();
  }
  dispose = end;
  useOpenNode.setState({ session, savedRun });
}

/** Resets the view for a newly shown run. */
const startView = (patch: Partial<View>): void =>
  useView
    .getState()
    .show({ ...initialView, present: useView.getState().present, tab: useView.getState().tab, ...patch }, 'push');

/** Shows the run of a file. */
export function openFileRun(channel: OpenChannel): void {
  become(openSession(channel));
  startView({ follow: false });
}

/** Starts an engine in the page and shows its run. It stops when another run is shown. */
export function openLocalRun(options: EngineOptions): void {
  const node = startLocalNode(options, podscopeVersion);
  become(openSession(node.open), undefined, () => node.close());
  startView({});
}

/** Puts a saved run into the address, which then shows it. */
export const openSavedRun = (run: string): void => startView({ follow: false, run });

/** Shows the saved run of the address. */
export const showSavedRun = (channel: OpenChannel, run: string): void => become(openSession(channel), run);

/** Shows the node of the address. */
export const showHome = (): void => become(useOpenNode.getState().home);

/** Returns from a recording to the node of the address. */
export function returnToNode(): void {
  if (!isElsewhere()) return;
  showHome();
  startView({});
}
