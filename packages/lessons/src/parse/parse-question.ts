/**
 * Parses the question of a step. A question consists of a line that begins with `? `, a list of options, and the
 * explanation.
 */
import type { Question } from '../model.ts';
import { type ProblemText, problemText } from '../problem.ts';

const optionPattern = /^- \[ \] (.+)$/;
/** Matches a list item with a checkbox in any form, so that checked boxes and misspelled options can be reported. */
const markedPattern = /^[-*+] ?\[ ?[^\s\]]? ?\]/;
/** Matches a remark, which is indented below its option. */
const remarkPattern = /^ {2,}(\S.*)$/;

/** The text of a step, split into its body and its question. */
interface StepText {
  readonly body: string;
  readonly question: Question | undefined;
  /** Index and problem of each line that is out of place. */
  readonly misplaced: readonly { readonly index: number; readonly problem: ProblemText }[];
}

interface Option {
  readonly text: string;
  readonly remark: string[];
}

const textOf = (lines: readonly string[]): string => lines.join('\n').trim();

/** Returns the body and the question of a step's lines, and the lines that are out of place. */
export function parseQuestion(lines: readonly string[]): StepText {
  const misplaced: { readonly index: number; readonly problem: ProblemText }[] = [];
  const report = (index: number, problem: ProblemText): void => void misplaced.push({ index, problem });
  const isOption = (line: string): boolean => optionPattern.test(line);
  for (const [index, line] of lines.entries())
    if (!isOption(line) && markedPattern.test(line))
      report(index, problemText(/\[ ?[xX] ?\]/.test(line) ? 'markedOption' : 'badOption'));
  const start = lines.findIndex((line) => line.startsWith('? '));
  const first = lines.findIndex((line, index) => index > start && isOption(line));
  const parts = (body: string, question?: Question): StepText => ({ body, question, misplaced });
  if (start < 0) {
    if (first >= 0) report(first, problemText('optionsWithoutQuestion'));
    return parts(textOf(lines));
  }
  const body = textOf(lines.slice(0, start));
  if (first < 0) {
    if (misplaced.length === 0) report(start, problemText('questionWithoutOptions'));
    return parts(body);
  }
  const options: Option[] = [];
  let end = first;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const [option, remark] = [optionPattern.exec(line)?.[1], remarkPattern.exec(line)?.[1]];
    if (option !== undefined) options.push({ text: option.trim(), remark: [] });
    else if (remark !== undefined) options.at(-1)?.remark.push(remark.trim());
    // Options may be separated by empty lines, as in any Markdown list.
    else if (line.trim() !== '' || !isOption(lines.slice(end).find((each) => each.trim() !== '') ?? '')) break;
  }
  const explanation = textOf(lines.slice(end));
  if (options.length < 2 && misplaced.length === 0) report(first, problemText('oneOption'));
  if (explanation === '') report(first, problemText('noExplanation'));
  const question = textOf(lines.slice(start, first)).slice(2);
  return parts(body, {
    text: question,
    options: options.map(({ text }) => text),
    remarks: options.map(({ remark }) => (remark.length > 0 ? remark.join('\n') : undefined)),
    explanation,
  });
}
