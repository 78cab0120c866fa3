/** Implements `podscope lessons check`: reports problems in lessons and scenarios, with file and line. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { print, report, UsageError, working } from '@podscope/command-line';
import {
  checkExercise,
  checkStep,
  formatLessonProblem,
  type Lesson,
  type LessonProblem,
  parseLesson,
  parseScenario,
  problemText,
  scenarioFileEnding,
  translateLesson,
  validateLesson,
} from '@podscope/lessons';
import { lessonsDirectory } from '@podscope/server/repository';
import { loadReferences, type References } from './load-references.ts';

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
}

/** Returns the files of all lessons of Podscope. */
async function libraryFiles(): Promise<readonly string[]> {
  const folders = await Promise.all(
    ['en', 'zh-CN'].map(async (language) => {
      const folder = join(lessonsDirectory, language);
      return (await readdir(folder).catch((): string[] => [])).map((name) => join(folder, name));
    }),
  );
  return folders.flat();
}

/** Plays each scene of a lesson and returns the problems of the lesson. */
async function checkOriginal(
  lesson: Lesson,
  { known, runOf, scenarioOf, play }: References,
): Promise<readonly LessonProblem[]> {
  const problems = validateLesson(lesson, known);
  if (problems.length > 0) return problems;
  const found: LessonProblem[] = [];
  for (const step of lesson.steps) {
    const run = step.scene && (await runOf(lesson, step.scene));
    if (run) found.push(...checkStep(step, run));
    const { exercise } = step;
    const scenario = exercise && scenarioOf(lesson, exercise.scenario);
    if (scenario) found.push(...(await checkExercise(step, scenario, (each) => play(each, exercise))));
  }
  return found;
}

/** Returns the original of a translation: one of the checked lessons, or the file with the same name in `../en`. */
async function originalOf(file: string, { id }: Lesson, given: readonly Lesson[]): Promise<Lesson | undefined> {
  const named = given.find((lesson) => lesson.id === id && lesson.language === 'en');
  if (named) return named;
  const beside = join(dirname(file), '..', 'en', basename(file));
  return parseLesson(await readFile(beside, 'utf8').catch(() => '')).lesson;
}

/** Returns the problems of lessons and scenarios, each as one line. Plays the scenes of the lessons. */
export async function problemsOf(files: readonly string[]): Promise<readonly string[]> {
  const references = await loadReferences();
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await readText(file) })));
  const [scenarios, lessons] = [true, false].map((wanted) =>
    texts.filter(({ file }) => file.endsWith(scenarioFileEnding) === wanted),
  );
  const problems: string[] = [];
  const add = (file: string, found: readonly LessonProblem[]): void =>
    void problems.push(...found.map((problem) => formatLessonProblem(problem, file)));
  for (const { file, text } of scenarios ?? []) add(file, parseScenario(text, references.known.readScenario).problems);
  const parsed = (lessons ?? []).map(({ file, text }) => ({ file, ...parseLesson(text) }));
  const read = parsed.flatMap(({ lesson }) => lesson ?? []);
  for (const { file, lesson, problems: found } of parsed) {
    add(file, found);
    if (!lesson) continue;
    if (lesson.language === 'en') {
      add(file, await checkOriginal(lesson, references));
      continue;
    }
    const original = await originalOf(file, lesson, read);
    if (original) add(file, translateLesson(original, lesson).problems);
    else add(file, [{ line: 1, parts: [], ...problemText('originalMissing', { lesson: lesson.id }) }]);
  }
  return problems;
}

/**
 * Checks lessons and scenarios, and prints their problems.
 * @returns the exit code: 0 if no file has a problem
 */
export async function checkFiles(given: readonly string[]): Promise<number> {
  const files = given.length > 0 ? given : await libraryFiles();
  if (files.length === 0) throw new UsageError('lessons check needs the file of a lesson');
  const problems = await working(`Checking ${files.length} files`, () => problemsOf(files));
  for (const problem of problems) report(problem);
  if (problems.length === 0) print(`${files.length} ${files.length === 1 ? 'file is' : 'files are'} correct.`);
  return problems.length > 0 ? 1 : 0;
}
