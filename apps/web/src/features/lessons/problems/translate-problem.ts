/** Translates the problems of lessons. */
import type { LessonProblem, Problem } from '@podscope/lessons';
import { translateFilled } from '../../../base/i18n/fill-text.ts';
import { translate } from '../../../base/i18n/i18n.ts';
import { problemTexts } from './messages.en.ts';

/** Returns the problem with the parts of the lesson that have it. */
export const translateProblem = (t: typeof translate, { parts, ...problem }: Problem): string =>
  [...parts, problem]
    .map(({ id, values }) => translateFilled(t, problemTexts[id], values))
    .join(t(problemTexts.separator));

/** Formats a problem as `crash-loops.md:12: …`. */
export const translateLessonProblem = (
  t: typeof translate,
  { line, ...problem }: LessonProblem,
  file: string,
): string => `${file}:${line}: ${translateProblem(t, problem)}`;

/** Returns an error in the current language that lists every problem on its own line. */
export const lessonError = (problems: readonly LessonProblem[], file: string): Error =>
  new Error(problems.map((problem) => translateLessonProblem(translate, problem, file)).join('\n'));
