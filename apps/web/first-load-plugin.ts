/**
 * Collects the chunks that index.html loads. The preload lists of dynamic imports then omit these chunks, because they
 * are already loaded.
 */
import type { Plugin } from 'vite';

export interface FirstLoad {
  readonly plugin: Plugin;
  /** Returns the dependencies that index.html doesn't load. Used for `build.modulePreload.resolveDependencies`. */
  readonly rest: (dependencies: readonly string[]) => string[];
}

/** Returns the plugin that collects the chunks, and the filter that removes these chunks from a list. */
export function firstLoad(): FirstLoad {
  const first = new Set<string>();
  const plugin: Plugin = {
    name: 'podscope-first-load',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        const visit = (file: string): void => {
          const chunk = bundle[file];
          if (first.has(file) || chunk?.type !== 'chunk') return;
          first.add(file);
          chunk.imports.forEach(visit);
        };
        for (const [file, chunk] of Object.entries(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) visit(file);
      },
    },
  };
  return { plugin, rest: (dependencies) => dependencies.filter((file) => !first.has(file)) };
}
