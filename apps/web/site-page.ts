/**
 * The site's index.html, in an order that loads fast. Chromium does not look ahead in a page with a policy of its own:
 * files that a script needs are requested only when it runs. So all that the page needs is named before
 * the first of them.
 */

export interface SiteFiles {
  /** Digest of the build. */
  readonly version: string;
  /** Addresses of the files beside the page, with the digest of what they hold: `./theme.js?0123456789abcdef`. */
  readonly beside: readonly string[];
  /** Address of the script that starts the engine. */
  readonly engineStart: string;
}

const modulePreload = /\s*<link rel="modulepreload"[^>]*>/g;
const entryScript = /<script type="module" crossorigin src="([^"]+)">/;
const styleSheet = /<link rel="stylesheet" crossorigin href="([^"]+)">/g;
const firstScript = /[ \t]*<script /;

/** @throws Error when the page has no entry */
export function sitePage(html: string, { version, beside, engineStart }: SiteFiles): string {
  const [, entry] = entryScript.exec(html) ?? [];
  if (entry === undefined) throw new Error('index.html has no entry');
  const addressed = beside.reduce((text, file) => text.replaceAll(`"${file.replace(/\?.*/, '')}"`, `"${file}"`), html);
  const scripts = [...beside.filter((file) => file.includes('.js?') && addressed.includes(`"${file}"`)), engineStart];
  const preloads = [
    `<meta name="podscope-build" content="${version}" />`,
    ...scripts.map((file) => `<link rel="preload" as="script" href="${file}" />`),
    // Nothing is painted without them, so they come before the code.
    ...[...addressed.matchAll(styleSheet)].map(
      ([, file]) => `<link rel="preload" as="style" crossorigin href="${file}" />`,
    ),
    `<link rel="modulepreload" crossorigin href="${entry}" />`,
    ...(addressed.match(modulePreload) ?? []).map((link) => link.trim()),
  ];
  return addressed
    .replaceAll(modulePreload, '')
    .replace(entryScript, (script) => `<script src="${engineStart}"></script>\n    ${script}`)
    .replace(firstScript, (script) => `${preloads.map((link) => `    ${link}\n`).join('')}${script}`);
}

/**
 * Starts the engine before the page's own code is there, so that both load side by side; `local-node.ts` takes it over.
 * @param engine address of the worker's script
 */
export const engineStartScript = (
  engine: string,
): string => `/* Starts the engine while the page itself is still on its way. */
(() => {
  if (self.origin === 'null') return;
  const worker = new Worker(${JSON.stringify(engine)}, { type: 'module', name: 'podscope-engine' });
  self.podscopeEngine = worker;
  /* Lost on the way: the page starts another. */
  worker.addEventListener('error', () => {
    if (self.podscopeEngine === worker) delete self.podscopeEngine;
  });
})();
`;
