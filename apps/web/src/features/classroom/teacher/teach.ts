/**
 * Controls a class for the teacher: shows the teacher's screen to all learners, opens learners' runs, sends tasks and
 * questions.
 */
import type { Question, SharedView, Task } from '@podscope/classroom';
import { create } from 'zustand';
import { addressedClass } from '../../../node/address/address.ts';
import { initialView, writeView } from '../../../node/address/view-address.ts';
import { useView } from '../../../node/address/view-store.ts';
import { useOpenNode } from '../../../node/run/open-node.ts';
import { openClass, sendRun, sendToClass } from '../client/class-client.ts';
import { useClass } from '../client/class-store.ts';
import { publishRun } from '../client/publish-run.ts';
import { expectRun, showRunPart, stopShowing } from '../client/show-run.ts';

interface TeachState {
  /** Id of the learner whose run is open. */
  readonly watched: string | undefined;
  readonly isDashboardOpen: boolean;
  readonly dialog: 'ask' | 'do' | 'end' | undefined;
}

export const useTeach = create<TeachState>()(() => ({
  watched: undefined,
  isDashboardOpen: true,
  dialog: undefined,
}));

let lastId = 0;
/**
 * Returns an id that is unique in the class. Ids of two windows of the teacher differ, because the windows start at
 * different times.
 */
const newId = (kind: string): string => `${kind}-${Date.now().toString(36)}-${++lastId}`;

/** Minimum time between two views that are sent, in milliseconds. */
const viewPause = 100;

/** Returns the shown view, encoded as in a link. */
function viewNow(): string {
  const { pod, uid, tab, sync, selected, at, follow, range } = useView.getState();
  return writeView({ ...initialView, pod, uid, tab, sync, selected, at, follow, range });
}

/** Stops sending this window's screen; undefined while it doesn't send it. */
let stopShow: (() => void) | undefined;

/** Returns true while all screens show the teacher's screen, also if the page or window that sent it is closed. */
const isShared = (): boolean => stopShow !== undefined || useClass.getState().state.sharedView !== null;

/** Shows the teacher's screen on all learners' screens. */
export function showEveryone(): void {
  hideEveryone();
  const id = newId('view');
  let sent = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopRun: (() => void) | undefined;
  let run: string | undefined;
  const tell = (): void => {
    timer = undefined;
    const { node } = useOpenNode.getState().session.connection;
    if (!node) return;
    const sharedView: SharedView = { id, view: viewNow(), run: node.run };
    const text = JSON.stringify(sharedView);
    if (text !== sent) sendToClass({ type: 'sharedView', sharedView });
    sent = text;
    if (run === node.run && stopRun) return;
    run = node.run;
    stopRun?.();
    stopRun = publishRun(() => useOpenNode.getState().session, sendRun);
  };
  const soon = (): void => {
    timer ??= setTimeout(tell, viewPause);
  };
  const ends = [useView.subscribe(soon), useOpenNode.subscribe(soon)];
  tell();
  stopShow = () => {
    clearTimeout(timer);
    stopRun?.();
    for (const end of ends) end();
  };
  useTeach.setState({ isDashboardOpen: false });
}

function hideEveryone(): void {
  stopShow?.();
  stopShow = undefined;
}

/** Ends showing the teacher's screen, so that all learners see their own runs again. */
export function release(): void {
  hideEveryone();
  sendToClass({ type: 'release' });
}

/** A task without an id. */
export type NewTask = Task extends infer Each ? (Each extends Task ? Omit<Each, 'id'> : never) : never;
/** A question without an id. */
export type NewQuestion = Question extends infer Each ? (Each extends Question ? Omit<Each, 'id'> : never) : never;

/** Sends a task to all nodes. A task needs the learners' own runs, so the screens stop showing the teacher's screen. */
export function doThis(task: NewTask): void {
  if (isShared()) release();
  sendToClass({ type: 'task', task: { ...task, id: newId('task') } });
  useTeach.setState({ dialog: undefined, isDashboardOpen: true });
}

/** Asks all learners a question. */
export function askEveryone(question: NewQuestion): void {
  if (isShared()) release();
  sendToClass({ type: 'question', question: { ...question, id: newId('question') } });
  useTeach.setState({ dialog: undefined, isDashboardOpen: true });
}

/** Opens a learner's run, read-only. */
export function watch(learner: string): void {
  unwatch();
  useTeach.setState({ watched: learner, isDashboardOpen: false });
  expectRun(undefined);
  sendToClass({ type: 'watch', learner, watching: true });
}

/** Closes the learner's run that the teacher watches. */
export function unwatch(): void {
  const { watched } = useTeach.getState();
  if (watched === undefined) return;
  sendToClass({ type: 'watch', learner: watched, watching: false });
  useTeach.setState({ watched: undefined, isDashboardOpen: true });
  stopShowing();
}

/** Shows the teacher's current view on the screen of one learner. */
export const pointThere = (learner: string): void => sendToClass({ type: 'point', learner, view: viewNow() });

/** Shows the teacher's run when the teacher opens another one, for example a scenario. */
function followOwnRun(): void {
  useOpenNode.subscribe((now, before) => {
    if (now.options === before.options || now.covered) return;
    unwatch();
    useTeach.setState({ isDashboardOpen: false });
  });
}

let followsOwnRun = false;

/** Closes the runs that the teacher's page had open before it was reloaded. Otherwise learners keep sending them. */
function closeLeftRuns(): void {
  for (const { id, isWatched } of Object.values(useClass.getState().state.learners))
    if (isWatched && id !== useTeach.getState().watched) sendToClass({ type: 'watch', learner: id, watching: false });
}

/**
 * Opens the class of the teacher's page.
 * @param canWatch false for the presenter view, which opens no runs and closes none
 */
export function teach(canWatch = true): void {
  if (addressedClass?.role !== 'teacher') return;
  if (!followsOwnRun) followOwnRun();
  followsOwnRun = true;
  let isFresh = true;
  openClass({
    address: addressedClass,
    onRun: (part, learner) => {
      if (learner !== undefined && learner === useTeach.getState().watched) showRunPart(part, () => undefined);
    },
    onWelcome: () => {
      const { watched } = useTeach.getState();
      // After a lost connection, send the run again, because the server drops undelivered parts of a run.
      if (stopShow) showEveryone();
      if (isFresh && canWatch) closeLeftRuns();
      isFresh = false;
      if (watched !== undefined) sendToClass({ type: 'watch', learner: watched, watching: true });
    },
    onChange: (event) => {
      const { watched } = useTeach.getState();
      if (watched !== undefined && !useClass.getState().state.learners[watched]) unwatch();
      // Stop sending if another window of the teacher has stopped showing its screen.
      if (event?.event.type === 'sharedView' && event.event.sharedView === null) hideEveryone();
      // Keep the run open if another window of the teacher closes it.
      if (event?.event.type === 'watched' && !event.event.watching && event.event.learner === watched)
        sendToClass({ type: 'watch', learner: watched, watching: true });
    },
  });
}
