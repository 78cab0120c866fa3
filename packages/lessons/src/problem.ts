/**
 * Defines the problems that are reported to the author of a lesson: texts as an id with values. The page translates
 * them, and the command line prints them in English.
 */
import { isRecord } from '@podscope/base';
import { lessonProblemTexts } from './problem-texts.ts';

type ProblemTexts = typeof lessonProblemTexts;
type ProblemId = keyof ProblemTexts;

/** A sentence or a phrase. */
export interface ProblemText {
  readonly id: ProblemId;
  readonly values: Readonly<Record<string, string | number>>;
}

/** A problem without its place in a file, as that of a single claim. */
export interface Problem extends ProblemText {
  /** The parts of the lesson that have the problem, from the outermost to the innermost. */
  readonly parts: readonly ProblemText[];
}

export interface LessonProblem extends Problem {
  /** Line in the lesson, from 1. */
  readonly line: number;
}

/** The names of a text's placeholders. */
type ValueName<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueName<Rest>
  : never;
type ValuesOf<Id extends ProblemId> = Readonly<Record<ValueName<ProblemTexts[Id]>, string | number>>;

/** Returns the text with this id. It needs a value for each placeholder of the text. */
export const problemText = <Id extends ProblemId>(
  id: Id,
  ...[values]: ValueName<ProblemTexts[Id]> extends never ? [] : [values: ValuesOf<Id>]
): ProblemText => ({ id, values: values ?? {} });

const isProblemText = (value: unknown): value is ProblemText =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  Object.hasOwn(lessonProblemTexts, value['id']) &&
  isRecord(value['values']);

const inEnglish = ({ id, values }: ProblemText): string =>
  lessonProblemTexts[id].replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** Returns the problem in English, with the parts of the lesson that have it. */
export const formatProblem = ({ parts, ...problem }: Problem): string =>
  [...parts, problem].map(inEnglish).join(lessonProblemTexts.separator);

/** Formats a problem in English as `crash-loops.md:12: …`. */
export const formatLessonProblem = ({ line, ...problem }: LessonProblem, file: string): string =>
  `${file}:${line}: ${formatProblem(problem)}`;

/** Returns the message of a schema's issue that reports `problem`. {@link problemOfIssue} reads it. */
export const issueMessage = (problem: ProblemText): string => JSON.stringify(problem);

/** Returns the problem that an issue of a schema reports. A message of zod itself is the value of the text. */
export function problemOfIssue({ message }: { readonly message: string }): ProblemText {
  try {
    const problem: unknown = JSON.parse(message);
    if (isProblemText(problem)) return problem;
  } catch {
    // The message is zod's.
  }
  return problemText('schema', { message });
}

/** Returns the path of an issue as a part of the lesson. Empty for an issue of the whole value. */
export const fieldOf = (path: readonly PropertyKey[]): readonly ProblemText[] =>
  path.length > 0 ? [problemText('field', { path: path.join('.') })] : [];
