import { UsageError } from '@podscope/command-line';
import { expect, it } from 'vitest';
import { siteAddress, withShareTags } from './share-tags.ts';

const page = `<head>
    <meta
      name="description"
      content="See pods."
    />
    <title>Podscope</title>
</head>`;

it.each([
  ['https://school.example/podscope', 'https://school.example/podscope/'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
])('siteAddress of %s is %s', (given, address) => {
  expect(siteAddress(given)).toBe(address);
});

it.each(['school.example', 'ftp://school.example/', 'https://school.example/?a=1', 'https://school.example/#a'])(
  'siteAddress refuses %s',
  (given) => {
    expect(() => siteAddress(given)).toThrow(UsageError);
  },
);

it('withShareTags adds absolute addresses of the page and its picture, escaped', () => {
  const html = withShareTags(page, 'https://school.example/a&b/');
  expect(html).toContain('<meta property="og:url" content="https://school.example/a&amp;b/" />');
  expect(html).toContain('<meta property="og:image" content="https://school.example/a&amp;b/share.png" />');
  expect(html).toContain('<meta property="og:description" content="See pods." />');
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image" />');
  expect(html.endsWith(page.slice(page.indexOf('<title>')))).toBe(true);
});

it('withShareTags rejects a page without a description', () => {
  expect(() => withShareTags('<title>Podscope</title>', 'https://school.example/')).toThrow('no description');
});
