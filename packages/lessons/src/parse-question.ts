/** The question of a step: a line that begins with `? `, a list of options, and what is said after the answer. */
import type { Question } from './model.ts';

const optionPattern = /^- \[ \] (.+)$/;

interface Parts {
  readonly body: string;
  readonly question: Question | undefined;
  /** What stands where it should not. */
  readonly misplaced?: string;
}

const textOf = (lines: readonly string[]): string => lines.join('\n').trim();

export function parseQuestion(lines: readonly string[]): Parts {
  const start = lines.findIndex((line) => line.startsWith('? '));
  if (start < 0) {
    const misplaced = lines.some((line) => optionPattern.test(line))
      ? 'there are options, but no question: a question is a line that begins with "? "'
      : undefined;
    return { body: textOf(lines), question: undefined, ...(misplaced && { misplaced }) };
  }
  const first = lines.findIndex((line, index) => index > start && optionPattern.test(line));
  const body = textOf(lines.slice(0, start));
  if (first < 0) return { body, question: undefined, misplaced: 'the question has no options: they are lines such as "- [ ] At once"' };
  const isOption = (line: string): boolean => optionPattern.test(line);
  const after = lines.findIndex((line, index) => index > first && !isOption(line));
  const end = after < 0 ? lines.length : after;
  const options = lines.slice(first, end).map((line) => optionPattern.exec(line)?.[1]?.trim() ?? '');
  const explanation = textOf(lines.slice(end));
  const misplaced =
    options.length < 2
      ? 'a question has at least two options'
      : explanation === ''
        ? 'after the options stands what is said once the question is answered'
        : undefined;
  return { body, question: { text: textOf(lines.slice(start, first)).slice(2), options, explanation }, ...(misplaced && { misplaced }) };
}
