/** Bundles programs of Podscope and their dependencies into ES modules for Node.js. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { repositoryRoot } from '@podscope/server/repository';
import { build, type Plugin } from 'vite';

/** The source files of the package's programs, by the name of the bundled module in `dist`. */
export const programs: Readonly<Record<string, string>> = {
  podscope: 'apps/cli/src/main.ts',
  'kubectl-podscope': 'apps/cli/src/kubectl/main.ts',
  'kubectl_complete-podscope': 'apps/cli/src/kubectl/complete-main.ts',
};

/**
 * Modules that the bundle doesn't contain. It needs no vite, because the package contains the built page. The other
 * modules are optional.
 */
const external = ['vite', /^vite\//, 'cpu-features', /\.node$/];

/**
 * Matches `new URL('./helper.ts', import.meta.url)`, which refers to a program for another process or to a data file.
 */
const besideModule = /new URL\(\s*'(?<path>\.{1,2}\/[^']+)',\s*import\.meta\.url,?\s*\)/g;

/** Returns the file name in the bundle, in which all files are in one directory. */
const emittedName = (path: string): string => basename(path).replace(/\.ts$/, '.js');

/** Adds to the bundle, as programs or as data files, the files to which modules refer by a relative path. */
const filesBesideModules: Plugin = {
  name: 'podscope-files-beside-modules',
  // Run before types are removed, because that rewrites the code.
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
 * A client library calls `createZstdDecompress.bind` when it is loaded, but Node.js has this function only since 22.15.
 * This plugin lets the library load on an older Node.js, where it doesn't request responses compressed with zstd.
 */
const optionalZstd: Plugin = {
  name: 'podscope-optional-zstd',
  transform: (code) =>
    code.includes('createZstdDecompress.bind(')
      ? code.replaceAll('createZstdDecompress.bind(', 'createZstdDecompress?.bind(')
      : null,
};

/**
 * Writes a bundle. Modules that a program loads later become separate files.
 * @param directory directory for the files; created if necessary
 * @param entries the source files of programs, by the name of the module; the package's programs if omitted
 * @returns the paths of all modules whose code the bundle contains
 */
export async function bundle(directory: string, entries = programs): Promise<readonly string[]> {
  const result = await build({
    root: repositoryRoot,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: {
      podscopeIsPackaged: 'true',
      // Replace the variables that CommonJS modules in the bundle use.
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
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(repositoryRoot, path)])),
        external,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
          // Keep the names of functions and classes, so that stack traces in bug reports contain them.
          minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } } },
        },
      },
    },
  });
  if (!('output' in result)) throw new Error('the build returned no output');
  return result.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
