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

const ownLesson = (scenario: string, option: string): string => `---
id: our-crash
title: Our crash
summary: How our service fails.
minutes: 2
---

## It ends {#it-ends}

\`\`\`scene
scenario: ${scenario}
at: 1
until: 4
look: timeline
options:
  - { happens: { type: runtimeStateChanged, name: app, to: exited } }
  - ${option}
\`\`\`

Our service is started.

? What becomes of it?

- [ ] It ends
- [ ] It goes on

It can't reach its database.
`;

test('opens a lesson that a teacher wrote, and says what is wrong with it, with its line', async ({ page }) => {
  await page.goto(server.url);
  await expect(page.getByRole('status', { name: /^Connection/ })).toHaveAccessibleName(/Live/);
  const never = '{ never: { type: runtimeStateChanged, name: app, to: exited } }';
  const drop = async (text: string): Promise<void> => {
    const dataTransfer = await page.evaluateHandle((content) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([content], 'our-crash.md', { type: 'text/markdown' }));
      return dropped;
    }, text);
    await page.dispatchEvent('body', 'drop', { dataTransfer });
  };
  await drop(ownLesson('crash-lop', never).replace('minutes: 2', 'minutes: long'));
  await expect(page.getByText(/^our-crash\.md:1: front matter: minutes: /)).toBeVisible();
  await drop(ownLesson('crash-lop', never));
  await expect(page.getByText('our-crash.md:10: step it-ends: there is no scenario crash-lop', { exact: true })).toBeVisible();

  // Both claims can't be true; a lesson whose claims are is told so, and not that the learner was wrong.
  const panel = panelOf(page);
  await drop(ownLesson('crash-loop', '{ happens: { type: runtimeStateChanged, name: app, to: running } }'));
  await expect(panel.getByRole('heading', { name: 'It ends' })).toBeVisible();
  await panel.getByRole('radio', { name: 'It ends' }).check();
  await panel.getByRole('button', { name: 'Let it happen' }).click();
  await expect(panel.getByRole('status')).toContainText('exactly one option’s claim has to hold');

  await page.keyboard.press('h');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog', { name: 'Lessons' }).getByRole('button', { name: 'Open a lesson of your own' }).click();
  await (await chooser).setFiles({ name: 'our-crash.md', mimeType: 'text/markdown', buffer: Buffer.from(ownLesson('crash-loop', never)) });
  await expect(page.locator('aside[data-phase="ready"]')).toBeVisible();
  await panel.getByRole('radio', { name: 'It ends' }).check();
  await panel.getByRole('button', { name: 'Let it happen' }).click();
  await expect(panel.getByRole('status')).toContainText('Right: that is what happened.');
  await expect(panel).toContainText("It can't reach its database.");
});
