/** Chooses the tasks of the class that a learner's page performs. */
import type { Learner, Task } from '@podscope/classroom';

/** Returns true for a task that starts another run, so that earlier tasks no longer matter. */
export const beginsRun = ({ kind }: Task): boolean => kind === 'scenario' || kind === 'lesson';

/** Returns the tasks about the current run: the latest one that begins a run, and those after it. */
export const currentTasks = (tasks: readonly Task[]): Task[] =>
  tasks.slice(Math.max(0, tasks.findLastIndex(beginsRun)));

/**
 * Returns the tasks that the page has to perform.
 * @param isFresh true for a page without a run: it starts with the latest task that begins a run
 */
export function dueTasks(
  tasks: readonly Task[],
  own: Learner['tasks'],
  started: ReadonlySet<string>,
  isFresh: boolean,
): Task[] {
  // Tasks are performed in order. A learner who joins late starts at the latest task that begins a run, and never
  // performs the earlier tasks.
  const from = isFresh
    ? Math.max(0, tasks.findLastIndex(beginsRun))
    : 1 + tasks.findLastIndex(({ id }) => started.has(id) || own[id] !== undefined);
  return tasks.slice(from).filter(({ id }) => !started.has(id));
}
