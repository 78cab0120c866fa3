/** Parses the texts of an exercise: the goals as a list, the hints, and the explanation. */
import type { Task } from '../model.ts';

/** A hint is a line that begins with this mark, and the indented lines below it. */
export const hintMark = '! ';
const goalPattern = /^- \[ \] (.+)$/;

interface TaskText {
  readonly body: string;
  readonly task: Task | undefined;
  /** Index and problem of each line that is out of place. */
  readonly misplaced: readonly { readonly index: number; readonly message: string }[];
}

const textOf = (lines: readonly string[]): string => lines.join('\n').trim();

/** Returns the body and the texts of an exercise's lines, and the lines that are out of place. */
export function parseTask(lines: readonly string[]): TaskText {
  const misplaced: { readonly index: number; readonly message: string }[] = [];
  const isGoal = (line: string): boolean => goalPattern.test(line);
  const isHint = (line: string): boolean => line.startsWith(hintMark);
  const first = lines.findIndex(isGoal);
  const question = lines.findIndex((line) => line.startsWith('? '));
  if (question >= 0)
    misplaced.push({ index: question, message: 'an exercise has no question: ask it in a step before' });
  if (first < 0) {
    misplaced.push({ index: 0, message: 'the exercise has no goal: goals are lines such as "- [ ] The pod is ready"' });
    return { body: textOf(lines), task: undefined, misplaced };
  }
  const goals: string[] = [];
  const hints: string[][] = [];
  let end = first;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const goal = goalPattern.exec(line)?.[1];
    if (goal !== undefined && hints.length === 0) goals.push(goal.trim());
    else if (goal !== undefined) misplaced.push({ index: end, message: 'the goals come before the hints' });
    else if (isHint(line)) hints.push([line.slice(hintMark.length)]);
    else if (line.startsWith('  ') && hints.length > 0) hints.at(-1)?.push(line.trim());
    else if (line.trim() !== '') break;
  }
  for (const [index, line] of lines.entries())
    if (isHint(line) && (index < first || index >= end))
      misplaced.push({ index, message: 'hints come after the goals and before the explanation' });
  const explanation = textOf(lines.slice(end));
  if (explanation === '')
    misplaced.push({
      index: first,
      message: 'after the goals and hints comes the text for a learner who met the goals',
    });
  return {
    body: textOf(lines.slice(0, first)),
    task: { goals, hints: hints.map(textOf), explanation },
    misplaced,
  };
}
