/**
 * Adds tags of the Open Graph protocol to a site's page. Other sites use them to show a preview of a link to the page.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '@podscope/command-line';

/** The picture of the preview, which `writeSite` copies into the site. Sizes are in pixels. */
const image = { name: 'share.png', width: 1200, height: 630 };

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Returns the address of a site with a slash at its end.
 * @throws UsageError if `address` isn't an http or https address, or if it has a query or a fragment
 */
export function siteAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new UsageError(
      `--address ${JSON.stringify(address)} is not the address of a site, such as https://school.example/podscope/`,
    );
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/**
 * Returns the page with tags for its preview. The addresses in the tags are absolute, because other sites use them.
 * @param html the page, which has a title and a description
 * @param address address of the site, with a slash at its end
 * @throws Error if the page has no title or no description
 */
export function withShareTags(html: string, address: string): string {
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1];
  const description = /<meta\s+name="description"\s+content="([^"]*)"/.exec(html)?.[1];
  if (title === undefined || description === undefined) throw new Error('index.html has no title or no description');
  const tags = {
    'og:type': 'website',
    'og:url': escaped(address),
    'og:title': `${title}: see what the kubelet does with a pod`,
    'og:description': description,
    'og:image': escaped(`${address}${image.name}`),
    'og:image:width': String(image.width),
    'og:image:height': String(image.height),
    'twitter:card': 'summary_large_image',
  };
  const lines = Object.entries(tags).map(([property, content]) =>
    property.startsWith('og:')
      ? `    <meta property="${property}" content="${content}" />\n`
      : `    <meta name="${property}" content="${content}" />\n`,
  );
  return html.replace(/[ \t]*<title>/, (tag) => `${lines.join('')}${tag}`);
}

/** Adds the tags to the page of a built site. @param address address of the site, with a slash at its end */
export async function writeShareTags(directory: string, address: string): Promise<void> {
  const page = join(directory, 'index.html');
  await writeFile(page, withShareTags(await readFile(page, 'utf8'), address));
}
