/**
 * Compares each view, in both themes, with the pictures in `e2e/snapshots`. The simulator, its seed, its clock and the
 * fonts are the page's own, so that the pictures are the same everywhere. After a change of looks: `npx -y pnpm@12
 * snapshots`.
 */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { PodscopePage } from '../../support/page/page.ts';
import { sharedSite } from '../../support/page/static-site.ts';
import { keepNodePort, stepTime } from '../../support/virtual-time.ts';

// Pictures take longer on a machine with other load.
test.use({ timezoneId: 'UTC', locale: 'en-US' });

const site = sharedSite();

/** A height at which all lanes of the timeline are in view, in pixels. */
const allLanes = 1_250;

/** Opens a scenario and advances it by virtual seconds. */
async function playing(page: Page, scenario: string, seconds: number, height = 760): Promise<PodscopePage> {
  await page.setViewportSize({ width: 1180, height });
  await keepNodePort(page);
  const app = new PodscopePage(page);
  await app.open(`${site().url}?scenario=${scenario}&seed=3&paused`);
  await page.getByRole('listbox', { name: 'Pods' }).getByRole('option').first().waitFor();
  await stepTime(page, seconds * 1_000);
  await page.evaluate(() => document.fonts.ready);
  return app;
}

/**
 * Compares the page, or a part of it, with its pictures, light and dark. The pointer is moved to a place where it has
 * no effect.
 */
async function looksAsKnown(page: Page, name: string, part?: Locator): Promise<void> {
  await page.mouse.move(0, 0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (part) await expect(part).toHaveScreenshot(`${name}-${colorScheme}.png`);
    else await expect(page).toHaveScreenshot(`${name}-${colorScheme}.png`);
  }
}

test('a crash loop: the page, and every tab', async ({ page }) => {
  const app = await playing(page, 'crash-loop', 60);
  await looksAsKnown(page, 'page');
  for (const name of ['Results', 'Events', 'Logs', 'Spec'] as const)
    await looksAsKnown(page, name.toLowerCase(), await app.tab(name));
  const code = await app.tab('Code');
  await code.locator('.cm-content').waitFor();
  await looksAsKnown(page, 'code', code);
});

test('a stop at a breakpoint with its variables', async ({ page }) => {
  const app = await playing(page, 'crash-loop', 1);
  await app.tab('Steps');
  await page.getByRole('button', { name: /^Breakpoint before Start containers/ }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  // The next sync comes after the container has exited.
  await stepTime(page, 30_000);
  await inspector.getByRole('heading', { name: 'Stopped before' }).waitFor();
  await looksAsKnown(page, 'stopped', inspector);
});

test('the timeline: probes, the table that says the same, folded time', async ({ page }) => {
  await playing(page, 'liveness-flapping', 40, allLanes);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await looksAsKnown(page, 'probes', timeline);
  await page.getByRole('button', { name: 'Fold idle time' }).click();
  await looksAsKnown(page, 'folded', timeline);
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('grid', { name: 'Timeline as table' }).waitFor();
  await looksAsKnown(page, 'table', timeline);
});

test('the timeline: an image on its way, layer by layer', async ({ page }) => {
  await playing(page, 'slow-pull', 12, allLanes);
  await looksAsKnown(page, 'pull', page.getByRole('region', { name: 'Timeline' }));
});

test('the first screen', async ({ page }) => {
  await page.setViewportSize({ width: 1180, height: 760 });
  await page.goto(site().url);
  await page.getByRole('heading', { name: 'See what the kubelet does with a pod' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  await looksAsKnown(page, 'start');
});

test('a crash loop: steps, metrics, all pods', async ({ page }) => {
  const app = await playing(page, 'crash-loop', 60);
  await looksAsKnown(page, 'steps', await app.tab('Steps'));
  await looksAsKnown(page, 'metrics', await app.tab('Metrics'));
  await page.getByRole('button', { name: 'All pods' }).click();
  await looksAsKnown(page, 'all-pods', page.getByRole('region', { name: 'Timeline' }));
});

test('the waterfall of a sync that pulls an image', async ({ page }) => {
  const app = await playing(page, 'slow-pull', 12);
  const steps = await app.tab('Steps');
  await steps.getByRole('radio', { name: 'Waterfall' }).click();
  await looksAsKnown(page, 'waterfall', steps);
});

for (const [name, button] of [
  ['lessons', 'Lessons'],
  ['scenarios', 'Scenarios'],
  ['explain', 'Explain'],
  ['runs', 'Runs'],
  ['faults', 'Faults'],
  ['settings', 'Settings'],
  ['shortcuts', 'Help'],
  ['new-pod', 'New pod'],
  ['breakpoints', 'Breakpoints'],
] as const)
  test(`the dialog ${name}`, async ({ page }) => {
    await playing(page, 'crash-loop', 60);
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expect(dialog.getByRole('status', { name: 'Loading…' })).toHaveCount(0);
    await looksAsKnown(page, name, dialog);
  });

test('a presentation', async ({ page }) => {
  await playing(page, 'crash-loop', 60);
  await page.keyboard.press('v');
  await page.getByRole('button', { name: 'Exit presentation mode' }).waitFor();
  await looksAsKnown(page, 'presentation');
});

test('both releases side by side', async ({ page }) => {
  const app = await playing(page, 'crash-loop', 60);
  const compare = await app.tab('Compare');
  await compare.getByRole('button', { name: /^Play it with/ }).click();
  await compare.getByText(/after the pod was created, in both runs/).waitFor({ timeout: 120_000 });
  await looksAsKnown(page, 'compare');
});
