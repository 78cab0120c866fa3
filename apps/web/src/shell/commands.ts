/** Everything the page can be told to do, as one table: what handles the keys, what the help shows, what the palette finds. */
import { readSource } from '../alone/source-address.ts';
import { pause, restartSync, resume, stepIn, stepOut, stepOver } from '../debug/debug-actions.ts';
import type { Message } from '../i18n/define-messages.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { listPods } from '../pods/list-pods.ts';
import { podFilterId } from '../pods/PodsPanel.tsx';
import type { NodeSession } from '../run/node-session.ts';
import { isElsewhere, returnToNode } from '../run/open-node.ts';
import { type Change, refusalOf } from '../run/refusal.ts';
import { askToDelete, type DialogName, openDialog, openEditor, toggleInspector, togglePods, useInterface } from '../state/interface.ts';
import { setPreference } from '../state/preferences.ts';
import { togglePresentation } from '../state/presentation.ts';
import { cycleTheme } from '../state/theme.ts';
import { tabs } from '../state/view-address.ts';
import { select, showPod, useView } from '../state/view-store.ts';
import { showSync } from '../steps/SyncSelector.tsx';
import { timelineHandle } from '../timeline/timeline-handle.ts';
import { goReverseContinue, goStepBack, goStepForward, runAgainFromHere, travelTo } from '../travel/use-travel.ts';
import { type commandGroupMessages, commandMessages, tabTitleMessages } from './messages.en.ts';
import { shareActions } from './share-actions.ts';

/** What a command is done to. */
export interface CommandContext {
  readonly session: NodeSession;
  /** UID of the selected pod. */
  readonly uid: string | undefined;
}

export interface Command {
  readonly id: string;
  readonly title: Message;
  readonly group: keyof typeof commandGroupMessages;
  /** As `key-chord.ts` reads it. */
  readonly keys?: string;
  /** Absent: always. A key without effect is not an error. */
  readonly isEnabled?: (context: CommandContext) => boolean;
  /** What it changes, if anything: it is refused, with the reason, where that can't be. */
  readonly changes?: Change;
  readonly run: (context: CommandContext) => unknown;
}

type Condition = NonNullable<Command['isEnabled']>;

const source = readSource(location.search, import.meta.env.MODE === 'site');

const hasPod: Condition = ({ session, uid }) => session.run.pod(uid) !== undefined;
const hasDebugger: Condition = ({ session }) => session.debug.state !== undefined;
const isVirtual: Condition = ({ session }) => session.run.runTime !== undefined;
const isPast: Condition = ({ session }) => session.run.past !== undefined;
/** The thread that stands still in the pod in view. */
const stoppedThread = ({ session, uid }: CommandContext): string | undefined => session.debug.stopOf(uid)?.thread;
const isStopped: Condition = (context) => stoppedThread(context) !== undefined;

function stepPod({ session: { run }, uid }: CommandContext, by: number): void {
  const pods = listPods(run.fold.pods(), '');
  const at = pods.findIndex((pod) => pod.uid === uid);
  const next = pods[Math.min(pods.length - 1, Math.max(0, at + by))];
  if (next) showPod(next);
}

function stepSync({ session: { run }, uid }: CommandContext, by: number): void {
  const pod = run.pod(uid);
  if (pod) showSync(pod, (useView.getState().sync ?? pod.syncs.at(-1)?.number ?? 0) + by);
}

function focusPodFilter(): void {
  useInterface.setState({ isPodsOpen: true });
  // The field of a panel that was folded is there in the next frame.
  requestAnimationFrame(() => document.getElementById(podFilterId)?.focus());
}

/** Does something to the stopped thread; nothing where none stands still. */
const atStop =
  (action: (session: NodeSession, thread: string) => unknown) =>
  (context: CommandContext): void => {
    const thread = stoppedThread(context);
    if (thread !== undefined) action(context.session, thread);
  };

/** Does something to the pod in view. */
const withPod =
  (action: (session: NodeSession, uid: string) => unknown) =>
  ({ session, uid }: CommandContext): void => {
    if (uid !== undefined) action(session, uid);
  };

function pauseOrContinue(context: CommandContext): void {
  const thread = stoppedThread(context);
  if (thread !== undefined) void resume(context.session, thread);
  else if (context.uid !== undefined) void pause(context.session, context.uid);
}

/** A command whose answer is seen in what it changes; why it failed is told by the banner. */
const tell =
  (command: (session: NodeSession) => Parameters<NodeSession['connection']['command']>[0]) =>
  ({ session }: CommandContext): void =>
    void session.connection.command(command(session)).catch(() => undefined);

const opens = (dialog: DialogName) => () => openDialog(dialog);

interface Row extends Omit<Command, 'id' | 'title'> {
  readonly name: keyof typeof commandMessages;
}

