/** Bundles the programs of Podscope with their dependencies into ES modules for Node. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { repositoryRoot } from '@podscope/server/repository';
import { build, type Plugin } from 'vite';

/** The programs of the package, by the name of their module in `dist`. */
export const programs: Readonly<Record<string, string>> = {
  podscope: 'apps/cli/src/main.ts',
  'kubectl-podscope': 'apps/cli/src/kubectl/main.ts',
  'kubectl_complete-podscope': 'apps/cli/src/kubectl/complete-main.ts',
};

/**
 * Modules that the bundle doesn't contain. vite isn't needed, because the package contains the built page; the other
 * modules are optional.
 */
const external = ['vite', /^vite\//, 'cpu-features', /\.node$/];

/** `new URL('./helper.ts', import.meta.url)` names a program that runs in another process, or a data file. */
const besideModule = /new URL\(\s*'(?<path>\.{1,2}\/[^']+)',\s*import\.meta\.url,?\s*\)/g;

/** All files of the bundle are in one directory. */
const emittedName = (path: string): string => basename(path).replace(/\.ts$/, '.js');

/** Emits the files that modules name relative to themselves, as entries of the bundle or as assets. */
const filesBesideModules: Plugin = {
  name: 'podscope-files-beside-modules',
  // Before types are removed, which rewrites the code.
  enforce: 'pre',
  async transform(code, id) {
    if (!id.startsWith(repositoryRoot) || id.includes('/node_modules/') || !code.includes('import.meta.url'))
      return null;
    const sources = await Promise.all(
      [...code.matchAll(besideModule)].map(async ({ groups }) => {
        const file = resolve(dirname(id), groups?.['path'] ?? '');
        return { file, source: file.endsWith('.ts') ? undefined : await readFile(file) };
      }),
    );
    for (const { file, source } of sources)
      if (source === undefined) this.emitFile({ type: 'chunk', id: file, fileName: emittedName(file) });
      else this.emitFile({ type: 'asset', fileName: emittedName(file), source });
    return code.replaceAll(besideModule, (_, path: string) => `new URL('./${emittedName(path)}', import.meta.url)`);
  },
};

/**
 * A client library calls `createZstdDecompress.bind` when it is loaded, and Node has that function only since 22.15. On
 * an older Node, the library doesn't request responses compressed with zstd.
 */
const optionalZstd: Plugin = {
  name: 'podscope-optional-zstd',
  transform: (code) =>
    code.includes('createZstdDecompress.bind(')
      ? code.replaceAll('createZstdDecompress.bind(', 'createZstdDecompress?.bind(')
      : null,
};

/**
 * Writes the bundle. Modules that a program loads later become separate files.
 * @param directory directory for the files; created if necessary
 * @returns the paths of all modules whose code the bundle contains
 */
export async function bundle(directory: string): Promise<readonly string[]> {
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
    plugins: [filesBesideModules, optionalZstd],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      ssrEmitAssets: true,
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
  return result.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
