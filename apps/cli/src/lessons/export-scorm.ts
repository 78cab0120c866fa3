/** Implements `podscope lessons export --scorm`: writes one SCORM 1.2 package per lesson. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isPackaged, print, UsageError, working } from '@podscope/command-line';
import { formatLessonProblem, parseLesson, translateLesson } from '@podscope/lessons';
import { lessonsDirectory, repositoryRoot } from '@podscope/server/repository';
import { type Zippable, zipSync } from 'fflate';
import { type PackagedLesson, scormTexts } from './scorm-package.ts';

/** Names of files that a package doesn't need: the page of a server, and the marker of the site's directory. */
const omitted: ReadonlySet<string> = new Set(['server.html', '.podscope-site']);

const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** Returns the path of a lesson, which is given as a file or as the id of a lesson in the library. */
const pathOf = (given: string): string =>
  given.endsWith('.md') ? resolve(given) : join(lessonsDirectory, 'en', `${given}.md`);

/**
 * Reads a lesson and its translation. The translation is `NAME.zh-CN.md` in the same directory, or `../zh-CN/NAME.md`.
 * @throws UsageError
 */
async function readLesson(given: string): Promise<PackagedLesson> {
  const file = pathOf(given);
  const text = await textOf(file);
  if (text === undefined) throw new UsageError(`there is no lesson ${given}: name a file, or the id of a lesson`);
  const { lesson, problems } = parseLesson(text);
  if (!lesson) throw new UsageError(problems.map((problem) => formatLessonProblem(problem, given)).join('\n'));
  const name = basename(file, '.md');
  const translation =
    (await textOf(join(dirname(file), `${name}.zh-CN.md`))) ??
    (await textOf(join(dirname(file), '..', 'zh-CN', `${name}.md`)));
  const translated = translation === undefined ? undefined : parseLesson(translation).lesson;
  const fits = translated !== undefined && translateLesson(lesson, translated).problems.length === 0;
  return { lesson, text, translation: fits ? translation : undefined };
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
 * Writes the packages into a directory.
 * @returns the exit code
 */
export async function exportScorm(lessons: readonly string[], out: string): Promise<number> {
  if (lessons.length === 0) throw new UsageError('lessons export needs a lesson: a file, or the id of a lesson');
  const read = await Promise.all(lessons.map(readLesson));
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
