/** Applies the examples of documentation pages to copies of packages, so that tests can run them. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const root = resolve(import.meta.dirname, '../..');

/** A code block of a page. */
export interface Block {
  /** The language: `sh`, `ts`, `diff`. */
  readonly language: string;
  /** The words after the language: the path of the file that the block shows. Empty for other blocks. */
  readonly path: string;
  readonly text: string;
}

/** Returns the code blocks of a page, in order. */
export const blocksOf = (page: string): readonly Block[] =>
  [...page.matchAll(/^(?<fence>`{3,})(?<language>[\w-]*) ?(?<path>[^\n]*)\n(?<text>[^]*?)^\k<fence>$/gm)].map(
    ({ groups = {} }) => ({
      language: groups['language'] ?? '',
      path: groups['path'] ?? '',
      text: groups['text'] ?? '',
    }),
  );

/** Returns the text of a page below `docs`. */
export const pageText = (path: string): string => readFileSync(join(root, 'docs', path), 'utf8');

/** Returns the lines before and after the change that a diff block shows. */
function sidesOf({ text }: Block): { readonly before: string; readonly after: string } {
  const lines = text.split('\n').filter((line) => line !== '');
  const without = (mark: string): string =>
    lines.flatMap((line) => (line.startsWith(mark) ? [] : [line.slice(1)])).join('\n');
  return { before: without('+'), after: without('-') };
}

/**
 * Applies the blocks of a page that name a file. A `diff` block changes lines, which the file must contain exactly
 * once. A `ts` or `lesson` block creates a file.
 * @returns the paths of the changed and created files, in order
 * @throws Error if the file doesn't contain the lines of a diff exactly once, or if a new file already exists
 */
export function applyEdits(page: string, folder: string): readonly string[] {
  const edits = blocksOf(page).filter(
    ({ language, path }) => ['diff', 'ts', 'lesson'].includes(language) && path !== '',
  );
  for (const edit of edits) {
    const file = join(folder, edit.path);
    if (edit.language !== 'diff') {
      if (existsSync(file)) throw new Error(`${edit.path} exists already`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, edit.text);
      continue;
    }
    const { before, after } = sidesOf(edit);
    const text = readFileSync(file, 'utf8');
    const found = text.split(before).length - 1;
    if (found !== 1) throw new Error(`${edit.path} has these lines ${found} times:\n${before}`);
    writeFileSync(
      file,
      text.replace(before, () => after),
    );
  }
  return edits.map(({ path }) => path);
}

/**
 * Returns a new directory with copies of packages. The copies import each other; everything else is imported from the
 * repository.
 * @param paths directories relative to the root, such as `packages/flow`
 */
export function copyPackages(paths: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'podscope-example-')));
  for (const path of paths) {
    const [from, to] = [join(root, path), join(folder, path)];
    cpSync(join(from, 'src'), join(to, 'src'), { recursive: true });
    cpSync(join(from, 'package.json'), join(to, 'package.json'));
    const { dependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    mkdirSync(join(to, 'node_modules/@podscope'), { recursive: true });
    for (const dependency of Object.keys(dependencies)) {
      const own = paths.find((each) => each.startsWith('packages/') && dependency === `@podscope/${each.slice(9)}`);
      const target = own ? join(folder, own) : realpathSync(join(from, 'node_modules', dependency));
      const link = join(to, 'node_modules', dependency);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(target, link);
    }
  }
  return folder;
}

/**
 * Runs a module with Node.js and returns its output.
 * @throws Error if it fails
 */
export async function run(file: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: root });
  return stdout;
}

/** Writes a module, runs it, and returns the JSON that it prints. */
export async function output(file: string, text: string): Promise<unknown> {
  writeFileSync(file, text);
  return JSON.parse(await run(file));
}
