/** Tests the documentation of the static site: search, links, appearance, reading without JavaScript. */
import { expect, type Page, test } from '@playwright/test';
import { axe } from '../../support/page/axe.ts';
import { complaints } from '../../support/page/complaints.ts';
import { serveSite, sharedSite } from '../../support/page/static-site.ts';

const site = sharedSite();
const open = (page: Page, path: string) => page.goto(`${site().url}docs/${path}`);

test('finds a section by its words, and opens it with the keyboard', async ({ page }) => {
  const problems = complaints(page);
  await open(page, 'use/interface.html');
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'Search the documentation' });
  await expect(field).toBeFocused();
  await field.fill('restartSync abort');
  const result = page.getByRole('link', { name: /^Debugging .*Pausing and stepping/ });
  await expect(result).toBeVisible();
  await field.press('ArrowDown');
  await expect(page.locator('#results a').first()).toBeFocused();
  await result.press('Enter');
  await expect(page).toHaveURL(/\/school\/podscope\/docs\/use\/debugging\.html#pausing-and-stepping$/);
  await expect(page.getByRole('heading', { name: 'Pausing and stepping' })).toBeInViewport();

  await field.fill('zzzzzz');
  await expect(page.getByText('No page has these words.')).toBeVisible();
  await field.press('Escape');
  await expect(page.locator('#results')).toBeHidden();
  expect(problems()).toEqual([]);
});

test('links from page to page, and to the page with its engine', async ({ page }) => {
  await open(page, 'index.html');
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Starting' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Starting' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'The page', exact: true }).first().click();
  await expect(page).toHaveURL(/docs\/use\/interface\.html$/);
  await expect(page.getByRole('link', { name: 'Open the page' })).toHaveAttribute('href', '../../');
  // The address of the repository isn't known.
  await expect(page.getByRole('link', { name: 'Source of this page' })).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`has no accessibility violation and fits a phone, ${colorScheme}`, async ({ page }) => {
    const problems = complaints(page);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ['use/debugging.html', 'develop/adding-a-step.html', 'learn/index.html']) {
      await open(page, path);
      await expect(page.getByRole('searchbox')).toBeVisible();
      expect((await axe(page).analyze()).violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    }
    await page.getByRole('searchbox').fill('lesson');
    await expect(page.locator('#results a').first()).toBeVisible();
    expect((await axe(page).analyze()).violations).toEqual([]);
    expect(problems()).toEqual([]);
  });

test('can be read without JavaScript', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await open(page, 'learn/lessons.html');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Classroom' }).click();
  await expect(page).toHaveURL(/docs\/learn\/classroom\.html$/);
  await context.close();
});

test('is linked from the keyboard shortcuts of the page', async ({ page }) => {
  await page.goto(`${site().url}?scenario=one-container&paused`);
  await page.getByRole('button', { name: 'New pod' }).waitFor();
  await page.keyboard.press('?');
  const link = page.getByRole('dialog').getByRole('link', { name: 'Documentation' });
  await expect(link).toHaveAttribute('href', 'docs/index.html');
});

test.describe('with the service worker of the page', () => {
  test.use({ serviceWorkers: 'allow' });

  test('can be read and searched offline after a visit', async ({ page }) => {
    const own = await serveSite(site().directory);
    await page.goto(own.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.goto(`${own.url}docs/index.html`);
    await page.waitForFunction(() => sessionStorage.getItem('podscope.docs.kept') === 'yes', undefined, {
      timeout: 120_000,
    });
    await own.stop();

    await page.goto(`${own.url}docs/use/interface.html`);
    await expect(page.getByRole('heading', { level: 1, name: 'The page' })).toBeVisible();
    await page.getByRole('searchbox').fill('restartSync abort');
    await page.getByRole('link', { name: /^Debugging .*Pausing and stepping/ }).click();
    await expect(page.getByRole('heading', { name: 'Pausing and stepping' })).toBeInViewport();
  });
});
