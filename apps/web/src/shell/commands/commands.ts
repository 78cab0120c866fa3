/** Lists all commands of the page. Key handling, help and palette read this table. */

import type { Message } from '../../base/i18n/define-messages.ts';
import { currentLanguage } from '../../base/i18n/i18n.ts';
import { setPreference } from '../../base/preferences/preferences.ts';
import { cycleTheme } from '../../base/theme/theme.ts';
import { debugMessages } from '../../features/debug/index.ts';
import { podFilterId } from '../../features/pods/index.ts';
import { shareActions } from '../../features/share/index.ts';
import { startSlowMotion } from '../../features/slow-motion/index.ts';
import { timelineHandle } from '../../features/timeline/index.ts';
import { tabs } from '../../node/address/view-address.ts';
import { select, showPod, useView } from '../../node/address/view-store.ts';
import {
  cancelPause,
  pause,
  restartSync,
  resume,
  resumeAll,
  stepIn,
  stepOut,
  stepOver,
} from '../../node/debugger/debug-actions.ts';
import { listedPods } from '../../node/pods/pod-list.ts';
import type { NodeSession } from '../../node/run/node-session.ts';
import { isElsewhere, returnToNode, useOpenNode } from '../../node/run/open-node.ts';
import { type Change, refusalOf } from '../../node/run/refusal.ts';
import { stepSync } from '../../node/syncs/use-sync-in-view.ts';
import {
  goReverseContinue,
  goStepBack,
  goStepForward,
  runAgainFromHere,
  travelTo,
} from '../../node/travel/use-travel.ts';
import {
  askToDelete,
  type DialogName,
  openDialog,
  openEditor,
  setColumn,
  toggleInspector,
  togglePods,
  useInterface,
} from '../../node/view/interface.ts';
import { tabTitleMessages } from '../messages.en.ts';
import { togglePresentation } from '../presentation.ts';
import { type commandGroupMessages, commandMessages } from './messages.en.ts';

/** The session and the pod that a command applies to. */
export interface CommandContext {
  readonly session: NodeSession;
  /** UID of the selected pod. */
  readonly uid: string | undefined;
}

export interface Command {
  readonly id: string;
  readonly title: Message;
  readonly group: keyof typeof commandGroupMessages;
  /** Key chord; `key-chord.ts` defines the syntax. */
  readonly keys?: string;
  /** Returns whether the command is available; absent means always. */
  readonly isEnabled?: (context: CommandContext) => boolean;
  /** The subject that the command changes. If a change isn't possible now, the command is refused with a reason. */
  readonly changes?: Change;
  /** Returns a message that explains why the command is unavailable, for users who press its keys. */
  readonly whyUnavailable?: (context: CommandContext) => Message | undefined;
  readonly run: (context: CommandContext) => unknown;
}

type Condition = NonNullable<Command['isEnabled']>;

const hasPod: Condition = ({ session, uid }) => session.run.pod(uid) !== undefined;
const hasDebugger: Condition = ({ session }) => session.debug.state !== undefined;
const isVirtual: Condition = ({ session }) => session.run.runTime !== undefined;
const isPast: Condition = ({ session }) => session.run.past !== undefined;
/** Returns the stopped thread of the selected pod. */
const stoppedThread = ({ session, uid }: CommandContext): string | undefined => session.debug.stopOf(uid)?.thread;
const isStopped: Condition = (context) => stoppedThread(context) !== undefined;
const isPausing: Condition = ({ session, uid }) =>
  uid !== undefined && session.debug.state?.pausing.includes(uid) === true;
/** Returns the reason why commands for a stopped pod have no effect now. */
const whyNotStopped = (context: CommandContext): Message | undefined =>
  hasDebugger(context) && hasPod(context)
    ? isPausing(context)
      ? debugMessages.notStoppedYet
      : debugMessages.notStopped
    : undefined;

function stepPod({ session: { run }, uid }: CommandContext, by: number): void {
  const pods = listedPods(run.fold.pods());
  const at = pods.findIndex((pod) => pod.uid === uid);
  const next = pods[Math.min(pods.length - 1, Math.max(0, at + by))];
  if (next) showPod(next);
}

/** Shows the sync `by` places after the shown one. */
const moveSync =
  (by: number) =>
  ({ session, uid }: CommandContext): void => {
    const pod = session.run.pod(uid);
    if (pod) stepSync(session, pod, by);
  };

