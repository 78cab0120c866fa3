/** Builds and parses the ids of lessons and their questions, and counts answers. */
import type { LessonSource, LessonTask, Task, Verdict } from './class-event.ts';
import type { ClassState } from './class-state.ts';

const prefix = 'lesson:';

/** Returns the id of a lesson step's question. */
export const lessonQuestionId = (lesson: string, step: string): string => `${prefix}${lesson}/${step}`;

/** Returns the lesson and step in an id; undefined for a question that the teacher asked during the class. */
export function parseLessonQuestionId(id: string): { readonly lesson: string; readonly step: string } | undefined {
  if (!id.startsWith(prefix)) return undefined;
  const [lesson = '', step = ''] = id.slice(prefix.length).split('/');
  return lesson === '' || step === '' ? undefined : { lesson, step };
}

/** The id of a lesson that a learner opened from a file. Only the learner's page has it, so nothing is judged. */
export const filedLesson = 'file';

const taskPrefix = 'task:';

/** Returns the class's id for the lesson whose text a task contains. A lesson of the library may have the same id. */
export const taskLessonId = (task: string): string => `${taskPrefix}${task}`;

/** Returns the task that contains the lesson with this id; undefined for any other lesson. */
export function lessonTaskOf(
  id: string,
  tasks: readonly Task[],
): (LessonTask & { readonly source: LessonSource }) | undefined {
  if (!id.startsWith(taskPrefix)) return undefined;
  const task = tasks.find((each) => each.id === id.slice(taskPrefix.length));
  return task?.kind === 'lesson' && task.source ? { ...task, source: task.source } : undefined;
}

/** The number of times that an answer was given. */
export interface Tally {
  readonly answer: number;
  readonly count: number;
  /**
   * Whether the answer is right; null while that isn't known. Learners' runs may differ, so the verdict of the majority
   * counts.
   */
  readonly right: Verdict['right'];
}

/** Returns the counts of the given answers to a question, in the order of the answers. */
export function tallyAnswers({ learners }: ClassState, question: string): Tally[] {
  const counts = new Map<number, { count: number; right: number; wrong: number }>();
  for (const { answers } of Object.values(learners)) {
    const given = answers[question];
    if (!given) continue;
    const entry = counts.get(given.answer) ?? { count: 0, right: 0, wrong: 0 };
    entry.count++;
    if (given.verdict?.right === true) entry.right++;
    if (given.verdict?.right === false) entry.wrong++;
    counts.set(given.answer, entry);
  }
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([answer, { count, right, wrong }]) => ({
      answer,
      count,
      right: right + wrong === 0 ? null : right >= wrong,
    }));
}
