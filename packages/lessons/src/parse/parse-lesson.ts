/**
 * Parses a lesson, which consists of front matter and one section per step. Reports all problems at once, each with its
 * line.
 */
import { z } from 'zod';
import { hintMark, parseTask } from '../exercise/parse-task.ts';
import {
  exerciseSchema,
  frontMatterSchema,
  type Lesson,
  type LessonScenario,
  type LessonStep,
  sceneSchema,
} from '../model.ts';
import { fieldOf, type LessonProblem, type ProblemText, problemText } from '../problem.ts';
import { parseQuestion } from './parse-question.ts';
import { type Report, readYaml, reportIssues, type YamlText } from './read-yaml.ts';

/** The result of parsing a lesson. */
export interface ParsedLesson {
  /** Undefined if there are problems. */
  readonly lesson: Lesson | undefined;
  readonly problems: readonly LessonProblem[];
}

interface Section {
  readonly heading: string;
  /** Line of the heading, from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

/** The end of a heading in the examples of problems: the id of the step. */
const anchor = '{#first-restart}';

/** Returns a function that reports problems of a part of the lesson. */
const within =
  (report: Report, part: ProblemText): Report =>
  (line, problem, parts = []) =>
    report(line, problem, [part, ...parts]);

/** Returns the lesson or its problems. @param text Markdown with front matter */
export function parseLesson(text: string): ParsedLesson {
  const problems: LessonProblem[] = [];
  const report: Report = (line, problem, parts = []) => void problems.push({ line, parts, ...problem });
  const reportFront = within(report, problemText('frontMatter'));
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  if (end < 0) report(1, problemText('noFrontMatter'));
  const front = end < 0 ? undefined : yamlOf(lines.slice(1, end), 2, reportFront);
  const meta = frontMatterSchema.safeParse(front?.value);
  if (front && !meta.success) reportIssues(meta.error, front, reportFront);
  const { scenarios, rest } = takeScenarios(lines, Math.max(0, end + 1), report);
  const steps = sectionsOf(rest, Math.max(0, end + 1), report).flatMap((section) => parseStep(section, report) ?? []);
  if (steps.length === 0) report(lines.length, problemText('noStep', { anchor }));
  const ids = steps.map(({ id }) => id);
  for (const { id, lines: at } of steps.filter((step, index) => ids.indexOf(step.id) !== index))
    report(at.heading, problemText('sameStep', { step: id }));
  const lesson = problems.length === 0 && meta.success ? { ...meta.data, steps, scenarios } : undefined;
  return { lesson, problems: problems.toSorted((a, b) => a.line - b.line) };
}

const scenarioIdSchema = z.looseObject({ id: z.string() });

/** Extracts the blocks `scenario` before the first step. Leaves empty lines in their place. */
function takeScenarios(
  lines: readonly string[],
  from: number,
  report: Report,
): { readonly scenarios: readonly LessonScenario[]; readonly rest: readonly string[] } {
  const scenarios: LessonScenario[] = [];
  const reportBlock = within(report, problemText('scenarioBlock'));
  const rest = [...lines];
  const firstStep = lines.findIndex((line, index) => index >= from && line.startsWith('## '));
  const limit = firstStep < 0 ? lines.length : firstStep;
  for (let start = from; start < limit; start++) {
    if (lines[start] !== '```scenario') continue;
    const end = lines.indexOf('```', start + 1);
    if (end < 0 || end > limit) {
      report(start + 1, problemText('openBlock', { block: 'scenario' }));
      break;
    }
    const data = yamlOf(lines.slice(start + 1, end), start + 2, reportBlock);
    rest.fill('', start, end + 1);
    const id = scenarioIdSchema.safeParse(data?.value).data?.id;
    if (data && id === undefined) reportBlock(start + 1, problemText('missing'), fieldOf(['id']));
    else if (data && id !== undefined) {
      if (scenarios.some((other) => other.id === id)) report(start + 1, problemText('sameScenario', { scenario: id }));
      scenarios.push({ id, value: data.value, lineOf: data.lineOf });
    }
    start = end;
  }
  return { scenarios, rest };
}

/** Splits the lines at headings of the second level. */
function sectionsOf(lines: readonly string[], from: number, report: Report): readonly Section[] {
  const starts = lines.flatMap((line, index) => (index >= from && line.startsWith('## ') ? [index] : []));
  const before = lines.slice(from, starts[0] ?? lines.length).findIndex((line) => line.trim() !== '');
  if (before >= 0) report(from + before + 1, problemText('textBeforeSteps'));
  return starts.map((start, index) => ({
    heading: lines[start]?.slice(3) ?? '',
    line: start + 1,
    lines: lines.slice(start + 1, starts[index + 1] ?? lines.length),
  }));
}

function parseStep({ heading, line, lines }: Section, report: Report): LessonStep | undefined {
  const [, title = '', id] = /^(.*?)\s*\{#([a-z0-9]+(?:-[a-z0-9]+)*)\}\s*$/.exec(heading) ?? [];
  if (id === undefined) {
    report(line, problemText('headingWithoutId', { heading: JSON.stringify(heading), anchor }));
    return undefined;
  }
  const reportStep = within(report, problemText('step', { step: id }));
  const scene = takeBlock('scene', lines, line, reportStep);
  const exercise = takeBlock('exercise', scene.rest, line, reportStep);
  const notes = takeBlock('notes', exercise.rest, line, reportStep);
  const solution = takeBlock('solution', notes.rest, line, reportStep);
  const isTask = exercise.block !== undefined || solution.rest.some((each) => each.startsWith(hintMark));
  if (isTask && scene.block) reportStep(scene.block.line - 1, problemText('exerciseWithScene'));
  const { body, question, task, misplaced } = isTask
    ? { question: undefined, ...parseTask(solution.rest) }
    : { task: undefined, ...parseQuestion(solution.rest) };
  for (const { index, problem } of misplaced) reportStep(line + 1 + index, problem);
  if (body === '') reportStep(line, problemText('noText'));
  const readScene = scene.block && readBlock(scene.block, sceneSchema, within(reportStep, problemText('sceneBlock')));
  const readExercise =
    exercise.block && readBlock(exercise.block, exerciseSchema, within(reportStep, problemText('exerciseBlock')));
  const words = (readScene ?? readExercise)?.words;
  return {
    id,
    title,
    body,
    question,
    scene: readScene?.value,
    ...(readExercise?.value ? { exercise: readExercise.value } : {}),
    ...(task ? { task } : {}),
    ...(notes.block ? { notes: notes.block.content.join('\n').trim() } : {}),
    ...(solution.block ? { solution: `${solution.block.content.join('\n')}\n` } : {}),
    lines: {
      heading: line,
      ...(scene.block ? { scene: scene.block.line - 1 } : {}),
      ...(exercise.block ? { exercise: exercise.block.line - 1 } : {}),
      ...(words ? { words } : {}),
    },
  };
}

/** A fenced block of a step. */
interface Block {
  /** Line of its first line of content, from 1. */
  readonly line: number;
  readonly content: readonly string[];
}

/** Extracts the fenced block of a kind. Leaves empty lines in its place, so that line numbers stay the same. */
function takeBlock(
  kind: 'scene' | 'exercise' | 'solution' | 'notes',
  lines: readonly string[],
  line: number,
  report: Report,
): { readonly block?: Block; readonly rest: readonly string[] } {
  const start = lines.indexOf(`\`\`\`${kind}`);
  if (start < 0) return { rest: lines };
  const end = lines.indexOf('```', start);
  if (end < 0) {
    report(line + start + 1, problemText('openBlock', { block: kind }));
    return { rest: lines.slice(0, start) };
  }
  const rest = lines.map((each, index) => (index >= start && index <= end ? '' : each));
  const second = rest.indexOf(`\`\`\`${kind}`);
  if (second >= 0) report(line + second + 1, problemText('secondBlock', { block: kind }));
  return { block: { line: line + start + 2, content: lines.slice(start + 1, end) }, rest };
}

/** Parses the YAML of a block. Reports each violation of the schema. */
function readBlock<T>(
  { line, content }: Block,
  schema: z.ZodType<T> & { readonly shape: object },
  report: Report,
): { readonly value: T | undefined; readonly words: Readonly<Record<string, number>> } | undefined {
  const data = yamlOf(content, line, report);
  if (data === undefined) return undefined;
  const parsed = schema.safeParse(data.value);
  if (!parsed.success) reportIssues(parsed.error, data, report);
  const words = Object.fromEntries(Object.keys(schema.shape).map((word) => [word, data.lineOf([word])]));
  return { value: parsed.data, words };
}

/**
 * Parses YAML.
 * @param firstLine line of the YAML in the lesson
 * @returns undefined after reporting a syntax error
 */
const yamlOf = (lines: readonly string[], firstLine: number, report: Report): YamlText | undefined =>
  readYaml(lines.join('\n'), firstLine, report);

/** Returns the text of a lesson without the solutions of its exercises, for packages that learners can open. */
export const withoutSolutions = (text: string): string => text.replaceAll(/^```solution\r?\n[^]*?^```$\r?\n?/gm, '');

/** Returns the text of a lesson without solutions and without notes for teachers. */
export const forLearners = (text: string): string =>
  withoutSolutions(text).replaceAll(/^```notes\r?\n[^]*?^```$\r?\n?/gm, '');
