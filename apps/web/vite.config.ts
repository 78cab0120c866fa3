/** Builds the page into `dist/`, which the server serves. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import manifest from '../../package.json' with { type: 'json' };
import { descriptionsPlugin } from './descriptions-plugin.ts';
import { firstLoad } from './first-load-plugin.ts';
import { jsonSchemaPlugin } from './json-schema-plugin.ts';
import { languagesPlugin } from './languages-plugin.ts';
import { messagesPlugin } from './messages-plugin.ts';
import { sitePlugin } from './site-plugin.ts';

/** Modules that the first view loads anyway, in English. */
const firstModules = new RegExp(
  `apps/web/src/(?!.*messages\\.zh-CN)(?:${[
    'node/(?:address|connection|debugger|points|pods|run|selection|syncs/(?:use-sync|sync-in)|travel|view)',
    'features/(?:editor/index|lessons/(?:lesson-store|open-lesson)|slow-motion/slow-motion-store)',
    'base/(?:i18n/(?!zh-CN)|notices|preferences|theme|ui/(?:marks|messages\\.en))',
    'base/ui/(?:fields/(?:Button|SearchField|NativeSelect)|layout/EmptyState|tables/use-|text/format)',
  ].join('|')})`,
);

const loadedFirst = firstLoad();

export default defineConfig({
  plugins: [
    react(),
    languagesPlugin({ inEngine: false }),
    descriptionsPlugin(),
    messagesPlugin(),
    jsonSchemaPlugin(),
    loadedFirst.plugin,
    sitePlugin(),
  ],
  worker: {
    format: 'es',
    plugins: () => [languagesPlugin({ inEngine: true }), descriptionsPlugin(), jsonSchemaPlugin()],
  },
  define: { podscopeVersion: JSON.stringify(manifest.version) },
  build: {
    target: 'es2023',
    modulePreload: {
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'js' ? loadedFirst.rest(dependencies) : dependencies,
    },
    // Fonts and images stay files of their own: the content security policy has no data: for them.
    assetsInlineLimit: 0,
    sourcemap: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Every first load needs these modules. In one chunk they compress better than in fifty.
          groups: [{ name: 'page', test: firstModules }],
          includeDependenciesRecursively: false,
        },
      },
    },
    chunkSizeWarningLimit: 800,
  },
});
