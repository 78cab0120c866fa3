/** Bundles the programs of Podscope with their dependencies into ES modules for Node. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { repositoryRoot } from '@podscope/server/repository';
import { build, type Rolldown } from 'vite';

/** The programs of the package, by the name of their module in `dist`. */
const programs: Readonly<Record<string, string>> = {
  podscope: 'apps/cli/src/main.ts',
};

/** Modules that the bundle doesn't contain: vite builds the page, which the package contains; the others are optional. */
const external = ['vite', /^vite\//, 'cpu-features', /\.node$/];

/** `new URL('./helper.ts', import.meta.url)` names a program that runs in another process, or a data file. */
const besideModule = /new URL\(\s*'(?<path>\.{1,2}\/[^']+)',\s*import\.meta\.url,?\s*\)/g;

/** Emits the files that modules name relative to themselves, as entries of the bundle or as assets. */
const filesBesideModules: Rolldown.Plugin = {
  name: 'podscope-files-beside-modules',
  async transform(code, id) {
    if (!id.startsWith(repositoryRoot) || id.includes('/node_modules/') || !code.includes('import.meta.url'))
      return null;
    const emitted = new Map<string, string>();
    for (const { groups } of code.matchAll(besideModule)) {
      const path = groups?.['path'] ?? '';
      const file = resolve(dirname(id), path);
      emitted.set(
        path,
        file.endsWith('.ts')
          ? this.emitFile({ type: 'chunk', id: file })
          : this.emitFile({ type: 'asset', name: file.slice(file.lastIndexOf('/') + 1), source: await readFile(file) }),
      );
    }
    if (emitted.size === 0) return null;
    return code.replaceAll(
      besideModule,
      (_, path: string) => `new URL(import.meta.ROLLUP_FILE_URL_${emitted.get(path)})`,
    );
  },
};

/** A bundle: the paths of its files below `dist`, and the directories of the npm packages it contains. */
export interface Bundle {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

/** `…/node_modules/ws/lib/websocket.js` → `…/node_modules/ws`. */
function packageOf(module: string): string | undefined {
  return /^(?<directory>.*\/node_modules\/(?:@[^/]+\/)?[^/@][^/]*)\//.exec(module.replace(/^\0/, ''))?.groups?.[
    'directory'
  ];
}

/**
 * Writes the bundle. Modules that a program loads later become files of their own.
 * @param directory where the files go; created if needed
 */
export async function bundle(directory: string): Promise<Bundle> {
  const result = await build({
    root: repositoryRoot,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: {
      podscopeIsPackaged: 'true',
      // CommonJS modules in the bundle.
      __dirname: 'import.meta.dirname',
      __filename: 'import.meta.filename',
    },
    plugins: [filesBesideModules],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir: directory,
      emptyOutDir: true,
      target: 'node22',
      minify: true,
      sourcemap: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(repositoryRoot, path)])),
        external,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
          // Stack traces in bug reports keep the names of functions and classes.
          minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } } },
        },
      },
    },
  });
  if (!('output' in result)) throw new Error('the build returned no output');
  const modules = result.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const packages = new Set(modules.map(packageOf).filter((name) => name !== undefined));
  return { files: result.output.map(({ fileName }) => fileName), packages: [...packages].toSorted() };
}
