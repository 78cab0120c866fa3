/** Renders a page of the documentation as HTML. */
import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { type DocsPage, unescaped } from './pages.ts';

/** The locations of pages and other files, which are needed to resolve links. */
export interface LinkTargets {
  /** Path of the repository's folder `docs`. */
  readonly folder: string;
  /** Address at which the repository's files can be viewed, with a slash at its end; undefined if it isn't known. */
  readonly repository: string | undefined;
}

/** Escapes text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns the file name of a page on the site: `use/index.html` for `use/README.md`. */
export const outputOf = (path: string): string =>
  path.replace(/(?:^|(?<=\/))README\.md$/, 'index.md').replace(/\.md$/, '.html');

/**
 * Returns the address of a link on the site; undefined for a file of the repository whose address isn't known.
 * @param from path of the page below `docs`
 * @throws Error if the link names a file that doesn't exist
 */
function addressOf(href: string, from: string, { folder, repository }: LinkTargets): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(from), path));
  if (!existsSync(join(folder, target))) throw new Error(`docs/${from}: the link ${href} leads to no file`);
  const anchor = hash === undefined ? '' : `#${hash}`;
  if (!target.startsWith('../'))
    return posix.relative(posix.dirname(outputOf(from)), outputOf(target)).replace(/^$/, './') + anchor;
  return repository === undefined ? undefined : `${repository}${target.slice(3)}${anchor}`;
}

/**
 * Returns the content of a page as HTML, and the images that it shows.
 * @throws Error if the target of a link or an image doesn't exist
 */
export function renderPage(
  page: DocsPage,
  targets: LinkTargets,
): { readonly html: string; readonly images: readonly string[] } {
  const images: string[] = [];
  const ids = page.headings.map(({ id }) => id);
  const renderer: RendererObject = {
    heading({ depth, tokens }: Tokens.Heading): string {
      const id = ids.shift() ?? '';
      const text = this.parser.parseInline(tokens);
      const anchor = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
      return `<h${depth} id="${id}">${text}${anchor}</h${depth}>\n`;
    },
    // Omit HTML: pages contain no HTML except comments.
    html: (): string => '',
    link({ href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens);
      const address = addressOf(href, page.path, targets);
      return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
    },
    image({ href, text }: Tokens.Image): string {
      const path = posix.normalize(posix.join(posix.dirname(page.path), href));
      if (!existsSync(join(targets.folder, path))) throw new Error(`docs/${page.path}: there is no image ${href}`);
      const dark = path.replace('-light.', '-dark.');
      images.push(path, ...(existsSync(join(targets.folder, dark)) && dark !== path ? [dark] : []));
      const at = (file: string): string => posix.relative(dirname(page.path), file);
      const picture = `<img src="${escapeHtml(at(path))}" alt="${escapeHtml(unescaped(text))}" loading="lazy" />`;
      if (dark === path) return picture;
      const source = `<source srcset="${escapeHtml(at(dark))}" media="(prefers-color-scheme: dark)" />`;
      return `<picture>${source}${picture}</picture>`;
    },
    code({ text, lang = '' }: Tokens.Code): string {
      const [language = '', file] = lang.split(' ');
      const title = file === undefined ? '' : `<p class="file"><code>${escapeHtml(file)}</code></p>\n`;
      const body = language === 'diff' ? diffLines(text) : escapeHtml(text);
      // A wide code block scrolls, so it must be focusable for the keyboard.
      return `${title}<pre tabindex="0"><code>${body}</code></pre>\n`;
    },
  };
  const marked = new Marked({ renderer, async: false, gfm: true });
  const parsed = marked.parser([...page.tokens]);
  const html = parsed
    // Render an empty corner cell of a table as a normal cell, because it isn't a header.
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return { html, images };
}

/** Marks the added and removed lines of a diff. */
const diffLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const shown = escapeHtml(line);
      return line.startsWith('+') ? `<ins>${shown}</ins>` : line.startsWith('-') ? `<del>${shown}</del>` : shown;
    })
    .join('\n');
