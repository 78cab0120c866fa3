/** Selects the node that the page shows: the node in the address, or a file or saved run instead. */
import type { RunHistory } from '@podscope/trace';
import { create } from 'zustand';
import { addressedSource, linkedBreakpoints, pageAddress } from '../address/address.ts';
import { initialView, type View } from '../address/view-address.ts';
import { useView } from '../address/view-store.ts';
import type { OpenChannel } from '../connection/channel.ts';
import { webSocketChannel } from '../connection/web-socket-channel.ts';
import type { EngineOptions } from '../standalone/engine-messages.ts';
import { startAddressedNode, startLocalNode } from '../standalone/local-node.ts';
import { type NodeSession, openSession } from './node-session.ts';

function addressedSession(): NodeSession {
  if (addressedSource.kind === 'server') return openSession(webSocketChannel(pageAddress().href));
  const { options } = addressedSource;
  // If the link contains breakpoints, start the time only after they are set. Otherwise the run could go past the
  // breakpoints.
  const { time: _time, ...rest } = options;
  return openSession(startAddressedNode(linkedBreakpoints ? { ...rest, paused: true } : options).open);
}

interface OpenNode {
  readonly session: NodeSession;
  /**
   * The session with the node that the address names. It stays open while a recording is shown, so that stops persist
   * and returning is fast.
   */
  readonly home: NodeSession;
  /** Id of the saved run that is shown in place of the node. */
  readonly savedRun: string | undefined;
  /** The options of the page's own engine behind the session; undefined for other sources. */
  readonly options: EngineOptions | undefined;
  /** The session that stays open while another participant's run is shown: {@link coverRun}. */
  readonly covered: Covered | undefined;
}

/** A session that stays open while another participant's run is shown. */
interface Covered {
  readonly session: NodeSession;
  readonly savedRun: string | undefined;
  readonly view: Partial<View>;
}

export const useOpenNode = create<OpenNode>()(() => {
  const home = addressedSession();
  const options = addressedSource.kind === 'page' ? addressedSource.options : undefined;
  return { session: home, home, savedRun: undefined, options, covered: undefined };
});

/** Returns true while the page shows a recording instead of the node that the address names. */
export const isElsewhere = (): boolean => {
  const { session, home } = useOpenNode.getState();
  return session !== home;
};

/**
 * Returns true while the page shows a recording instead of the node that the address names, and the user may return to
 * the node.
 */
export const useIsElsewhere = (): boolean =>
  useOpenNode(({ session, home, covered }) => session !== home && covered === undefined);

/** Returns the session of the user's own run, even while another participant's run is shown. */
export function ownSession(): NodeSession {
  const { session, covered } = useOpenNode.getState();
  return covered?.session ?? session;
}

/**
 * Returns the options of the page's own engine whose run is shown; undefined for other sources, and while another
 * participant's run is shown.
 */
export const useOwnOptions = (): EngineOptions | undefined =>
  useOpenNode(({ options, covered }) => (covered === undefined ? options : undefined));

/** Stops the page's own engine that runs the shown session. */
let dispose: (() => void) | undefined;

/** A recorded run: channels to a node that has it, and its events. */
export interface RecordedNode {
  readonly open: OpenChannel;
  readonly history: RunHistory;
}

function become(session: NodeSession, savedRun?: string, end?: () => void, options?: EngineOptions): void {
  uncoverRun();
  const { session: before, home } = useOpenNode.getState();
  if (before !== home && before !== session) {
    before.connection.close();
    dispose?.();
  }
  dispose = end;
  const ofHome = addressedSource.kind === 'page' ? addressedSource.options : undefined;
  useOpenNode.setState({ session, savedRun, options: session === home ? ofHome : options });
}

/** Shows another participant's run, such as the teacher's. The page's own run continues in the background. */
export function coverRun(channel: OpenChannel): void {
  const { session, savedRun, covered } = useOpenNode.getState();
  const cover = openSession(channel);
  const view: Partial<View> = runViewOf(useView.getState());
  useOpenNode.setState({ session: cover, savedRun: undefined, covered: covered ?? { session, savedRun, view } });
  if (covered) session.connection.close();
}

/** Shows the page's own run again. Does nothing if no other participant's run is shown. */
export function uncoverRun(): void {
  const { session, covered } = useOpenNode.getState();
  if (!covered) return;
  useOpenNode.setState({ session: covered.session, savedRun: covered.savedRun, covered: undefined });
  useView.getState().show(covered.view);
  session.connection.close();
}

/** Returns the members of the view that refer to a run. */
const runViewOf = ({ pod, uid, tab, sync, selected, at, follow, range, run }: View): Partial<View> => ({
  pod,
  uid,
  tab,
  sync,
  selected,
  at,
  follow,
  range,
  run,
});

/** Resets the view for a newly shown run. */
const startView = (patch: Partial<View>): void =>
  useView
    .getState()
    .show({ ...initialView, present: useView.getState().present, tab: useView.getState().tab, ...patch }, 'push');

/** Shows the run of a file. */
export function openFileRun({ open, history }: RecordedNode): void {
  become(openSession(open, history));
  startView({ follow: false });
}

/** Starts an engine in the page and shows its run. It stops when another run is shown. */
export function openLocalRun(options: EngineOptions): void {
  const node = startLocalNode(options);
  become(openSession(node.open), undefined, () => node.close(), options);
  startView({});
}

/** Puts a saved run into the page's address, so that the page shows the run. */
export const openSavedRun = (run: string): void => startView({ follow: false, run });

/** Shows the saved run of the address. */
export const showSavedRun = ({ open, history }: RecordedNode, run: string): void =>
  become(openSession(open, history), run);

/** Shows the node of the address. */
export const showHome = (): void => become(useOpenNode.getState().home);

/** Returns from a recording to the node of the address. */
export function returnToNode(): void {
  if (!isElsewhere()) return;
  showHome();
  startView({});
}
