/**
 * What makes the built page stand alone: a service worker that keeps every file of the build for offline use, and a content security
 * policy in the page itself, since a plain file host sends none.
 */
import { createHash } from 'node:crypto';
import { contentSecurityPolicy } from '@podscope/protocol';
import type { Plugin } from 'vite';

/** As strict as the server's; framing can't be forbidden from within a page, and the embed mode wants it. */
const policy = contentSecurityPolicy.join('; ');

/** The worker's script. Files have their hash in their name, so that the kept one is always right; the page itself is asked for anew when there is a net. */
const serviceWorker = (version: string, files: readonly string[]): string => `/* Keeps Podscope for offline use. */
const cacheName = ${JSON.stringify(`podscope-${version}`)};
const files = ${JSON.stringify(['./', ...files])};

/* A file lost on the way is asked for again: without it none would be kept. */
const keep = async (cache, file) => {
  for (let tries = 1; ; tries++) {
    try {
      return await cache.add(file);
    } catch (error) {
      if (tries === 6) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** tries));
    }
  }
};

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => Promise.all(files.map((file) => keep(cache, file))))
      .then(() => skipWaiting()),
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith('podscope-') && name !== cacheName).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match('./', { cacheName, ignoreSearch: true }).then((kept) => kept ?? Response.error())));
    return;
  }
  event.respondWith(caches.match(request, { cacheName, ignoreSearch: true }).then((kept) => kept ?? fetch(request)));
});
`;

export function sitePlugin(): Plugin {
  return {
    name: 'podscope-site',
    apply: (_config, { mode }) => mode === 'site',
    transformIndexHtml: {
      order: 'pre',
      handler: () => [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' }],
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.keys(bundle)
          .filter((file) => !file.endsWith('.map') && file !== 'index.html')
          .map((file) => `./${file}`)
          .toSorted();
        const kept = [...files, './own-origin.js', './load-again.js', './theme.js', './favicon.svg'];
        const version = createHash('sha256').update(kept.join('\n')).digest('hex').slice(0, 16);
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: serviceWorker(version, kept) });
      },
    },
  };
}
