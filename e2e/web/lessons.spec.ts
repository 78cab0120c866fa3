/** Lessons, played through in the page: each scene is set, each question judged by what really happened. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type Podscope, startPodscope } from '../support/podscope.ts';

/** All lessons are played on Node by the tests of packages/lessons; what the page adds is the same for each. */
const lessons = ['crash-loops'];

let server: Podscope;
test.beforeAll(async () => {
  server = await startPodscope({ runtime: 'sim' });
});
test.afterAll(async () => {
  await server.stop();
});

const panelOf = (page: Page) => page.getByRole('complementary', { name: /^Lesson: / });

/** Does what the step asks for. */
async function takeStep(page: Page): Promise<void> {
  const panel = panelOf(page);
  await expect(panel.getByText('The scene is being set…')).toBeHidden();
  await expect(panel.getByRole('alert')).toBeHidden();
  const happen = panel.getByRole('button', { name: 'Let it happen' });
  if (!(await happen.isVisible())) return;
  const [first] = await panel.getByRole('radio').all();
  if (first) {
    await first.check();
    await happen.click();
    // One of them was right, whichever was chosen.
    await expect(panel.getByRole('status')).toContainText(/^(Right: that is what happened\.|Not quite\. What happened: )/);
  } else await happen.click();
}

test('plays lessons from its first step to its last', async ({ page }) => {
  test.setTimeout(240_000);
  for (const id of lessons) {
    await test.step(id, async () => {
      await page.goto(`${server.url}&lesson=${id}`);
      const panel = panelOf(page);
      await expect(panel).toBeVisible();
      for (;;) {
        await takeStep(page);
        const next = panel.getByRole('button', { name: 'Next' });
        if (!(await next.isVisible())) break;
        const title = await panel.getByRole('heading', { level: 2 }).textContent();
        await next.click();
        await expect(panel.getByRole('heading', { level: 2 })).not.toHaveText(title ?? '');
      }
      await panel.getByRole('button', { name: 'Finish' }).click();
      await expect(panel).toBeHidden();
    });
  }
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
