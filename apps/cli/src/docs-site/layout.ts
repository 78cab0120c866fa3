/** Wraps a rendered page of the documentation in the site's layout: header with search, list of pages, page. */
import { posix } from 'node:path';
import type { DocsPage } from './pages.ts';
import { escapeHtml, outputOf } from './render-page.ts';

/**
 * A content security policy that allows only the site's own files. It is part of the page, because a file host sends no
 * policy.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

const folderOf = ({ path }: DocsPage): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');
const isIndex = ({ path }: DocsPage): boolean => posix.basename(path) === 'README.md';

/** Returns the list of all pages, with the headings of the current one below it. */
function contents(pages: readonly DocsPage[], current: DocsPage): string {
  const to = (page: DocsPage): string =>
    posix.relative(posix.dirname(outputOf(current.path)), outputOf(page.path)).replace(/^$/, './');
  const link = (page: DocsPage, text = page.title): string =>
    `<a href="${to(page)}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;
  const sections = (page: DocsPage): string => {
    const found = page.headings.filter(({ level }) => level === 2);
    if (page !== current || found.length === 0 || found.length > 24) return '';
    const items = found.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
    return `<ul class="sections">${items.join('')}</ul>`;
  };
  const item = (page: DocsPage): string => `<li>${link(page)}${sections(page)}</li>`;
  const group = (index: DocsPage): string => {
    const own = pages.filter((page) => page !== index && folderOf(page) === folderOf(index));
    const isOpen = folderOf(current) === folderOf(index) || !current.path.includes('/');
    return (
      `<li><details${isOpen ? ' open' : ''}><summary>${escapeHtml(index.title)}</summary><ul>` +
      `<li>${link(index, 'Overview')}${sections(index)}</li>${own.map(item).join('')}</ul></details></li>`
    );
  };
  const [root, ...others] = pages;
  const groups = others.filter((page) => isIndex(page)).map(group);
  return `<ul>${root ? `<li>${link(root)}</li>` : ''}${groups.join('')}</ul>`;
}

/** Returns the links to the pages before and after this one. */
function neighbors(pages: readonly DocsPage[], current: DocsPage): string {
  const at = pages.indexOf(current);
  const link = (page: DocsPage | undefined, rel: string, mark: string): string =>
    page === undefined
      ? ''
      : `<a rel="${rel}" href="${posix.relative(posix.dirname(outputOf(current.path)), outputOf(page.path))}">` +
        `${mark} ${escapeHtml(page.title)}</a>`;
  return `${link(pages[at - 1], 'prev', '←')}${link(pages[at + 1], 'next', '→')}`;
}

/**
 * Returns the whole HTML of a page. All addresses are relative, so the site can be served from any path.
 * @param source address of the page's source; undefined if it isn't known
 */
export function pageHtml(
  pages: readonly DocsPage[],
  current: DocsPage,
  content: string,
  source: string | undefined,
): string {
  const root = posix.relative(posix.dirname(outputOf(current.path)), '.') || '.';
  const name = current.path === 'README.md' ? 'Podscope documentation' : `${current.title} · Podscope`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(name)}</title>
    <link rel="icon" href="${root}/../favicon.svg" />
    <link rel="stylesheet" href="${root}/assets/docs.css" />
    <script type="module" src="${root}/assets/docs.js"></script>
  </head>
  <body data-root="${root}">
    <a class="skip" href="#content">Skip to the page</a>
    <header>
      <a class="home" href="${root}/index.html">Podscope <span>documentation</span></a>
      <form role="search" class="search" hidden>
        <label class="hidden" for="search">Search the documentation</label>
        <input id="search" type="search" placeholder="Search  /" autocomplete="off" aria-controls="results" />
        <p id="count" class="hidden" role="status"></p>
        <ol id="results" hidden></ol>
      </form>
      <a class="open" href="${root}/../">Open the page</a>
    </header>
    <div class="columns">
      <nav aria-label="Contents">
        <details class="menu" open><summary>Contents</summary>
          ${contents(pages, current)}
        </details>
      </nav>
      <main id="content" tabindex="-1">
${content}
        <footer>
          <nav aria-label="Neighbors" class="neighbors">${neighbors(pages, current)}</nav>
          ${source === undefined ? '' : `<p><a href="${escapeHtml(source)}">Source of this page</a></p>`}
        </footer>
      </main>
    </div>
  </body>
</html>
`;
}
