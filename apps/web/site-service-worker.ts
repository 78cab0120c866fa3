/**
 * Implements the site's service worker. The addresses of all files except the page contain a digest of the content, so
 * a cached file is always current. The page itself is requested again when the network is available, and is cached
 * together with the files of its build.
 */

/**
 * @param version digest of the build, which the page also contains
 * @param files addresses of all files except the page, relative to the page
 */
export const serviceWorkerScript = (
  version: string,
  files: readonly string[],
): string => `/* Keeps Podscope for offline use. */
const version = ${JSON.stringify(version)};
const files = ${JSON.stringify(files)};

/* An origin may serve more than one Podscope, each in its own folder. */
const ours = 'podscope ' + registration.scope + ' ';
const cacheName = ours + version;

/* Number of files loaded at once. A file that the user opens meanwhile must not wait behind hundreds of others. */
const atOnce = 4;
const timeout = 5_000; // ms to wait for the host before the cached page is served

/* A file that failed to load is requested again: one missing file would prevent caching all of them. */
const load = async (file, mode) => {
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(file, { cache: tries === 1 ? mode : 'reload' });
      if (!response.ok) throw new Error(file + ': ' + response.status);
      return response;
    } catch (error) {
      if (tries === 6) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** tries));
    }
  }
};

const keepAll = async () => {
  const cache = await caches.open(cacheName);
  // While a new build is copied to its host, its files may be from two builds: a page with such files isn't cached, and
  // the next visit tries again.
  const page = await load('./', 'reload');
  if (!(await page.clone().text()).includes(version)) throw new Error('the page is of another build');
  const rest = [...files];
  const keep = async () => {
    for (let file = rest.shift(); file !== undefined; file = rest.shift()) {
      /* An earlier build or the page itself may have loaded the file already: use that copy. */
      const known = await caches.match(file);
      await cache.put(file, known ?? (await load(file, 'force-cache')));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, keep));
  await cache.put('./', page);
  await skipWaiting();
};

/* Keeps the cache of the previous build, because its pages may still be open and request its files. */
const forgetOlder = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(ours) && name !== cacheName);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
};

const visit = async (request) => {
  const kept = await caches.match('./', { cacheName });
  const asked = fetch(request);
  if (!kept) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, timeout, kept));
  return Promise.race([asked.catch(() => kept), late]);
};

addEventListener('install', (event) => event.waitUntil(keepAll()));
addEventListener('activate', (event) => event.waitUntil(forgetOlder()));
/* The documentation isn't part of the build. Its opened pages are kept, and come from the host while it answers. */
const docs = new URL('docs/', registration.scope).pathname;
const docsName = 'podscope docs ' + registration.scope;

const readDocs = async (request) => {
  const cache = await caches.open(docsName);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
};

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  if (new URL(request.url).pathname.startsWith(docs)) {
    event.respondWith(readDocs(request));
    return;
  }
  if (request.mode === 'navigate') event.respondWith(visit(request));
  else event.respondWith(caches.match(request, { ignoreVary: true }).then((kept) => kept ?? fetch(request)));
});
`;
