/** Builds the page into `dist/`, which the server serves. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import manifest from '../../package.json' with { type: 'json' };
import { descriptionsPlugin } from './descriptions-plugin.ts';
import { firstLoad } from './first-load-plugin.ts';
import { jsonSchemaPlugin } from './json-schema-plugin.ts';
import { languagesPlugin } from './languages-plugin.ts';
import { lessonsPlugin } from './lessons-plugin.ts';
import { messagesPlugin } from './messages-plugin.ts';
import { retryPlugin } from './retry-plugin.ts';
import { scenariosPlugin } from './scenarios-plugin.ts';
import { sitePlugin } from './site-plugin.ts';

const loadedFirst = firstLoad();

/** The modules that `src/shell/app/load-ahead.ts` loads. */
const loadedAhead =
  /features\/(?:debug\/stop\/StopDetails|inspector\/Inspector|steps\/Step(?:sTab|Tree)|why\/Causes)\.tsx$/;

export default defineConfig({
  plugins: [
    react(),
    languagesPlugin(),
    descriptionsPlugin(),
    lessonsPlugin(),
    messagesPlugin(),
    jsonSchemaPlugin(),
    loadedFirst.plugin,
    retryPlugin(),
    sitePlugin(),
  ],
  worker: {
    format: 'es',
    plugins: () => [languagesPlugin(), scenariosPlugin(), descriptionsPlugin(), jsonSchemaPlugin()],
  },
  define: { podscopeVersion: JSON.stringify(manifest.version), podscopeHasDocs: 'false' },
  build: {
    target: 'es2023',
    modulePreload: {
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'js' ? loadedFirst.rest(dependencies) : dependencies,
    },
    // Keep fonts and images as separate files: the content security policy doesn't allow `data:` URLs for them.
    assetsInlineLimit: 0,
    sourcemap: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Put the modules that every first load needs into one chunk. It loads and compresses better than twenty.
            { name: 'page', tags: ['$initial'] },
            // Likewise for the parts that `load-ahead.ts` loads.
            { name: 'ahead', test: loadedAhead, includeDependenciesRecursively: true },
          ],
          includeDependenciesRecursively: false,
        },
      },
    },
    chunkSizeWarningLimit: 800,
  },
});
