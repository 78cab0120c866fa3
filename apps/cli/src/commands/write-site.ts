/** Writes the static site with vite. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '@podscope/server/repository';
import { build, type Plugin } from 'vite';

const webRoot = join(repositoryRoot, 'apps/web');

interface SiteOptions {
  /** True if the documentation will be in `docs/`. The page then links to it. */
  readonly hasDocs?: boolean;
}

/**
 * Builds the static site into a directory. Other files in the directory are kept.
 * @returns the paths of all modules whose code the site contains, including those of its workers
 */
export async function writeSite(directory: string, options: SiteOptions = {}): Promise<ReadonlySet<string>> {
  const modules = new Set<string>();
  const collector = (): Plugin => ({
    name: 'podscope-modules',
    generateBundle(_options, files) {
      for (const file of Object.values(files))
        if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id);
    },
  });
  await build({
    root: webRoot,
    configFile: join(webRoot, 'vite.config.ts'),
    mode: 'site',
    base: './',
    logLevel: 'error',
    plugins: [collector()],
    define: { podscopeHasDocs: JSON.stringify(options.hasDocs === true) },
    worker: { plugins: () => [collector()] },
    build: { outDir: directory, emptyOutDir: false, sourcemap: false },
  });
  // Copy the picture separately: the page never loads it, and the service worker doesn't cache it.
  await copyFile(join(webRoot, 'share.png'), join(directory, 'share.png'));
  return modules;
}
