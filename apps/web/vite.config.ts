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
import { sitePlugin } from './site-plugin.ts';

/** Matches the modules that the first view loads in any case, in English. */
const firstModules = new RegExp(
  [
    `apps/web/src/(?!.*messages\\.zh-CN)(?:${[
      'node/(?:address|connection|debugger|points|pods|run|selection|travel|view)',
      'node/(?:standalone/(?:engine-messages|local-node)|syncs/(?:use-sync|sync-in))',
      'features/(?:editor/index|lessons/(?:lesson-store|open-lesson)|slow-motion/slow-motion-store)',
      'features/(?:debug|open-file|share|timeline)/messages\\.en',
      'base/(?:i18n/(?!zh-CN)|notices|preferences|theme|static-site|ui/(?:marks|messages\\.en|lazy-part))',
      'base/ui/(?:fields/(?:Button|SearchField|NativeSelect)|layout/EmptyState)',
      'base/ui/(?:tables/(?:use-|row-offsets)|text/format)',
    ].join('|')})`,
    'packages/base/src/(?:errors|go-duration|records)\\.ts',
    'packages/protocol/src/(?!.*\\.generated)',
    'packages/timeline/src/item-id\\.ts',
    `packages/trace/src/(?:${[
      'clock|event-schema|grpc-codes',
      'file/(?:exact-check|run-info)',
      'folds/(?:apply|attribute-values|describe-pod|run-fold|state)',
      'travel/(?:reverse|run-history)',
    ].join('|')})`,
  ].join('|'),
);

const loadedFirst = firstLoad();

export default defineConfig({
  plugins: [
    react(),
    languagesPlugin({ inEngine: false }),
    descriptionsPlugin(),
    lessonsPlugin(),
    messagesPlugin(),
    jsonSchemaPlugin(),
    loadedFirst.plugin,
    sitePlugin(),
  ],
  worker: {
    format: 'es',
    plugins: () => [languagesPlugin({ inEngine: true }), descriptionsPlugin(), jsonSchemaPlugin()],
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
          // Put these modules, which every first load needs, into one chunk. It compresses better than fifty chunks.
          groups: [{ name: 'page', test: firstModules }],
          includeDependenciesRecursively: false,
        },
      },
    },
    chunkSizeWarningLimit: 800,
  },
});
