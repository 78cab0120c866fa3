import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parsePage } from './pages.ts';
import { renderPage } from './render-page.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podscope-render-page-'));
  await writeFile(join(folder, 'page.md'), '# A page\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rendered = (text: string): string =>
  renderPage(parsePage('page.md', text), { folder, repository: undefined }).html;

it('omits HTML in a heading', () => {
  expect(rendered('# A <img src=x onerror=1> heading')).toMatch(/<h1 id="[\w-]+">A {2}heading<\/h1>/);
});

it('rejects a link in a heading that leads to no file, such as javascript:', () => {
  expect(() => rendered('# A <img src=x onerror=1> [j](javascript:1)')).toThrow('javascript:1 leads to no file');
});

it('omits HTML in the text of a link', () => {
  const html = rendered('[a <img src=x onerror=1> b](page.md)');
  expect(html).toContain('<a href="page.html">a  b</a>');
});

it('escapes the text of a link once', () => {
  expect(rendered('[`a<b` & *c* &lt;i&gt;](page.md)')).toContain(
    '<a href="page.html"><code>a&lt;b</code> &amp; <em>c</em> &lt;i&gt;</a>',
  );
});

it('links a heading like other text of the page', () => {
  expect(rendered('## See [`page`](page.md)')).toContain(
    '<h2 id="see-page">See <a href="page.html"><code>page</code></a> <a class="anchor"',
  );
});
