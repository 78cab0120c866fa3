/** Loads lessons. Each lesson is loaded when it is opened. */
import {
  inTeachingOrder,
  type Known,
  knownReferences,
  type Lesson,
  parseLesson,
  parseScenario,
  translateLesson,
  validateLesson,
} from '@podscope/lessons';
import type { ScenarioProfile } from '@podscope/scenarios';
import type { Language } from '../../../base/preferences/languages.ts';
import type { GivenLesson } from '../given-lesson.ts';
import { lessonError } from '../problems/translate-problem.ts';
import { loadRecording, recordingIds } from './recordings.ts';

type Load = () => Promise<string>;

/** The name in the error messages of a text that comes from no file. */
const unnamed = 'lesson.md';

const originals = import.meta.glob<string>('../../../../../../packages/lessons/lessons/en/*.md', {
  query: '?raw',
  import: 'default',
});
const translations = import.meta.glob<string>('../../../../../../packages/lessons/lessons/zh-CN/*.md', {
  query: '?raw',
  import: 'default',
});

const idOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.md$/, '');
const loaderOf = (files: Readonly<Record<string, Load>>, id: string): Load | undefined =>
  Object.entries(files).find(([path]) => idOf(path) === id)?.[1];

/** The ids of all lessons, in teaching order. */
export const lessonIds: readonly string[] = inTeachingOrder(Object.keys(originals).map(idOf));

/** Returns the lesson after this one in teaching order; undefined after the last. */
export const lessonAfter = (id: string): string | undefined => {
  const at = lessonIds.indexOf(id);
  return at < 0 ? undefined : lessonIds[at + 1];
};

/** Parses a lesson. @throws Error that lists every problem on its own line */
function readLesson(text: string, name: string): Lesson {
  const { lesson, problems } = parseLesson(text);
  if (lesson) return lesson;
  throw lessonError(problems, name);
}

/** Loads the scenarios, points and recordings to which lessons may refer. */
export async function loadReferences(): Promise<Known> {
  const [{ readOwnScenario, scenarios }, { pointSources }, recordings] = await Promise.all([
    import('@podscope/scenarios'),
    import('@podscope/debugger/point-sources'),
    Promise.all(recordingIds.map(async (id) => [id, await loadRecording(id)] as const)),
  ]);
  return knownReferences({
    scenarios,
    recordings,
    points: Object.keys(pointSources.points),
    readScenario: readOwnScenario,
  });
}

/**
 * Parses a lesson that isn't in the library, in the given language if there is a translation. Checks to what the lesson
 * refers, and that the translation has the same steps.
 * @throws Error that lists every problem on its own line
 */
export async function readGivenLesson(given: GivenLesson, language: Language): Promise<Lesson> {
  const { text, translation, name = unnamed } = given;
  const lesson = readLesson(text, name);
  const problems = validateLesson(lesson, await loadReferences());
  if (problems.length > 0) throw lessonError(problems, name);
  if (translation === undefined) return lesson;
  const file = name.replace(/\.md$/, '.zh-CN.md');
  const translated = translateLesson(lesson, readLesson(translation, file));
  if (!translated.lesson) throw lessonError(translated.problems, file);
  return language === 'zh-CN' ? translated.lesson : lesson;
}

/**
 * Parses a lesson that isn't in the library. Returns its translation if the language is Chinese and the translation has
 * the same steps. Doesn't check to what the lesson refers: {@link readGivenLesson}.
 * @throws Error that lists every problem on its own line
 */
export function parseGivenLesson({ text, translation }: GivenLesson, language: Language): Lesson {
  const original = readLesson(text, unnamed);
  if (translation === undefined || language !== 'zh-CN') return original;
  return translateLesson(original, readLesson(translation, 'lesson.zh-CN.md')).lesson ?? original;
}

/** Parses the file of a scenario. @throws Error that lists every problem on its own line */
export async function readScenarioFile(
  text: string,
  name: string,
): Promise<{ readonly value: unknown; readonly profile: ScenarioProfile }> {
  const { readOwnScenario } = await import('@podscope/scenarios');
  const { value, problems } = parseScenario(text, readOwnScenario);
  if (problems.length > 0) throw lessonError(problems, name);
  return { value, profile: readOwnScenario(value).scenario?.profiles[0] ?? 'v1.36' };
}

/**
 * Returns a lesson in the page's language, or in English if it isn't translated.
 * @throws Error for an unknown id
 */
export async function loadLesson(id: string, language: Language): Promise<Lesson> {
  const load = loaderOf(originals, id);
  if (!load) throw new Error(id);
  const original = readLesson(await load(), `${id}.md`);
  const translation = language === 'zh-CN' ? loaderOf(translations, id) : undefined;
  if (!translation) return original;
  return translateLesson(original, readLesson(await translation(), `zh-CN/${id}.md`)).lesson ?? original;
}
