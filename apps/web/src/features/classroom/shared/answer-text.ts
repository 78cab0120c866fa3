/** Formats an answer: the text of an option, or a number of seconds. */
import type { Question } from '@podscope/classroom';

/** Returns the options of a question; undefined if the question asks for a number of seconds. */
export const optionsOf = (question: Question): readonly string[] | undefined =>
  question.kind === 'restartIn'
    ? undefined
    : question.kind === 'nextStep'
      ? question.options.map(({ title }) => title)
      : question.options;

/** Returns the answer as text. */
export const answerText = (question: Question, answer: number): string =>
  optionsOf(question)?.[answer] ?? `${answer} s`;