const rows: readonly Row[] = [
  { name: 'palette', group: 'page', keys: 'Mod+k', run: opens('palette') },
  { name: 'newPod', changes: 'node', group: 'page', keys: 'n', run: () => openEditor() },
  { name: 'filterPods', group: 'page', keys: '/', run: focusPodFilter },
  { name: 'scenarios', group: 'page', keys: 'c', run: opens('scenarios') },
  { name: 'lessons', group: 'page', keys: 'h', run: opens('lessons') },
  { name: 'togglePods', group: 'page', keys: 'p', run: togglePods },
  { name: 'toggleInspector', group: 'page', keys: 'i', run: toggleInspector },
  { name: 'present', group: 'page', keys: 'v', run: togglePresentation },
  { name: 'theme', group: 'page', keys: 't', run: cycleTheme },
  { name: 'language', group: 'page', run: () => setPreference({ language: currentLanguage() === 'en' ? 'zh-CN' : 'en' }) },
  { name: 'settings', group: 'page', keys: 'o', run: opens('settings') },
  { name: 'hints', group: 'page', run: () => setPreference({ hintsSeen: 0 }) },
  { name: 'help', group: 'page', keys: '?', run: opens('help') },
  { name: 'runs', group: 'run', keys: 'r', run: opens('runs') },
  { name: 'snapshot', group: 'run', keys: 'y', run: opens('snapshot') },
  { name: 'backToNode', group: 'run', isEnabled: isElsewhere, run: returnToNode },
  {
    name: 'toggleTime',
    changes: 'node',
    group: 'run',
    isEnabled: isVirtual,
    run: tell(({ run }) => ({ command: 'setTime', paused: !run.runTime?.paused })),
  },
  { name: 'nextEvent', changes: 'node', group: 'run', isEnabled: isVirtual, run: tell(() => ({ command: 'stepTime', toNextEvent: true })) },
  {
    name: 'otherRelease',
    group: 'run',
    isEnabled: () => source.kind === 'page' && source.options.scenario !== undefined && !isElsewhere(),
    run: () => {
      useInterface.setState({ wantsOtherRelease: true });
      useView.getState().show({ tab: 'compare' });
    },
  },
  { name: 'nextPod', group: 'pods', keys: 'j', run: (context) => stepPod(context, 1) },
  { name: 'previousPod', group: 'pods', keys: 'k', run: (context) => stepPod(context, -1) },
  { name: 'inspectPod', group: 'pods', keys: 'u', isEnabled: hasPod, run: () => select(undefined) },
  { name: 'deletePod', changes: 'present', group: 'pods', keys: 'Delete', isEnabled: hasPod, run: ({ uid }) => askToDelete(uid) },
  { name: 'previousSync', group: 'tabs', keys: '[', isEnabled: hasPod, run: (context) => stepSync(context, -1) },
  { name: 'nextSync', group: 'tabs', keys: ']', isEnabled: hasPod, run: (context) => stepSync(context, 1) },
  { name: 'pauseOrContinue', changes: 'present', group: 'debugger', keys: 'F8', isEnabled: hasDebugger, run: pauseOrContinue },
  { name: 'stepOver', changes: 'present', group: 'debugger', keys: 'F10', isEnabled: isStopped, run: atStop(stepOver) },
  { name: 'stepIn', changes: 'present', group: 'debugger', keys: 'F11', isEnabled: isStopped, run: atStop(stepIn) },
  { name: 'stepOut', changes: 'present', group: 'debugger', keys: 'Shift+F11', isEnabled: isStopped, run: atStop(stepOut) },
  { name: 'restartSync', changes: 'present', group: 'debugger', isEnabled: isStopped, run: atStop(restartSync) },
  {
    name: 'intervene',
    changes: 'present',
    group: 'debugger',
    keys: 'e',
    isEnabled: isStopped,
    run: (context) => isStopped(context) && openDialog('intervene'),
  },
  {
    name: 'continueAll',
    changes: 'node',
    group: 'debugger',
    isEnabled: ({ session }) => (session.debug.state?.stopped.length ?? 0) > 0,
    run: ({ session }) => resume(session),
  },
  { name: 'breakpoints', changes: 'breakpoints', group: 'debugger', keys: 'b', isEnabled: hasDebugger, run: opens('breakpoints') },
  { name: 'faults', changes: 'node', group: 'debugger', keys: 'x', isEnabled: hasDebugger, run: opens('faults') },
  { name: 'toBeginning', group: 'time', isEnabled: hasPod, run: ({ session }) => travelTo(session, session.run.history.firstSeq) },
  { name: 'stepBack', group: 'time', keys: 'Shift+F10', isEnabled: hasPod, run: withPod(goStepBack) },
  { name: 'stepForth', group: 'time', isEnabled: isPast, run: withPod(goStepForward) },
  { name: 'reverseContinue', group: 'time', keys: 'Shift+F8', isEnabled: hasPod, run: withPod(goReverseContinue) },
  {
    name: 'runAgain',
    changes: 'node',
    group: 'time',
    isEnabled: (context) => isPast(context) && isVirtual(context),
    run: ({ session }) => runAgainFromHere(session),
  },
  { name: 'live', group: 'time', keys: 'l', run: ({ session }) => travelTo(session, undefined) },
  { name: 'follow', group: 'timeline', isEnabled: () => timelineHandle() !== undefined, run: () => timelineHandle()?.follow(true) },
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

/** What can be done now. */
export const isAvailable = ({ isEnabled }: Command, context: CommandContext): boolean => isEnabled?.(context) ?? true;

/** Why a command that could be done is not: for a person to read. */
export const refusalFor = ({ changes }: Command, { session }: CommandContext): Message | undefined => changes && refusalOf(session, changes);
