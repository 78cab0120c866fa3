/**
 * Makes the pictures of the README and the docs: `pnpm screenshots`. Each picture shows a page without a server, with
 * virtual time and a fixed seed. So no container engine is needed, and the pictures change only when the page changes.
 * Arguments limit the run to the named pictures.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import config from './playwright.config.ts';
import type { PodscopePage } from './support/page/page.ts';
import { drawn, openForPictures } from './support/page/picture-page.ts';
import { buildSite, serveSite } from './support/page/static-site.ts';
import { stepTime } from './support/virtual-time.ts';

const folder = resolve(import.meta.dirname, '../docs/images');
/** The picture that chats and other sites show with a link to the static site. */
const sharePicture = resolve(import.meta.dirname, '../apps/web/share.png');

interface Situation {
  /** Name of the picture. */
  readonly name: string;
  /** The query of the page's address. */
  readonly query: string;
  /** Prepares the page for the picture. */
  readonly prepare: (app: PodscopePage) => Promise<void>;
  /** True to make a picture at 1024×768, too. */
  readonly small?: boolean;
}

/**
 * Returns a function that advances virtual time and then prepares the page, so that every picture of a situation shows
 * the same instant.
 */
const after =
  (seconds: number, prepare: (app: PodscopePage) => Promise<void> = async () => undefined) =>
  async (app: PodscopePage): Promise<void> => {
    await app.page.getByRole('listbox', { name: 'Pods' }).getByRole('option').first().waitFor();
    await stepTime(app.page, seconds * 1_000);
    await prepare(app);
  };

const stopped = async (app: PodscopePage): Promise<void> => {
  await app.tab('Steps');
  await app.page.getByRole('button', { name: /^Breakpoint before Start containers/ }).click();
  await stepTime(app.page, 30_000);
  const inspector = app.page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('heading', { name: 'Stopped before' }).waitFor();
  await inspector.getByRole('button', { name: 'podActions' }).click();
};

const crashLoop = '?scenario=crash-loop&seed=3&paused';

const situations: readonly Situation[] = [
  { name: 'happy-start', query: '?scenario=one-container&seed=3&paused', prepare: after(8) },
  { name: 'crash-loop', query: crashLoop, prepare: after(75), small: true },
  { name: 'image-pull', query: '?scenario=slow-pull&seed=3&paused', prepare: after(24) },
  { name: 'image-pull-failure', query: '?scenario=missing-image&seed=3&paused', prepare: after(40) },
  { name: 'probes', query: '?scenario=liveness-flapping&seed=3&paused', prepare: after(55) },
  { name: 'stopped', query: crashLoop, prepare: after(1, stopped), small: true },
  {
    name: 'code',
    query: crashLoop,
    prepare: after(1, async (app) => {
      await stopped(app);
      await (await app.tab('Code')).locator('.stopped-line').waitFor();
    }),
  },
  {
    name: 'why',
    query: crashLoop,
    prepare: after(75, async ({ page }) => page.getByRole('treeitem', { name: /^Step 1, Compute/ }).click()),
  },
  {
    name: 'time-travel',
    query: crashLoop,
    prepare: after(75, async ({ page }) => {
      const slider = page.getByRole('slider', { name: 'Position in time' });
      await slider.fill(String(Number(await slider.getAttribute('min')) + 2_600));
      await page.getByRole('button', { name: 'Back to live' }).waitFor();
    }),
  },
  {
    name: 'compare',
    query: crashLoop,
    prepare: after(75, async (app) => {
      const compare = await app.tab('Compare');
      await compare.getByRole('button', { name: /^Play it with/ }).click();
      await compare.getByText(/after the pod was created, in both runs/).waitFor({ timeout: 120_000 });
    }),
  },
  {
    name: 'presentation',
    query: crashLoop,
    prepare: after(75, async ({ page }) => page.keyboard.press('v')),
  },
  {
    name: 'scenarios',
    query: '?scenario=one-container&seed=3&paused',
    prepare: after(8, async ({ page }) => {
      await page.getByRole('button', { name: 'Scenarios' }).click();
      await page.getByRole('dialog', { name: 'Scenarios' }).getByRole('link').first().waitFor();
    }),
  },
];

/** Takes the picture for previews of links, in the size that the Open Graph protocol recommends. */
async function shared(browser: Browser, url: string): Promise<void> {
  const app = await openForPictures(browser, `${url}${crashLoop}`, { width: 1200, height: 720 });
  const { page } = app;
  await after(1, stopped)(app);
  await page.screenshot({ path: sharePicture, animations: 'disabled', clip: { x: 0, y: 0, width: 1200, height: 630 } });
  await page.close();
}

async function picture(
  browser: Browser,
  url: string,
  { name, query, prepare, small = false }: Situation,
): Promise<void> {
  const app = await openForPictures(browser, `${url}${query}`, { width: 1440, height: 900 });
  const { page } = app;
  await prepare(app);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height, suffix] of [
      [1440, 900, ''] as const,
      ...(small ? [[1024, 768, '-small'] as const] : []),
    ]) {
      await page.setViewportSize({ width, height });
      const fit = page.getByRole('button', { name: 'Fit all' });
      // Check for the button first, because it doesn't exist in presentation mode and a click would wait for it.
      if ((await fit.isVisible()) && (await fit.isEnabled()))
        await fit.click({ timeout: 2_000 }).catch(() => undefined);
      await drawn(app);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}${suffix}.png`), animations: 'disabled' });
    }
  }
  await page.close();
}

await mkdir(folder, { recursive: true });
const directory = await mkdtemp(join(tmpdir(), 'podscope-site-'));
await buildSite(directory);
const site = await serveSite(directory);
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const only = process.argv.slice(2);
  for (const situation of situations)
    if (only.length === 0 || only.includes(situation.name)) await picture(browser, site.url, situation);
  if (only.length === 0 || only.includes('share')) await shared(browser, site.url);
} finally {
  await browser.close();
  await site.stop();
  await rm(directory, { recursive: true, force: true });
}
