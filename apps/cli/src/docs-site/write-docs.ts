/** Writes the documentation as a static site with search. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '@podscope/server/repository';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { pageHtml } from './layout.ts';
import { readPages } from './pages.ts';
import { type LinkTargets, outputOf, renderPage } from './render-page.ts';
import { searchDocuments } from './search-documents.ts';
import { indexOptions } from './search-options.ts';

const browserFolder = join(import.meta.dirname, 'browser');

/** Bundles the script of the pages, and copies their style sheet. */
async function writeAssets(directory: string): Promise<void> {
  await build({
    root: browserFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: directory,
      emptyOutDir: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: {
        input: join(browserFolder, 'docs.ts'),
        output: { entryFileNames: 'assets/docs.js' },
      },
    },
  });
  await cp(join(browserFolder, 'docs.css'), join(directory, 'assets/docs.css'));
}

/**
 * Writes the pages of `docs` into a directory, with a search index.
 * @param repository address of the repository's files, with a slash at its end; undefined to omit links to sources
 * @returns the number of pages
 * @throws Error if the target of a link or an image doesn't exist
 */
export async function writeDocs(directory: string, repository: string | undefined): Promise<number> {
  const targets: LinkTargets = { folder: join(repositoryRoot, 'docs'), repository };
  const pages = await readPages(targets.folder);
  const images = new Set<string>();
  for (const page of pages) {
    const rendered = renderPage(page, targets);
    for (const image of rendered.images) images.add(image);
    const file = join(directory, outputOf(page.path));
    await mkdir(dirname(file), { recursive: true });
    const source = repository === undefined ? undefined : `${repository}docs/${page.path}`;
    await writeFile(file, pageHtml(pages, page, rendered.html, source));
  }
  for (const image of images) {
    await mkdir(dirname(join(directory, image)), { recursive: true });
    await writeFile(join(directory, image), await readFile(join(targets.folder, image)));
  }
  await writeAssets(directory);
  const index = new MiniSearch(indexOptions);
  index.addAll([...searchDocuments(pages)]);
  await writeFile(join(directory, 'assets/search.json'), JSON.stringify(index));
  return pages.length;
}
