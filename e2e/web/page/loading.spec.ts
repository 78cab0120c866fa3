/** Tests a page whose files the browser fails to load, as Chromium does when the machine's network changes. */
import { expect, type Page, test } from '@playwright/test';
import { PodscopePage } from '../../support/page/page.ts';
import { sharedServer } from '../../support/shared-server.ts';

const podscope = sharedServer({ runtime: 'sim' });

/**
 * Makes the first request for each file that matches the pattern fail. Resolves to a set, which receives the names of
 * the files that failed. Call it before the page opens, because Chromium may not intercept the next requests of an open
 * page.
 * @param isDue whether requests fail already
 */
async function loseOnce(page: Page, pattern: string, isDue = () => true): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  await page.route(pattern, async (route) => {
    const url = route.request().url();
    if (!isDue() || lost.has(url)) return route.fallback();
    lost.add(url);
    return route.abort('failed');
  });
  return lost;
}

test('loads its styles at another attempt', async ({ page }) => {
  const lost = await loseOnce(page, '**/assets/index-*.css');
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  expect(lost.size).toBeGreaterThan(0);
  await expect
    .poll(() => page.evaluate(() => [...document.styleSheets].some(({ href }) => href?.includes('/index-'))))
    .toBe(true);
});

test('loads the monospaced font before a pod needs it', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  await expect.poll(() => page.evaluate(() => document.fonts.check('1em "JetBrains Mono Variable"'))).toBe(true);
});

test('keeps running when a part that it loads ahead fails to load, and loads it again', async ({ page }) => {
  const lost = await loseOnce(page, '**/assets/ahead-*.js');
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  await page.evaluate(() => Reflect.set(globalThis, 'isFirstPage', true));
  await expect.poll(() => lost.size).toBe(1);
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isFirstPage') as unknown)).toBe(true);
});

test('starts although its code failed to load, and opens the editor although its code failed to load', async ({
  page,
}) => {
  const start = await loseOnce(page, '**/assets/index-*.js');
  const later = await loseOnce(page, '**/assets/NewPodDialog-*.js');
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  expect(start.size).toBe(1);
  await page.getByRole('button', { name: 'New pod' }).first().click();
  await expect(app.dialog).toBeVisible();
  expect(later.size).toBe(1);
});

test('opens a dialog without a reload although each of its scripts and style sheets failed to load once', async ({
  page,
}) => {
  let isOpen = false;
  const lost = await loseOnce(page, '**/assets/*', () => isOpen);
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => Reflect.set(globalThis, 'isFirstPage', true));
  isOpen = true;
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog', { name: 'Breakpoints' });
  await expect(dialog.getByRole('button', { name: 'Add breakpoint' })).toBeVisible();
  expect([...lost].map((url) => url.split('.').at(-1))).toEqual(expect.arrayContaining(['js', 'css']));
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isFirstPage') as unknown)).toBe(true);
});
