/** Splits the pages of the documentation into sections, which are the results of the search. */
import type { Token, Tokens } from 'marked';
import { type DocsPage, plainText, unescaped } from './pages.ts';
import { outputOf } from './render-page.ts';

/** A section of a page as the search stores it. */
export interface SearchDocument {
  readonly id: number;
  /** The address below the root of the documentation, with the section's anchor. */
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** The longest text of a section in the index, in characters. */
const maxText = 4_000;

/** Returns the visible text of block tokens. */
const textOf = (token: Token): string => {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .flat()
        .map((cell) => plainText(cell.tokens))
        .join(' ');
    }
    case 'list':
      return (token as Tokens.List).items.map((item) => item.tokens.map(textOf).join(' ')).join(' ');
    case 'code':
      return (token as Tokens.Code).text;
    case 'html':
    case 'space':
      return '';
    default:
      return 'tokens' in token && token.tokens ? plainText(token.tokens) : '';
  }
};

/** Returns a document for each section of the pages. Long lists of packages are omitted. */
export function searchDocuments(pages: readonly DocsPage[]): readonly SearchDocument[] {
  const found: SearchDocument[] = [];
  for (const page of pages) {
    if (page.path.endsWith('licenses.md')) continue;
    const headings = [...page.headings];
    let current: { href: string; title: string; parts: string[] } | undefined;
    const finish = (): void => {
      if (!current) return;
      const text = unescaped(current.parts.join(' ')).replaceAll(/\s+/g, ' ').trim().slice(0, maxText);
      found.push({ id: found.length, href: current.href, page: page.title, title: current.title, text });
    };
    for (const token of page.tokens) {
      if (token.type !== 'heading') {
        current?.parts.push(textOf(token));
        continue;
      }
      finish();
      const { id = '', text = '', level = 1 } = headings.shift() ?? {};
      current = { href: `${outputOf(page.path)}${level === 1 ? '' : `#${id}`}`, title: text, parts: [] };
    }
    finish();
  }
  return found;
}
