/** Collects the licenses of the npm packages whose code Podscope's npm package contains. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

const licenseFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

interface Notice {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly texts: readonly string[];
}

async function noticeOf(directory: string): Promise<Notice> {
  const {
    name,
    version,
    license = 'see below',
  } = manifestSchema.parse(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')));
  const files = (await readdir(directory)).filter((file) => licenseFile.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  return { name, version, license, texts: texts.map((text) => text.trim()) };
}

/** Matches a package's directory in a module's path: `…/node_modules/ws` in `…/node_modules/ws/lib/websocket.js`. */
const packageDirectory = /^\0?(?<directory>.*\/node_modules\/(?:@[^/]+\/)?[^/@][^/]*)\//;

/** Returns the directories of the npm packages to which the modules belong, sorted. */
export function packagesOf(modules: readonly string[]): readonly string[] {
  const found = modules.map((module) => packageDirectory.exec(module)?.groups?.['directory']);
  return [...new Set(found.filter((directory) => directory !== undefined))].toSorted();
}

/**
 * Returns the text of THIRD-PARTY-NOTICES: name, version and license of each package, and the texts of its license
 * files. A text that several packages have in common is included only once.
 * @param directories the directories of the packages
 */
export async function thirdPartyNotices(directories: readonly string[]): Promise<string> {
  const found = await Promise.all(directories.map(noticeOf));
  const unique = [...new Map(found.map((notice) => [`${notice.name}@${notice.version}`, notice])).entries()];
  const byText = new Map<string, string[]>();
  for (const [id, { license, texts }] of unique.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const text = texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), `${id} (${license})`]);
  }
  const sections = [...byText].map(([text, names]) =>
    [...names, '', text || 'The package contains no license file.'].join('\n'),
  );
  return [
    'Podscope contains code of these npm packages. Its own license is in LICENSE; NOTICE names the projects it ' +
      'follows.',
    ...sections,
    '',
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}
