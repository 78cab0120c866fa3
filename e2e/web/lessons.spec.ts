/** Lessons, played through in the page: each scene is set, each question judged by what really happened. */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type Podscope, startPodscope } from '../support/podscope.ts';

/** A file for each. */
const lessons = readdirSync(resolve(import.meta.dirname, '../../packages/lessons/lessons/en'));

/** A lesson plays in many scenes, and each is drawn by the processor: a small page that does not animate takes half of it. */
test.use({ viewport: { width: 1280, height: 600 }, contextOptions: { reducedMotion: 'reduce' } });

let server: Podscope;
test.beforeAll(async () => {
  server = await startPodscope({ runtime: 'sim' });
});
test.afterAll(async () => {
  await server.stop();
});

const panelOf = (page: Page) => page.getByRole('complementary', { name: /^Lesson: / });

/** Steps of SyncPod that lessons have pointed at. */
const pointed = new Set<string>();

/** Does what the step asks for, stops at its breakpoint, and sees it judged. @returns true when it stopped */
async function takeStep(page: Page): Promise<boolean> {
  const panel = panelOf(page);
  const happen = panel.getByRole('button', { name: 'Let it happen' });
  const goOn = panel.getByRole('button', { name: 'Go on', exact: true });
  const over = page.locator('aside[data-phase="over"]');
  await expect(happen.or(over).first()).toBeVisible();
  await expect(panel.getByRole('alert')).toBeHidden();
  if (!(await happen.isVisible())) return false;
  const [first] = await panel.getByRole('radio').all();
  await first?.check();
  await happen.click();
  await expect(goOn.or(over).first()).toBeVisible();
  const stops = await goOn.isVisible();
  if (stops) {
    await expect(page.getByRole('toolbar', { name: 'Debugger' }).getByRole('status')).toContainText('before');
    await goOn.click();
  }
  await expect(over).toBeVisible();
  await expect(panel.getByRole('alert')).toBeHidden();
  for (const step of await page.locator('li[data-pointed]').allInnerTexts()) pointed.add(step);
  // One of them was right, whichever was chosen.
  if (first) await expect(panel.getByRole('status')).toContainText(/^(Right: that is what happened\.|Not quite\. What happened: )/);
  return stops;
}

test('plays each lesson from its first step to its last', async ({ page }) => {
  test.setTimeout(600_000);
  await page.goto(server.url);
  await expect(page.getByRole('status', { name: /^Connection/ })).toHaveAccessibleName(/Live/);
  const panel = panelOf(page);
  const starts = page.getByRole('dialog', { name: 'Lessons' }).getByRole('button', { name: /^(Begin|Go on with):/ });
  let stops = 0;
  for (const index of lessons.keys())
    await test.step(`lesson ${index + 1}`, async () => {
      await page.keyboard.press('h');
      await expect(starts).toHaveCount(lessons.length);
      await starts.nth(index).click();
      await expect(panel).toBeVisible();
      for (;;) {
        if (await takeStep(page)) stops++;
        const next = panel.getByRole('button', { name: 'Next' });
        if (!(await next.isVisible())) break;
        const title = await panel.getByRole('heading', { level: 2 }).textContent();
        await next.click();
        await expect(panel.getByRole('heading', { level: 2 })).not.toHaveText(title ?? '');
      }
      await panel.getByRole('button', { name: 'Finish' }).click();
      await expect(panel).toBeHidden();
    });
  expect(stops).toBeGreaterThan(0);
  expect([...pointed].join()).toContain('Resize running containers');
  await page.keyboard.press('h');
  await expect(starts.filter({ hasText: 'Completed' })).toHaveCount(lessons.length);
});

test('keeps how far one has come, opens a step by its link, and speaks Chinese', async ({ page }) => {
  await page.goto(`${server.url}&lesson=crash-loops&step=curve`);
  const panel = panelOf(page);
  await expect(panel.getByRole('heading', { name: 'The curve' })).toBeVisible();
  await expect(page.locator('[data-looked]')).not.toHaveCount(0);
  await takeStep(page);
  const found = await new AxeBuilder({ page }).include('aside').analyze();
  expect(found.violations).toEqual([]);
  await page.evaluate(() =>
    localStorage.setItem('podscope.preferences', JSON.stringify({ state: { language: 'zh-CN', lessonProgress: { 'crash-loops': ['curve'] } }, version: 1 })),
  );
  await page.reload();
  await expect(page.getByRole('complementary', { name: /^课程：|^课程: / })).toBeVisible();
  await page.keyboard.press('h');
  await expect(page.getByRole('dialog', { name: '课程' }).getByText(/已完成 1\/4 步/)).toBeVisible();
});
