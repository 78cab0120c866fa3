/** Combines the texts of a translated lesson with the scenes of the original. */
import type { Lesson, LessonStep, Task } from './model.ts';
import type { ParsedLesson } from './parse/parse-lesson.ts';
import { type Problem, type ProblemText, problemText } from './problem.ts';

/** Returns the difference between the numbers of goals and hints; empty without a difference. */
function taskDifference(original: Task | undefined, task: Task | undefined): readonly ProblemText[] {
  const wanted = original && { wantedGoals: original.goals.length, wantedHints: original.hints.length };
  const given = task && { goals: task.goals.length, hints: task.hints.length };
  if (wanted && given)
    return wanted.wantedGoals === given.goals && wanted.wantedHints === given.hints
      ? []
      : [problemText('taskDiffers', { ...wanted, ...given })];
  if (wanted) return [problemText('taskMissing', wanted)];
  return given ? [problemText('taskAdded', given)] : [];
}

/** Returns the differences between a step and its translation. */
function differencesOf(original: LessonStep, step: LessonStep): readonly Problem[] {
  const [wanted, given] = [original.question?.options.length ?? 0, step.question?.options.length ?? 0];
  const texts = [
    ...(step.scene ? [problemText('translatedScene')] : []),
    ...(step.exercise || step.solution !== undefined ? [problemText('translatedExercise')] : []),
    ...taskDifference(original.task, step.task),
    ...(wanted === given ? [] : [problemText('optionsDiffer', { wanted, given })]),
    ...(original.question?.remarks.flatMap((remark, index) =>
      wanted === given && (remark === undefined) !== (step.question?.remarks[index] === undefined)
        ? [problemText('remarkDiffers', { option: index + 1 })]
        : [],
    ) ?? []),
  ];
  return texts.map((text) => ({ parts: [problemText('step', { step: step.id })], ...text }));
}

/**
 * Returns the translation with the original's scenes, or the problems. Problems name the differences; their line is 1
 * because they concern the whole lesson.
 */
export function translateLesson(original: Lesson, translation: Lesson): ParsedLesson {
  const wanted = original.steps.map(({ id }) => id);
  const given = translation.steps.map(({ id }) => id);
  const ofLesson = [
    ...(translation.id === original.id ? [] : [problemText('otherId', { given: translation.id, wanted: original.id })]),
    ...(wanted.join() === given.join()
      ? []
      : [problemText('otherSteps', { given: given.join(', '), wanted: wanted.join(', ') })]),
  ];
  const problems = [
    ...ofLesson.map((text) => ({ parts: [], ...text })),
    ...translation.steps.flatMap((step) => {
      const other = original.steps.find(({ id }) => id === step.id);
      return other ? differencesOf(other, step) : [];
    }),
  ];
  if (problems.length > 0) return { lesson: undefined, problems: problems.map((each) => ({ line: 1, ...each })) };
  const steps = translation.steps.map((step, index) => {
    const { scene, exercise, solution } = original.steps[index] ?? {};
    return { ...step, scene, exercise, solution };
  });
  return { lesson: { ...translation, steps, scenarios: original.scenarios }, problems: [] };
}