function focusPodFilter(): void {
  setColumn('pods', true);
  // Wait a frame: if the panel was collapsed, its field is rendered then.
  requestAnimationFrame(() => document.getElementById(podFilterId)?.focus());
}

/** Runs a command on the stopped thread. Does nothing if the thread isn't stopped. */
const atStop =
  (action: (session: NodeSession, thread: string) => unknown) =>
  (context: CommandContext): void => {
    const thread = stoppedThread(context);
    if (thread !== undefined) action(context.session, thread);
  };

/** Runs a command on the selected pod. */
const withPod =
  (action: (session: NodeSession, uid: string) => unknown) =>
  ({ session, uid }: CommandContext): void => {
    if (uid !== undefined) action(session, uid);
  };

function pauseOrContinue(context: CommandContext): void {
  const thread = stoppedThread(context);
  const { session, uid } = context;
  if (thread !== undefined) void resume(session, thread);
  else if (uid === undefined) return;
  else if (isPausing(context)) void cancelPause(session, uid);
  else void pause(session, uid);
}

/** Ignores errors: the connection banner reports them. */
const send =
  (command: (session: NodeSession) => Parameters<NodeSession['connection']['command']>[0]) =>
  ({ session }: CommandContext): void =>
    void session.connection.command(command(session)).catch(() => undefined);

const opens = (dialog: DialogName) => () => openDialog(dialog);

interface Row extends Omit<Command, 'id' | 'title'> {
  readonly name: keyof typeof commandMessages;
}

/** Commands that need a stopped pod. */
const forStopped = {
  changes: 'present',
  group: 'debugger',
  isEnabled: isStopped,
  whyUnavailable: whyNotStopped,
} as const satisfies Partial<Row>;

