/**
 * Makes the pictures of README and docs afresh: `pnpm screenshots`. Every situation on the page that runs alone, on virtual time and a fixed
 * seed, so that no engine is needed and the pictures only change when the page does.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import config from './playwright.config.ts';
import { PodscopePage } from './support/page.ts';
import { buildSite, serveSite } from './support/static-site.ts';

const folder = resolve(import.meta.dirname, '../docs/images');

interface Situation {
  /** Name of the picture. */
  readonly name: string;
  /** The address's query. */
  readonly query: string;
  /** Brings the page to where it is to be pictured. */
  readonly prepare: (app: PodscopePage) => Promise<void>;
  /** Also at 1024×768. */
  readonly small?: boolean;
}

const paused = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Pause time' }).click();
  await page.getByRole('button', { name: 'Let time pass' }).waitFor();
};

const crashing = async (app: PodscopePage): Promise<void> => {
  await app.page
    .getByText(/next try in \d/)
    .first()
    .waitFor();
  await app.page.getByText('2 restarts').first().waitFor();
  await paused(app.page);
};

const stopped = async (app: PodscopePage): Promise<void> => {
  await app.tab('Steps');
  await app.page.getByRole('button', { name: /^Breakpoint before Start containers/ }).click();
  const inspector = app.page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('heading', { name: 'Stopped before' }).waitFor();
  await inspector.getByRole('button', { name: 'podActions' }).click();
};

const situations: readonly Situation[] = [
  {
    name: 'happy-start',
    query: '?scenario=one-container&seed=3',
    prepare: async ({ page }) => {
      await page.getByText('1/1 ready').first().waitFor();
      await paused(page);
    },
  },
  { name: 'crash-loop', query: '?scenario=crash-loop&seed=3&speed=5', prepare: crashing, small: true },
  {
    name: 'image-pull-failure',
    query: '?scenario=missing-image&seed=3&speed=2',
    prepare: async ({ page }) => {
      await page.getByText('ImagePullBackOff').first().waitFor();
      await paused(page);
    },
  },
  { name: 'stopped', query: '?scenario=crash-loop&seed=3&speed=2', prepare: stopped, small: true },
  {
    name: 'code',
    query: '?scenario=crash-loop&seed=3&speed=2',
    prepare: async (app) => {
      await stopped(app);
      await (await app.tab('Code')).locator('.stopped-line').waitFor();
    },
  },
  {
    name: 'why',
    query: '?scenario=crash-loop&seed=3&speed=5',
    prepare: async (app) => {
      await crashing(app);
      await app.page.getByRole('button', { name: /^Step 1, Compute/ }).click();
    },
  },
  {
    name: 'time-travel',
    query: '?scenario=crash-loop&seed=3&speed=5',
    prepare: async (app) => {
      await crashing(app);
      const slider = app.page.getByRole('slider', { name: 'Instant in view' });
      const start = Number(await slider.getAttribute('min'));
      await slider.fill(String(start + 2_600));
      await app.page.getByRole('button', { name: 'Back to live' }).waitFor();
    },
  },
  {
    name: 'compare',
    query: '?scenario=crash-loop&seed=3&speed=5',
    prepare: async (app) => {
      await crashing(app);
      const compare = await app.tab('Compare');
      await compare.getByRole('button', { name: /^Play it as/ }).click();
      await compare.getByText(/^This run and/).waitFor({ timeout: 60_000 });
    },
  },
  {
    name: 'scenarios',
    query: '?scenario=one-container&seed=3',
    prepare: async ({ page }) => {
      await page.getByRole('button', { name: 'Scenarios' }).click();
      await page.getByRole('dialog', { name: 'Scenarios' }).getByRole('link').first().waitFor();
    },
  },
];

async function picture(browser: Browser, url: string, { name, query, prepare, small = false }: Situation): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const app = new PodscopePage(page);
  await app.open(`${url}${query}`);
  await prepare(app);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height, suffix] of [[1440, 900, ''] as const, ...(small ? [[1024, 768, '-small'] as const] : [])]) {
      await page.setViewportSize({ width, height });
      const fit = page.getByRole('button', { name: 'Fit everything' });
      if (await fit.isEnabled().catch(() => false)) await fit.click({ timeout: 2_000 }).catch(() => undefined);
      // Two frames: the layout settles in the first, the timeline draws in the second.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
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
  for (const situation of situations) await picture(browser, site.url, situation);
} finally {
  await browser.close();
  await site.stop();
  await rm(directory, { recursive: true, force: true });
}
