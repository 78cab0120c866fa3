/** Tests the presenter view, slow motion and high contrast, in a page with an engine of its own. */
import { expect, type Page, test } from '@playwright/test';
import { type ClassProcess, startClass } from '../../support/class.ts';
import { axe } from '../../support/page/axe.ts';

let started: ClassProcess;
test.beforeAll(async () => {
  started = await startClass(['--host', '127.0.0.1']);
});
test.afterAll(() => started.stop());

/** Runs a command of the palette. */
async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(name);
  await page.keyboard.press('Enter');
}

test('shows the notes and the next step in a window beside the presentation, and moves the lesson from there', async ({
  page,
  context,
}) => {
  await page.goto(`${started.origin}/?alone&present=yes&lesson=pod-start`);
  await expect(page.getByRole('complementary', { name: /^Lesson: / })).toBeVisible();
  const opening = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Presenter view' }).click();
  const presenter = await opening;
  await expect(presenter.getByRole('heading', { name: 'A pod appears' })).toBeVisible();
  await expect(presenter.getByRole('heading', { name: 'Next step' })).toBeVisible();
  await expect(presenter.getByRole('heading', { name: 'Explanation' })).toBeVisible();
  await presenter.getByRole('button', { name: 'Run it' }).click();
  // The step has a breakpoint.
  await presenter.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('[data-phase=over]')).toBeVisible();
  await presenter.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'The container' })).toBeVisible();
  await expect(presenter.getByRole('heading', { name: 'The container' })).toBeVisible();
  const { violations } = await axe(presenter).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

test('plays a sync in slow motion with a caption per step, and in high contrast', async ({ page }) => {
  await page.goto(`${started.origin}/?scenario=one-container&seed=3&speed=20`);
  await expect(page.getByText('1/1').first()).toBeVisible();
  await runCommand(page, 'slow motion');
  const bar = page.getByRole('region', { name: 'Slow motion' });
  await expect(bar).toContainText('One second takes 60 seconds');
  await bar.getByRole('button', { name: 'Pause' }).click();
  const caption = bar.getByRole('status');
  const first = await caption.innerText();
  const at = (): string | null => new URL(page.url()).searchParams.get('at');
  await expect.poll(at).not.toBeNull();
  const before = at();
  await bar.getByRole('button', { name: 'Next step' }).click();
  await expect(caption).not.toHaveText(first);
  await expect.poll(at).not.toBe(before);
  await bar.getByRole('button', { name: 'End slow motion' }).click();
  await expect(bar).toHaveCount(0);
  await expect.poll(at).toBeNull();
  await page.keyboard.press('o');
  await page.getByRole('radio', { name: 'High' }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('html[data-contrast]')).toHaveCount(1);
  const { violations } = await axe(page).withRules(['color-contrast', 'color-contrast-enhanced']).analyze();
  expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
});
