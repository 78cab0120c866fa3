/** Performs the teacher's tasks on the learner's node, and reports when each is completed. */
import { errorMessage } from '@podscope/base';
import type { LessonTask, Task, TaskStatus } from '@podscope/classroom';
import type { BreakpointSpec } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import type { NodeSession } from '../../../node/run/node-session.ts';
import { ownSession } from '../../../node/run/open-node.ts';
import { live } from '../../../node/run/virtual-time.ts';
import { isSameSource, openGivenLesson, openLibraryLesson, stepOf, useLesson } from '../../lessons/index.ts';
import { sendToClass } from '../client/class-client.ts';
import { ownLearner, useClass } from '../client/class-store.ts';
import { openScene, setPaused } from '../client/own-run.ts';
import { beginsRun, currentTasks, dueTasks } from './due-tasks.ts';
import { reportLessonOfTask } from './report-place.ts';

/** Name of the group that contains the class's breakpoints. */
const classGroup = 'class';

/** Functions that stop waiting for the completion of tasks. */
let stopWaiting: (() => void)[] = [];

function report(task: Task, status: TaskStatus, message?: string): void {
  sendToClass({ type: 'taskStatus', task: task.id, status, ...(message ? { message: message.slice(0, 500) } : {}) });
}

/** Calls `done` once an event after `seq` matches. */
function whenEvent(node: NodeSession, matches: (event: TraceEvent) => boolean, done: () => void): void {
  let seen = node.run.history.lastSeq;
  const stop = node.run.subscribe(() => {
    const { history } = node.run;
    const found = history.range(seen + 1, history.lastSeq).some(matches);
    seen = history.lastSeq;
    if (!found) return;
    stop();
    done();
  });
  stopWaiting.push(stop);
}

/** Calls `done` when the step of the open lesson is over, or without a step, when the lesson is over. */
function whenLessonOver(step: string | undefined, done: () => void): void {
  const { lesson: opened, source } = useLesson.getState();
  const check = (): boolean => {
    const state = useLesson.getState();
    if (!state.lesson || state.lesson.id !== opened?.id || !isSameSource(state.source, source)) return false;
    if (state.phase !== 'over') return false;
    const isWanted = step === undefined ? state.step === state.lesson.steps.length - 1 : stepOf(state)?.id === step;
    if (!isWanted) return false;
    stop();
    done();
    return true;
  };
  const stop = useLesson.subscribe(check);
  if (!check()) stopWaiting.push(stop);
}

/** Sets the breakpoints of the class's tasks, and the breakpoints that the teacher set for this learner. */
export async function setClassBreakpoints(): Promise<void> {
  const { state, you } = useClass.getState();
  const learner = ownLearner({ state, you });
  const tasks = currentTasks(state.tasks).flatMap((task) => (task.kind === 'breakpoint' ? [task.breakpoint] : []));
  const breakpoints: BreakpointSpec[] = [...tasks, ...(learner?.breakpoints ?? [])];
  const node = ownSession();
  await live(node);
  await node.connection.command<'setBreakpoints'>({ command: 'setBreakpoints', group: classGroup, breakpoints });
}

/** Opens the lesson of a task: one of the library, or the one whose text the task contains. */
async function openLessonOf({ id, lesson, step, source }: LessonTask): Promise<void> {
  if (!source) return openLibraryLesson(lesson, step);
  const given = { ...source, step };
  reportLessonOfTask(given, id);
  return openGivenLesson(given);
}

async function perform(task: Task): Promise<void> {
  switch (task.kind) {
    case 'scenario': {
      const node = await openScene(task.scene);
      if (!task.paused) await setPaused(node, false);
      report(task, 'done');
      break;
    }
    case 'lesson': {
      await openLessonOf(task);
      report(task, 'applied');
      whenLessonOver(task.step, () => report(task, 'done'));
      break;
    }
    case 'manifest': {
      const node = ownSession();
      await live(node);
      const { errors } = await node.connection.command<'apply'>({ command: 'apply', manifest: task.manifest });
      if (errors[0]) throw new Error(errors[0].message);
      report(task, 'done');
      break;
    }
    case 'breakpoint': {
      const node = ownSession();
      await setClassBreakpoints();
      report(task, 'applied');
      const { point } = task.breakpoint;
      whenEvent(
        node,
        (event) => event.type === 'stopped' && (point === undefined || event.point === point),
        () => report(task, 'done'),
      );
      break;
    }
    case 'fault': {
      const node = ownSession();
      await live(node);
      const { errors } = await node.debug.change<'setFaultPlan'>({
        command: 'setFaultPlan',
        yaml: task.plan,
        enabled: true,
      });
      if (errors[0]) throw new Error(errors[0].message);
      report(task, 'applied');
      whenEvent(
        node,
        (event) => event.type === 'intervention' && event.origin === 'fault',
        () => report(task, 'done'),
      );
      break;
    }
    default:
      task satisfies never;
  }
}

let queue: Promise<void> = Promise.resolve();
const started = new Set<string>();

/**
 * Resolves when all tasks received so far are performed. A question waits for this, because it refers to the run that a
 * task opened.
 */
export const tasksPerformed = (): Promise<void> => queue;

/**
 * Performs all tasks that are due, one after the other.
 * @param isFresh true for a page without a run: it starts with the latest task that begins a run
 */
export function performTasks(isFresh: boolean): void {
  const { state, you } = useClass.getState();
  for (const task of dueTasks(state.tasks, ownLearner({ state, you })?.tasks ?? {}, started, isFresh)) {
    started.add(task.id);
    queue = queue.then(async () => {
      if (beginsRun(task)) {
        for (const stop of stopWaiting) stop();
        stopWaiting = [];
      }
      await perform(task).catch((error: unknown) => report(task, 'failed', errorMessage(error)));
    });
  }
}
