/** Every key of the page as one list: what handles them and what the help shows. */

import { pause, resume, stepIn, stepOut, stepOver } from '../debug/debug-actions.ts';
import { listPods } from '../pods/list-pods.ts';
import { podFilterId } from '../pods/PodsPanel.tsx';
import type { NodeSession } from '../run/node-session.ts';
import { askToDelete, openDebugDialog, openEditor, setHelpOpen, setScenariosOpen, toggleInspector, togglePods } from '../state/interface.ts';
import { tabs } from '../state/view-address.ts';
import { select, showPod, useView } from '../state/view-store.ts';
import { showSync } from '../steps/SyncSelector.tsx';
import { goReverseContinue, goStepBack, travelTo } from '../travel/use-travel.ts';
import { tabTitleMessages } from './messages.en.ts';
import { cycleTheme } from './TopBar.tsx';

interface ShortcutContext {
  readonly session: NodeSession;
  /** UID of the selected pod. */
  readonly uid: string | undefined;
}

export interface Shortcut {
  /** As `KeyboardEvent.key` has it. */
  readonly key: string;
  /** As the help shows it, when that differs. */
  readonly shown?: string;
  /** With the Shift key, where that makes it another one. */
  readonly shift?: boolean;
  readonly group: 'Page' | 'Pods' | 'Steps and tabs' | 'Debugger';
  readonly description: string;
  readonly action: (context: ShortcutContext) => void;
}

function stepPod({ session: { run }, uid }: ShortcutContext, by: number): void {
  const pods = listPods(run.fold.pods(), '');
  const at = pods.findIndex((pod) => pod.uid === uid);
  const next = pods[Math.min(pods.length - 1, Math.max(0, at + by))];
  if (next) showPod(next);
}

function stepSync({ session: { run }, uid }: ShortcutContext, by: number): void {
  const pod = run.pod(uid);
  if (pod) showSync(pod, (useView.getState().sync ?? pod.syncs.at(-1)?.number ?? 0) + by);
}

/** The thread that stands still in the pod in view. */
const stoppedThread = ({ session, uid }: ShortcutContext): string | undefined => session.debug.stopOf(uid)?.thread;

/** Does something to the stopped thread; nothing where none stands still. */
const atStop =
  (action: (session: NodeSession, thread: string) => unknown) =>
  (context: ShortcutContext): void => {
    const thread = stoppedThread(context);
    if (thread !== undefined) action(context.session, thread);
  };

function pauseOrContinue(context: ShortcutContext): void {
  const thread = stoppedThread(context);
  if (thread !== undefined) void resume(context.session, thread);
  else if (context.uid !== undefined) void pause(context.session, context.uid);
}

export const shortcuts: readonly Shortcut[] = [
  { key: 'n', group: 'Page', description: 'New pod', action: () => openEditor() },
  { key: '/', group: 'Page', description: 'Filter pods', action: () => document.getElementById(podFilterId)?.focus() },
  { key: 'c', group: 'Page', description: 'Scenarios', action: () => setScenariosOpen(true) },
  { key: 'p', group: 'Page', description: 'Show or hide the pods', action: togglePods },
  { key: 'i', group: 'Page', description: 'Show or hide the inspector', action: toggleInspector },
  { key: 't', group: 'Page', description: 'Theme: system, light, dark', action: cycleTheme },
  { key: '?', group: 'Page', description: 'This help', action: () => setHelpOpen(true) },
  { key: 'j', group: 'Pods', description: 'Next pod', action: (context) => stepPod(context, 1) },
  { key: 'k', group: 'Pods', description: 'Previous pod', action: (context) => stepPod(context, -1) },
  { key: 'u', group: 'Pods', description: 'The pod itself in the inspector', action: () => select(undefined) },
  { key: 'Delete', group: 'Pods', description: 'Delete the pod', action: ({ uid }) => askToDelete(uid) },
  { key: '[', group: 'Steps and tabs', description: 'Previous sync', action: (context) => stepSync(context, -1) },
  { key: ']', group: 'Steps and tabs', description: 'Next sync', action: (context) => stepSync(context, 1) },
  { key: 'F8', group: 'Debugger', description: 'Pause, continue', action: pauseOrContinue },
  { key: 'F10', group: 'Debugger', description: 'Step over', action: atStop(stepOver) },
  { key: 'F11', group: 'Debugger', description: 'Step into', action: atStop(stepIn) },
  { key: 'F11', shown: 'Shift+F11', shift: true, group: 'Debugger', description: 'Step out', action: atStop(stepOut) },
  {
    key: 'F10',
    shown: 'Shift+F10',
    shift: true,
    group: 'Debugger',
    description: 'One step back in time',
    action: ({ session, uid }) => uid !== undefined && goStepBack(session, uid),
  },
  {
    key: 'F8',
    shown: 'Shift+F8',
    shift: true,
    group: 'Debugger',
    description: 'Back to the last breakpoint',
    action: ({ session, uid }) => uid !== undefined && goReverseContinue(session, uid),
  },
  { key: 'l', group: 'Debugger', description: 'Back to live', action: ({ session }) => travelTo(session, undefined) },
  { key: 'b', group: 'Debugger', description: 'Breakpoints', action: () => openDebugDialog('breakpoints') },
  ...tabs.map(
    (tab, index): Shortcut => ({
      key: String(index + 1),
      group: 'Steps and tabs',
      description: tabTitleMessages[tab].message,
      action: () => useView.getState().show({ tab }),
    }),
  ),
];
