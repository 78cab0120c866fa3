/** Combines the texts of a translated lesson with the scenes of the original. */
import type { Lesson, LessonStep, Task } from './model.ts';
import type { ParsedLesson } from './problem.ts';

const taskSize = (task: Task | undefined): string =>
  task ? `${task.goals.length} goals and ${task.hints.length} hints` : 'no goals';

/** Returns the differences between a step and its translation. */
function differencesOf(original: LessonStep, step: LessonStep): readonly string[] {
  const [wanted, given] = [original.question?.options.length ?? 0, step.question?.options.length ?? 0];
  const [wantedTask, givenTask] = [taskSize(original.task), taskSize(step.task)];
  return [
    ...(step.scene ? [`step ${step.id}: a translation has no scene of its own: the original's is played`] : []),
    ...(step.exercise || step.solution !== undefined
      ? [`step ${step.id}: a translation has no exercise or solution of its own: those of the original are used`]
      : []),
    ...(wantedTask === givenTask ? [] : [`step ${step.id}: the original has ${wantedTask}, this has ${givenTask}`]),
    ...(wanted === given ? [] : [`step ${step.id}: the original has ${wanted} options, this has ${given}`]),
    ...(original.question?.remarks.flatMap((remark, index) =>
      wanted === given && (remark === undefined) !== (step.question?.remarks[index] === undefined)
        ? [`step ${step.id}: only one of the two languages says something of option ${index + 1}`]
        : [],
    ) ?? []),
  ];
}

/**
 * Returns the translation with the original's scenes, or the problems. Problems name the differences; their line is 1
 * because they concern the whole lesson.
 */
export function translateLesson(original: Lesson, translation: Lesson): ParsedLesson {
  const wanted = original.steps.map(({ id }) => id);
  const given = translation.steps.map(({ id }) => id);
  const messages = [
    ...(translation.id === original.id ? [] : [`the id is ${translation.id}, that of the original ${original.id}`]),
    ...(wanted.join() === given.join()
      ? []
      : [`the steps are ${given.join(', ')}, those of the original ${wanted.join(', ')}`]),
    ...translation.steps.flatMap((step) => {
      const other = original.steps.find(({ id }) => id === step.id);
      return other ? differencesOf(other, step) : [];
    }),
  ];
  if (messages.length > 0) return { lesson: undefined, problems: messages.map((message) => ({ line: 1, message })) };
  const steps = translation.steps.map((step, index) => {
    const { scene, exercise, solution } = original.steps[index] ?? {};
    return { ...step, scene, exercise, solution };
  });
  return { lesson: { ...translation, steps, scenarios: original.scenarios }, problems: [] };
}
