/** Implements `podscope lessons export --scorm`: writes one SCORM 1.2 package per lesson. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isPackaged, print, report, UsageError, working } from '@podscope/command-line';
import { parseLesson } from '@podscope/lessons';
import { lessonsDirectory, repositoryRoot } from '@podscope/server/repository';
import { type Zippable, zipSync } from 'fflate';
import { problemsOf } from './check.ts';
import { type PackagedLesson, scormTexts } from './scorm-package.ts';

/** Names of files that a package doesn't need: the page of a server, and the marker of the site's directory. */
const omitted: ReadonlySet<string> = new Set(['server.html', '.podscope-site']);

const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** Returns the path of a lesson, which is given as a file or as the id of a lesson in the library. */
const pathOf = (given: string): string =>
  given.endsWith('.md') ? resolve(given) : join(lessonsDirectory, 'en', `${given}.md`);

/** The files of a lesson that may have problems. */
interface LessonFiles {
  readonly lesson: string;
  /** Undefined for a lesson without a translation. */
  readonly translation: string | undefined;
}

/**
 * Finds a lesson and its translation, `NAME.zh-CN.md` in the same directory or `../zh-CN/NAME.md`.
 * @throws UsageError
 */
async function findFiles(given: string): Promise<LessonFiles> {
  const lesson = pathOf(given);
  if ((await textOf(lesson)) === undefined)
    throw new UsageError(`there is no lesson ${given}: name a file, or the id of a lesson`);
  const name = basename(lesson, '.md');
  for (const translation of [
    join(dirname(lesson), `${name}.zh-CN.md`),
    join(dirname(lesson), '..', 'zh-CN', `${name}.md`),
  ])
    if (translation !== lesson && (await textOf(translation)) !== undefined) return { lesson, translation };
  return { lesson, translation: undefined };
}

/** Reads files without problems. */
async function readLesson(files: LessonFiles): Promise<PackagedLesson> {
  const text = (await textOf(files.lesson)) ?? '';
  const { lesson } = parseLesson(text);
  if (!lesson) throw new UsageError(`${files.lesson} was changed while it was read`);
  return { lesson, text, translation: files.translation && (await textOf(files.translation)) };
}

/** Returns the files of the site by path. In a clone, first builds the site. */
async function siteFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const built = isPackaged ? undefined : await mkdtemp(join(tmpdir(), 'podscope-scorm-'));
  try {
    if (built !== undefined) await (await import('../commands/write-site.ts')).writeSite(built);
    const directory = built ?? join(repositoryRoot, 'site');
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !omitted.has(entry.name));
    return new Map(
      await Promise.all(
        files.map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          return [relative(directory, path).replaceAll('\\', '/'), await readFile(path)] as const;
        }),
      ),
    );
  } finally {
    if (built !== undefined) await rm(built, { recursive: true, force: true });
  }
}

/**
 * Writes the packages into a directory. If a lesson or a translation has a problem, prints all problems and writes
 * nothing.
 * @returns the exit code
 */
export async function exportScorm(lessons: readonly string[], out: string): Promise<number> {
  if (lessons.length === 0) throw new UsageError('lessons export needs a lesson: a file, or the id of a lesson');
  const found = await Promise.all(lessons.map(findFiles));
  const paths = found.flatMap(({ lesson, translation }) => (translation ? [lesson, translation] : [lesson]));
  const problems = await working('Checking the lessons', () => problemsOf(paths));
  for (const problem of problems) report(problem);
  if (problems.length > 0) return 1;
  const read = await Promise.all(found.map(readLesson));
  const site = await working('Building the site', siteFiles);
  await mkdir(out, { recursive: true });
  for (const packaged of read) {
    const texts = scormTexts(packaged, [...site.keys()]);
    const encoder = new TextEncoder();
    const files: Zippable = {
      ...Object.fromEntries(site),
      ...Object.fromEntries(Array.from(texts, ([path, text]) => [path, encoder.encode(text)])),
    };
    const path = join(out, `${packaged.lesson.id}.scorm.zip`);
    // Use the same date for all files, so that the same lesson always produces the same package. Zip supports no dates
    // before 1980.
    await writeFile(path, zipSync(files, { level: 6, mtime: '1980-01-01T00:00:00' }));
    print(`Wrote ${path}`);
  }
  return 0;
}
