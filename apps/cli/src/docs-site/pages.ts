/** Reads the pages of the documentation and orders them as the index pages do. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize, posix } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';

export type { Tokens } from 'marked';

/** A page of the documentation. */
export interface DocsPage {
  /** Path below `docs`, such as `use/debugging.md`. */
  readonly path: string;
  readonly title: string;
  readonly tokens: readonly Token[];
  readonly headings: readonly Heading[];
}

/** A heading, with the id that links to it contain. */
interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

/** Returns the id that GitHub generates for a heading: lower case, with hyphens between words. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Returns the visible text of inline tokens, without emphasis, addresses and backticks. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      return 'text' in token ? String(token.text) : '';
    })
    .join('');

/** Returns the headings of a page. If a heading is repeated, its id gets a number, as on GitHub. */
function headingsOf(tokens: readonly Token[]): readonly Heading[] {
  const counts = new Map<string, number>();
  return tokens.flatMap((token) => {
    if (token.type !== 'heading') return [];
    const { depth, tokens: inline } = token as Tokens.Heading;
    const text = unescaped(plainText(inline));
    const slug = slugOf(text);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return [{ level: depth, text, id: count === 0 ? slug : `${slug}-${count}` }];
  });
}

/** Replaces the HTML entities that the lexer writes with their characters. */
export const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Parses a page. @param path path below `docs` */
export function parsePage(path: string, text: string): DocsPage {
  const tokens = marked.lexer(text);
  const headings = headingsOf(tokens);
  return { path, title: headings[0]?.text ?? path, tokens, headings };
}

/** Returns the targets of the links and images of a page, in order. */
export function linksOf(tokens: readonly Token[]): readonly string[] {
  const found: string[] = [];
  void marked.walkTokens([...tokens], (token) => {
    if (token.type === 'link' || token.type === 'image') found.push((token as Tokens.Link).href);
  });
  return found;
}

/** Reads all pages of a folder in the order of the index pages: each README, then the pages to which it links. */
export async function readPages(folder: string): Promise<readonly DocsPage[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.map((name) => name.replaceAll('\\', '/')).filter((name) => name.endsWith('.md'));
  const pages = new Map<string, DocsPage>();
  for (const path of paths.toSorted()) pages.set(path, parsePage(path, await readFile(join(folder, path), 'utf8')));
  const ordered = new Set<DocsPage>();
  const add = (page: DocsPage): void => {
    if (ordered.has(page)) return;
    ordered.add(page);
    if (posix.basename(page.path) !== 'README.md') return;
    const targets = linksOf(page.tokens).map((href) => normalize(join(dirname(page.path), href.replace(/#.*/, ''))));
    // Skip the links of the root's index to pages of other folders. Only the index of a folder determines the order of
    // its pages.
    for (const target of targets) {
      const linked = pages.get(target.replaceAll('\\', '/'));
      const isIndex = linked && posix.basename(linked.path) === 'README.md';
      const isOwn = linked && page.path !== 'README.md' && linked.path.startsWith(`${dirname(page.path)}/`);
      if (linked && (isOwn || (page.path === 'README.md' && isIndex))) add(linked);
    }
  };
  for (const path of ['README.md', ...pages.keys()]) {
    const page = pages.get(path);
    if (page) add(page);
  }
  return [...ordered];
}
