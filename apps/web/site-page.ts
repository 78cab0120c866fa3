/**
 * Writes the site's index.html so that it loads fast. In a page with its own content security policy, Chromium doesn't
 * look ahead for files: it requests files that a script needs only when the script runs. So the page lists all files
 * that it needs before its first script.
 */

export interface SiteFiles {
  /** Digest of the build. */
  readonly version: string;
  /** Addresses of the files next to the page, with a digest of their content: `./theme.js?0123456789abcdef`. */
  readonly beside: readonly string[];
  /** Address of the script that starts the engine. */
  readonly engineStart: string;
}

const modulePreload = /\s*<link rel="modulepreload"[^>]*>/g;
const entryScript = /<script type="module" crossorigin src="([^"]+)">/;
const styleSheet = /<link rel="stylesheet" crossorigin href="([^"]+)">/g;
const firstScript = /[ \t]*<script /;

/**
 * Returns the page.
 * @throws Error if `html` has no entry script
 */
export function sitePage(html: string, { version, beside, engineStart }: SiteFiles): string {
  const [, entry] = entryScript.exec(html) ?? [];
  if (entry === undefined) throw new Error('index.html has no entry');
  const addressed = beside.reduce((text, file) => text.replaceAll(`"${file.replace(/\?.*/, '')}"`, `"${file}"`), html);
  const scripts = [engineStart, ...beside.filter((file) => file.includes('.js?') && addressed.includes(`"${file}"`))];
  const preloads = [
    `<meta name="podscope-build" content="${version}" />`,
    ...scripts.map((file) => `<link rel="preload" as="script" href="${file}" />`),
    // The styles come before the code, because the browser paints nothing without them.
    ...[...addressed.matchAll(styleSheet)].map(
      ([, file]) => `<link rel="preload" as="style" crossorigin href="${file}" />`,
    ),
    `<link rel="modulepreload" crossorigin href="${entry}" />`,
    ...(addressed.match(modulePreload) ?? []).map((link) => link.trim()),
  ];
  return addressed.replaceAll(modulePreload, '').replace(
    firstScript,
    // The engine starts first: its worker can start only between two tasks of the page, and the page's code is one.
    (script) =>
      `${preloads.map((link) => `    ${link}\n`).join('')}    <script src="${engineStart}"></script>\n${script}`,
  );
}

/**
 * Starts the engine and the run of the address before the page's own code is loaded, so that both load in parallel.
 * `local-node.ts` then uses this engine.
 * @param engine address of the worker's script
 */
export const engineStartScript = (
  engine: string,
): string => `/* Starts the engine while the page itself is still on its way. */
(() => {
  if (self.origin === 'null') return;
  const worker = new Worker(${JSON.stringify(engine)}, { type: 'module', name: 'podscope-engine' });
  /* The run of a link with breakpoints starts after the page has set them. */
  const isStarted = !new URLSearchParams(location.search).has('break');
  const run = 'page-' + Date.now().toString(36) + '-0';
  const since = performance.timeOrigin;
  if (isStarted) worker.postMessage({ type: 'startAddressed', run, search: location.search, since });
  const engine = { worker, isStarted };
  self.podscopeEngine = engine;
  /* The worker failed, so the page starts another one. */
  worker.addEventListener('error', () => {
    if (self.podscopeEngine === engine) self.podscopeEngine = undefined;
  });
})();
`;
