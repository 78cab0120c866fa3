/**
 * Parses the question of a step. A question consists of a line that begins with `? `, a list of options, and the
 * explanation.
 */
import type { Question } from './model.ts';

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
  readonly misplaced: readonly { readonly index: number; readonly message: string }[];
}

interface Option {
  readonly text: string;
  readonly remark: string[];
}

const textOf = (lines: readonly string[]): string => lines.join('\n').trim();

/** Returns the body and the question of a step's lines, and the lines that are out of place. */
export function parseQuestion(lines: readonly string[]): StepText {
  const misplaced: { readonly index: number; readonly message: string }[] = [];
  const report = (index: number, message: string): void => void misplaced.push({ index, message });
  const isOption = (line: string): boolean => optionPattern.test(line);
  for (const [index, line] of lines.entries())
    if (!isOption(line) && markedPattern.test(line))
      report(
        index,
        /\[ ?[xX] ?\]/.test(line)
          ? 'no option is marked as the right one: what happens decides. All begin with "- [ ] "'
          : 'an option begins with "- [ ] " and has a text',
      );
  const start = lines.findIndex((line) => line.startsWith('? '));
  const first = lines.findIndex((line, index) => index > start && isOption(line));
  const parts = (body: string, question?: Question): StepText => ({ body, question, misplaced });
  if (start < 0) {
    if (first >= 0) report(first, 'there are options, but no question: a question is a line that begins with "? "');
    return parts(textOf(lines));
  }
  const body = textOf(lines.slice(0, start));
  if (first < 0) {
    if (misplaced.length === 0) report(start, 'the question has no options: they are lines such as "- [ ] At once"');
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
  if (options.length < 2 && misplaced.length === 0) report(first, 'a question has at least two options');
  if (explanation === '')
    report(first, 'the text after the options is missing: it is shown once the question is answered');
  const question = textOf(lines.slice(start, first)).slice(2);
  return parts(body, {
    text: question,
    options: options.map(({ text }) => text),
    remarks: options.map(({ remark }) => (remark.length > 0 ? remark.join('\n') : undefined)),
    explanation,
  });
}
