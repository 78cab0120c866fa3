/** Checks the form of the documentation: links, anchors, pictures, tables, first lines and indexes. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DocsPage, linksOf, parsePage, type Tokens } from '../../apps/cli/src/docs-site/pages.ts';
import { root } from './example-edits.ts';

const paths = [
  ...globSync('docs/**/*.md', { cwd: root }),
  ...globSync('{*,.github/*,apps/*,packages/*,examples/*,apps/lab/vectors}{,/}*.md', { cwd: root }),
]
  .map((path) => normalize(path))
  .filter((path) => !path.includes('node_modules'));
const parsed = new Map<string, DocsPage>();

/** Returns a page by its path from the root. */
function pageAt(path: string): DocsPage {
  const page = parsed.get(path) ?? parsePage(path, readFileSync(join(root, path), 'utf8'));
  parsed.set(path, page);
  return page;
}

/**
 * Returns the problem of a link whose target doesn't exist; undefined for a valid link and for links to other sites.
 */
function problemOf(href: string, from: string): string | undefined {
  if (/^(?:https?:|mailto:)/.test(href)) return undefined;
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(root, target))) return `${from}: ${href}: no such file`;
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  const hasAnchor = pageAt(target).headings.some(({ id }) => id === anchor);
  return hasAnchor ? undefined : `${from}: ${href}: no such heading`;
}

describe('the pages', () => {
  it('have links and pictures that lead to files and headings', () => {
    expect(paths.length).toBeGreaterThan(55);
    const found = [...new Set(paths)].flatMap((path) =>
      linksOf(pageAt(path).tokens).flatMap((href) => problemOf(href, path) ?? []),
    );
    expect(found).toEqual([]);
  });

  it('have no table cell with more than 120 characters', () => {
    const found = paths.flatMap((path) =>
      pageAt(path).tokens.flatMap((token) => {
        if (token.type !== 'table') return [];
        const { header, rows } = token as Tokens.Table;
        const cells = [header, ...rows].flat().map(({ text }) => text);
        return cells.filter((text) => text.length > 120).map((text) => `${path}: ${text}`);
      }),
    );
    expect(found).toEqual([]);
  });

  it('begin with a command, a file or a picture, right below the title', () => {
    const found = paths.filter((path) => {
      if (!path.startsWith('docs/')) return false;
      const [title, first] = pageAt(path).tokens.filter(({ type }) => type !== 'space' && type !== 'html');
      const isPicture = first?.type === 'paragraph' && (first as Tokens.Paragraph).tokens[0]?.type === 'image';
      return title?.type !== 'heading' || (first?.type !== 'code' && !isPicture);
    });
    expect(found).toEqual([]);
  });

  it('are listed in the index of their folder', () => {
    const found = paths.filter((path) => {
      if (!/^docs\/\w+\/.*\.md$/.test(path) || path.endsWith('README.md')) return false;
      const index = `${path.split('/').slice(0, 2).join('/')}/README.md`;
      const targets = linksOf(pageAt(index).tokens).map((href) => normalize(join(dirname(index), href)));
      return !targets.includes(path);
    });
    expect(found).toEqual([]);
  });

  it('have exactly one title', () => {
    const titles = (path: string): number => pageAt(path).headings.filter(({ level }) => level === 1).length;
    expect(paths.filter((path) => path.startsWith('docs/') && titles(path) !== 1)).toEqual([]);
  });
});