const rows: readonly Row[] = [
  { name: 'palette', group: 'page', keys: 'Mod+k', run: opens('palette') },
  { name: 'newPod', changes: 'node', group: 'page', keys: 'n', run: () => openEditor() },
  { name: 'filterPods', group: 'page', keys: '/', run: focusPodFilter },
  { name: 'scenarios', group: 'page', keys: 'c', run: opens('scenarios') },
  { name: 'lessons', group: 'page', keys: 'h', run: opens('lessons') },
  { name: 'lessonEditor', group: 'page', run: opens('lessonEditor') },
  { name: 'class', group: 'page', run: opens('class') },
  { name: 'togglePods', group: 'page', keys: 'p', run: togglePods },
  { name: 'toggleInspector', group: 'page', keys: 'i', run: toggleInspector },
  { name: 'present', group: 'page', keys: 'v', run: togglePresentation },
  { name: 'theme', group: 'page', keys: 't', run: cycleTheme },
  {
    name: 'language',
    group: 'page',
    run: () => setPreference({ language: currentLanguage() === 'en' ? 'zh-CN' : 'en' }),
  },
  { name: 'settings', group: 'page', keys: 'o', run: opens('settings') },
  { name: 'hints', group: 'page', run: () => setPreference({ hintsSeen: 0 }) },
  { name: 'guide', group: 'page', run: opens('guide') },
  { name: 'help', group: 'page', keys: '?', run: opens('help') },
  { name: 'node', group: 'run', run: opens('node') },
  { name: 'runs', group: 'run', keys: 'r', run: opens('runs') },
  { name: 'snapshot', group: 'run', keys: 'y', run: opens('snapshot') },
  { name: 'backToNode', group: 'run', isEnabled: isElsewhere, run: returnToNode },
  {
    name: 'toggleTime',
    changes: 'node',
    group: 'run',
    isEnabled: isVirtual,
    run: send(({ run }) => ({ command: 'setTime', paused: !run.runTime?.paused })),
  },
  {
    name: 'nextEvent',
    changes: 'node',
    group: 'run',
    isEnabled: isVirtual,
    run: send(() => ({ command: 'stepTime', toNextEvent: true })),
  },
  {
    name: 'otherRelease',
    group: 'run',
    isEnabled: () => {
      const { options, covered } = useOpenNode.getState();
      return options?.scenario !== undefined && covered === undefined;
    },
    run: () => {
      useInterface.setState({ wantsOtherRelease: true });
      useView.getState().show({ tab: 'compare' });
    },
  },
  { name: 'nextPod', group: 'pods', keys: 'j', run: (context) => stepPod(context, 1) },
  { name: 'previousPod', group: 'pods', keys: 'k', run: (context) => stepPod(context, -1) },
  { name: 'inspectPod', group: 'pods', keys: 'u', isEnabled: hasPod, run: () => select(undefined) },
  {
    name: 'deletePod',
    changes: 'present',
    group: 'pods',
    keys: 'Delete',
    isEnabled: hasPod,
    run: ({ uid }) => askToDelete(uid),
  },
  { name: 'openSource', group: 'tabs', keys: 'Mod+p', run: opens('sources') },
  { name: 'previousSync', group: 'tabs', keys: '[', isEnabled: hasPod, run: moveSync(-1) },
  { name: 'nextSync', group: 'tabs', keys: ']', isEnabled: hasPod, run: moveSync(1) },
  {
    name: 'pauseOrContinue',
    changes: 'present',
    group: 'debugger',
    keys: 'F8',
    isEnabled: hasDebugger,
    run: pauseOrContinue,
  },
  { name: 'stepOver', ...forStopped, keys: 'F10', run: atStop(stepOver) },
  { name: 'stepIn', ...forStopped, keys: 'F11', run: atStop(stepIn) },
  { name: 'stepOut', ...forStopped, keys: 'Shift+F11', run: atStop(stepOut) },
  { name: 'restartSync', ...forStopped, run: atStop(restartSync) },
  {
    name: 'intervene',
    ...forStopped,
    keys: 'e',
    run: (context) => isStopped(context) && openDialog('intervene'),
  },
  {
    name: 'continueAll',
    changes: 'node',
    group: 'debugger',
    isEnabled: ({ session }) => (session.debug.state?.stopped.length ?? 0) > 0,
    run: ({ session }) => resumeAll(session),
  },
  {
    name: 'breakpoints',
    changes: 'breakpoints',
    group: 'debugger',
    keys: 'b',
    isEnabled: hasDebugger,
    run: opens('breakpoints'),
  },
  { name: 'faults', changes: 'node', group: 'debugger', keys: 'x', isEnabled: hasDebugger, run: opens('faults') },
  {
    name: 'toBeginning',
    group: 'time',
    isEnabled: hasPod,
    run: ({ session }) => travelTo(session, session.run.history.firstSeq),
  },
  { name: 'slowMotion', group: 'time', isEnabled: hasPod, run: withPod(startSlowMotion) },
  { name: 'stepBack', group: 'time', keys: 'Shift+F10', isEnabled: hasPod, run: withPod(goStepBack) },
  { name: 'stepForward', group: 'time', isEnabled: isPast, run: withPod(goStepForward) },
  { name: 'reverseContinue', group: 'time', keys: 'Shift+F8', isEnabled: hasPod, run: withPod(goReverseContinue) },
  {
    name: 'runAgain',
    changes: 'node',
    group: 'time',
    isEnabled: (context) => isPast(context) && isVirtual(context),
    run: ({ session }) => runAgainFromHere(session),
  },
  { name: 'live', group: 'time', keys: 'l', run: ({ session }) => travelTo(session, undefined) },
  {
    name: 'follow',
    group: 'timeline',
    isEnabled: () => timelineHandle() !== undefined,
    run: () => timelineHandle()?.follow(true),
  },
];

export const commands: readonly Command[] = [
  ...rows.map(({ name, ...row }): Command => ({ id: name, title: commandMessages[name], ...row })),
  ...tabs.map(
    (tab, index): Command => ({
      id: `tab.${tab}`,
      title: tabTitleMessages[tab],
      group: 'tabs',
      keys: String(index + 1),
      run: () => useView.getState().show({ tab }),
    }),
  ),
  ...shareActions.map(
    ({ id, title, run }): Command => ({
      id: `share.${id}`,
      title,
      group: 'run',
      ...(id === 'link' && { keys: 'm' }),
      run: ({ session }) => run(session),
    }),
  ),
];

/** Returns true if the command is available in this context. */
export const isAvailable = ({ isEnabled }: Command, context: CommandContext): boolean => isEnabled?.(context) ?? true;

/** Returns the reason why an available command is rejected, as text for the user. */
export const refusalFor = ({ changes }: Command, { session }: CommandContext): Message | undefined =>
  changes && refusalOf(session, changes);
