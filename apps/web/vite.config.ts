/** Builds the page into `dist/`, which the server serves. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import manifest from '../../package.json' with { type: 'json' };
import { messagesPlugin } from './messages-plugin.ts';
import { sitePlugin } from './site-plugin.ts';

export default defineConfig({
  plugins: [react(), messagesPlugin(), sitePlugin()],
  worker: { format: 'es' },
  define: { podscopeVersion: JSON.stringify(manifest.version) },
  build: {
    target: 'es2023',
    // Fonts and images stay files of their own: the content security policy has no data: for them.
    assetsInlineLimit: 0,
    sourcemap: true,
    chunkSizeWarningLimit: 800,
  },
});
