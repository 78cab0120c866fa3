/** Parses the texts of an exercise: the goals as a list, the hints, and the explanation. */
import type { Task } from '../model.ts';
import { type ProblemText, problemText } from '../problem.ts';

/** A hint is a line that begins with this mark, and the indented lines below it. */
export const hintMark = '! ';
const goalPattern = /^- \[ \] (.+)$/;

interface TaskText {
  readonly body: string;
  readonly task: Task | undefined;
  /** Index and problem of each line that is out of place. */
  readonly misplaced: readonly { readonly index: number; readonly problem: ProblemText }[];
}

const textOf = (lines: readonly string[]): string => lines.join('\n').trim();

/** Returns the body and the texts of an exercise's lines, and the lines that are out of place. */
export function parseTask(lines: readonly string[]): TaskText {
  const misplaced: { readonly index: number; readonly problem: ProblemText }[] = [];
  const isGoal = (line: string): boolean => goalPattern.test(line);
  const isHint = (line: string): boolean => line.startsWith(hintMark);
  const first = lines.findIndex(isGoal);
  const question = lines.findIndex((line) => line.startsWith('? '));
  if (question >= 0) misplaced.push({ index: question, problem: problemText('exerciseWithQuestion') });
  if (first < 0) {
    misplaced.push({ index: 0, problem: problemText('noGoal') });
    return { body: textOf(lines), task: undefined, misplaced };
  }
  const goals: string[] = [];
  const hints: string[][] = [];
  let end = first;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const goal = goalPattern.exec(line)?.[1];
    if (goal !== undefined && hints.length === 0) goals.push(goal.trim());
    else if (goal !== undefined) misplaced.push({ index: end, problem: problemText('goalAfterHint') });
    else if (isHint(line)) hints.push([line.slice(hintMark.length)]);
    else if (line.startsWith('  ') && hints.length > 0) hints.at(-1)?.push(line.trim());
    else if (line.trim() !== '') break;
  }
  for (const [index, line] of lines.entries())
    if (isHint(line) && (index < first || index >= end))
      misplaced.push({ index, problem: problemText('misplacedHint') });
  const explanation = textOf(lines.slice(end));
  if (explanation === '') misplaced.push({ index: first, problem: problemText('noRepairText') });
  return {
    body: textOf(lines.slice(0, first)),
    task: { goals, hints: hints.map(textOf), explanation },
    misplaced,
  };
}
