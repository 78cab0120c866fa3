/** Makes each dynamic import of the page retry: see `src/base/load-again.ts`. */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Vite's module with the function that calls each dynamic import. */
const helper = /^\0vite\/preload-helper\.js$/;
const exported = 'export const __vitePreload =';

/**
 * Returns the plugin.
 * @throws Error in the build, if Vite's function for dynamic imports has another form
 */
export function retryPlugin(): Plugin {
  return {
    name: 'podscope-retry',
    apply: 'build',
    transform: {
      filter: { id: helper },
      handler(code) {
        if (!code.includes(exported)) this.error(`Vite's preload helper has no "${exported}": adapt retry-plugin.ts.`);
        const source = fileURLToPath(new URL('src/base/load-again.ts', import.meta.url));
        // Vite remembers a failed style sheet, so further attempts only import. load-again.js repeats the style sheet.
        return [
          `import { loadAgain } from ${JSON.stringify(source)};`,
          code.replace(exported, 'const preloadAndImport ='),
          'export const __vitePreload = (load, ...preloads) =>',
          '  loadAgain(() => preloadAndImport(load, ...preloads), load);',
        ].join('\n');
      },
    },
  };
}
