/** Reads a lesson: front matter, then a section for each step. All that is wrong is told at once, with its line. */
import { parse, YAMLParseError } from 'yaml';
import { frontMatterSchema, type LessonStep, type Scene, sceneSchema } from './model.ts';
import { parseQuestion } from './parse-question.ts';
import { describeIssues, type LessonProblem, type ParsedLesson } from './problem.ts';

interface Section {
  readonly heading: string;
  /** Of the heading, from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

type Tell = (line: number, message: string) => void;

/** @param text Markdown with front matter */
export function parseLesson(text: string): ParsedLesson {
  const problems: LessonProblem[] = [];
  const tell: Tell = (line, message) => void problems.push({ line, message });
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  if (end < 0) tell(1, 'a lesson begins with front matter between two lines of ---');
  const front = end < 0 ? undefined : readYaml(lines.slice(1, end).join('\n'), 2, 'front matter', tell);
  const meta = frontMatterSchema.safeParse(front ?? {});
  if (end >= 0 && !meta.success) for (const message of describeIssues('front matter', meta.error)) tell(1, message);
  const steps = sectionsOf(lines, Math.max(0, end + 1), tell).flatMap((section) => parseStep(section, tell) ?? []);
  if (steps.length === 0) tell(lines.length, 'there is no step: a step begins with a heading such as "## The first restart {#first-restart}"');
  const ids = steps.map(({ id }) => id);
  for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index))) tell(1, `two steps have the id ${id}: links could not tell them apart`);
  const lesson = problems.length === 0 && meta.success ? { ...meta.data, steps } : undefined;
  return { lesson, problems: problems.toSorted((a, b) => a.line - b.line) };
}

/** Cuts at headings of the second level. */
function sectionsOf(lines: readonly string[], from: number, tell: Tell): readonly Section[] {
  const starts = lines.flatMap((line, index) => (index >= from && line.startsWith('## ') ? [index] : []));
  const before = lines.slice(from, starts[0] ?? lines.length).findIndex((line) => line.trim() !== '');
  if (before >= 0) tell(from + before + 1, 'this text belongs to no step: what a lesson is about stands in its summary');
  return starts.map((start, index) => ({
    heading: lines[start]?.slice(3) ?? '',
    line: start + 1,
    lines: lines.slice(start + 1, starts[index + 1] ?? lines.length),
  }));
}

function parseStep({ heading, line, lines }: Section, tell: Tell): LessonStep | undefined {
  const [, title = '', id] = /^(.*?)\s*\{#([a-z0-9]+(?:-[a-z0-9]+)*)\}\s*$/.exec(heading) ?? [];
  if (id === undefined) {
    tell(line, `the heading ${JSON.stringify(heading)} needs an id at its end, such as {#first-restart}`);
    return undefined;
  }
  const { scene, sceneLine, rest } = takeScene(lines, line, `step ${id}`, tell);
  const { body, question, misplaced } = parseQuestion(rest);
  if (misplaced) tell(line, `step ${id}: ${misplaced}`);
  if (body === '') tell(line, `step ${id}: there is no text`);
  return { id, title, body, question, scene, lines: { heading: line, ...(sceneLine === undefined ? {} : { scene: sceneLine }) } };
}

/** The fenced block `scene`, and the lines around it. */
function takeScene(
  lines: readonly string[],
  line: number,
  subject: string,
  tell: Tell,
): { readonly scene: Scene | undefined; readonly sceneLine?: number; readonly rest: readonly string[] } {
  const start = lines.indexOf('```scene');
  if (start < 0) return { scene: undefined, rest: lines };
  const end = lines.indexOf('```', start);
  if (end < 0) {
    tell(line + start + 1, `${subject}: the block \`\`\`scene has no end`);
    return { scene: undefined, rest: lines.slice(0, start) };
  }
  const rest = [...lines.slice(0, start), ...lines.slice(end + 1)];
  if (rest.includes('```scene')) tell(line, `${subject}: a step has one scene`);
  const data = readYaml(lines.slice(start + 1, end).join('\n'), line + start + 2, subject, tell);
  if (data === undefined) return { scene: undefined, rest };
  const scene = sceneSchema.safeParse(data);
  if (!scene.success) for (const message of describeIssues(`${subject}: scene`, scene.error)) tell(line + start + 1, message);
  return { scene: scene.data, sceneLine: line + start + 1, rest };
}

/** @param firstLine of the text in the lesson. @returns undefined, and tells why, when it can't be read */
function readYaml(text: string, firstLine: number, subject: string, tell: Tell): unknown {
  try {
    // A lesson has no use for aliases; without them a small text stays a small object.
    return parse(text, { maxAliasCount: 0 }) ?? {};
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const line = error instanceof YAMLParseError ? (error.linePos?.[0].line ?? 1) : 1;
    tell(firstLine + line - 1, `${subject}: ${error.message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? 'not YAML'}`);
    return undefined;
  }
}
