/** Extracts the prose of source files, catalogues and Markdown pages, with the line of each piece. */

/** A run of prose: one comment, one string or one paragraph. */
export interface Prose {
  /** Line of the first character, from 1. */
  readonly line: number;
  readonly text: string;
  readonly kind: 'header' | 'comment' | 'string' | 'chinese' | 'paragraph';
}

/** Removes inline code, links and quotations: they aren't the project's own words. */
const plain = (text: string): string =>
  text
    .replaceAll(/`[^`]*`/g, 'CODE')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/"[^"]*"|“[^”]*”/g, 'QUOTE')
    .replaceAll(/\{@link [^}]*\}/g, 'CODE')
    .replaceAll(/\s+/g, ' ')
    .trim();

const directive = /^(?:oxlint|biome|eslint|@ts-|vitest|v8 ignore)/;

/**
 * Returns the comments of a TypeScript file: block comments, and full-line `//` comments with adjacent lines joined.
 * The first one is the header if it starts on line 1.
 */
export function commentsOf(source: string): Prose[] {
  const lines = source.split('\n');
  const found: Prose[] = [];
  const add = (line: number, parts: readonly string[]): void => {
    const text = plain(
      parts
        .join(' ')
        .split(/(?:^|\s)@(?:param|returns|throws|example|see)\b/)
        .join('. '),
    );
    if (text !== '' && !directive.test(text)) found.push({ line, text, kind: line === 1 ? 'header' : 'comment' });
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const start = index + 1;
    const block = /^\s*(?:\{)?\/\*\*?(.*)$/.exec(line);
    if (block) {
      const parts: string[] = [];
      let rest = block[1] ?? '';
      while (!rest.includes('*/') && index + 1 < lines.length) {
        parts.push(rest);
        index++;
        rest = (lines[index] ?? '').replace(/^\s*\*(?!\/)/, '');
      }
      parts.push(rest.slice(0, Math.max(0, rest.indexOf('*/'))));
      add(start, parts);
      continue;
    }
    const parts: string[] = [];
    for (; /^\s*\/\/(?!\/)/.test(lines[index] ?? ''); index++) parts.push((lines[index] ?? '').replace(/^\s*\/\//, ''));
    if (parts.length > 0) {
      add(start, parts);
      index--;
    }
  }
  return found;
}

/**
 * Returns the string literals of a catalogue of texts, or of a file with a `help` text, that hold at least two words.
 */
export const stringsOf = (source: string): Prose[] =>
  literalsOf(source).flatMap(({ line, text }) => {
    const words = plain(text);
    return /\S \S/.test(words) ? [{ line, text: words, kind: 'string' as const }] : [];
  });

/** Returns the string literals with Chinese characters, without their inline code. */
export const chineseStringsOf = (source: string): Prose[] =>
  literalsOf(source).flatMap(({ line, text }) =>
    /\p{Script=Han}/u.test(text) ? [{ line, text: text.replaceAll(/`[^`]*`/g, '`'), kind: 'chinese' as const }] : [],
  );

/** Returns the lines of a Chinese Markdown page, without inline code and targets of links. */
export const chineseLinesOf = (source: string): Prose[] =>
  source.split('\n').flatMap((line, index) =>
    /\p{Script=Han}/u.test(line)
      ? [
          {
            line: index + 1,
            text: line.replaceAll(/`[^`]*`/g, '`').replaceAll(/\]\([^)]*\)/g, ']'),
            kind: 'chinese' as const,
          },
        ]
      : [],
  );

function literalsOf(source: string): Pick<Prose, 'line' | 'text'>[] {
  const literal = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, (comment) => comment.replaceAll(/['"`]/g, ' '));
  return [...code.matchAll(literal)].map((match) => ({
    line: code.slice(0, match.index).split('\n').length,
    text: (match[1] ?? match[2] ?? match[3] ?? '').replaceAll('\\n', ' ').replaceAll("\\'", "'"),
  }));
}

/** Returns the paragraphs, list items and table rows of a Markdown page, without its code blocks. */
export function paragraphsOf(source: string): Prose[] {
  const found: Prose[] = [];
  let isCode = false;
  let paragraph: { line: number; parts: string[] } | undefined;
  const finish = (): void => {
    const text = plain(paragraph?.parts.join(' ') ?? '');
    if (paragraph && text !== '') found.push({ line: paragraph.line, text, kind: 'paragraph' });
    paragraph = undefined;
  };
  for (const [index, line] of source.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      finish();
      isCode = !isCode;
      continue;
    }
    if (isCode || line.trim() === '') {
      finish();
      continue;
    }
    if (/^\s*(?:[-*+]|\d+\.) |^\s*\||^#/.test(line)) finish();
    paragraph ??= { line: index + 1, parts: [] };
    paragraph.parts.push(line.replace(/^\s*(?:#+|[-*+]|\d+\.) /, ''));
  }
  finish();
  return found;
}
