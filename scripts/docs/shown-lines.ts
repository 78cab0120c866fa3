/** Finds the command lines that the documentation shows. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, root } from './example-edits.ts';

/** A command line of a page, without its comment. */
export interface ShownLine {
  readonly page: string;
  readonly line: string;
}

/** The pages whose commands are checked. */
export const commandPages: readonly string[] = [
  ...globSync('docs/**/*.md', { cwd: root }),
  'README.md',
  'CONTRIBUTING.md',
  'examples/dashboard/README.md',
];

/** Returns the command lines of a code block. In `console` blocks, only the lines after `$` are commands. */
function linesOfBlock(language: string, text: string): readonly string[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines
    .filter((line) => language !== 'console' || line.startsWith('$ '))
    .map((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/(?:^|\s)#.*$/, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

/** Returns every command line of the pages, in their order. */
export const shownLines = (): readonly ShownLine[] =>
  commandPages.flatMap((page) =>
    blocksOf(readFileSync(join(root, page), 'utf8'))
      .filter(({ language }) => ['sh', 'bash', 'console'].includes(language))
      .flatMap(({ language, text }) => linesOfBlock(language, text).map((line) => ({ page, line }))),
  );
