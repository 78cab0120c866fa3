/** Tests the lesson editor on the static site: records a lesson, and plays the saved file in a new browser profile. */
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { complaints } from '../../support/page/complaints.ts';
import { PodscopePage, podManifest } from '../../support/page/page.ts';
import { sharedSite } from '../../support/page/static-site.ts';

const site = sharedSite();

/** The page's commands for scripts. The node is paused, so nothing depends on real time. */
interface Handle {
  command(command: object): Promise<unknown>;
  step(milliseconds: number): Promise<unknown>;
}
const onNode = (page: Page, how: 'command' | 'step', given: object | number): Promise<unknown> =>
  page.evaluate(
    async ([name, value]) => {
      const { podscope } = globalThis as unknown as { podscope: Handle };
      return name === 'step' ? podscope.step(Number(value)) : podscope.command(value as object);
    },
    [how, given] as const,
  );

async function fillStep(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  const form = page.getByRole('region', { name: 'Step of the lesson' });
  for (const [label, text] of Object.entries(texts)) await form.getByLabel(label, { exact: true }).fill(text);
}

test('records a lesson whose saved file plays in a fresh profile', async ({ page, browser }) => {
  const found = complaints(page);
  await new PodscopePage(page).open(site().url);
  await page.getByRole('button', { name: 'Lessons' }).first().click();
  await page.getByRole('button', { name: 'Write a lesson' }).click();
  const editor = page.getByRole('dialog', { name: 'Lesson editor' });
  await editor.getByRole('button', { name: 'Record' }).click();
  const bar = page.getByRole('region', { name: 'Recording a lesson' });
  await expect(bar).toContainText('no moment yet');

  await onNode(page, 'command', { command: 'apply', manifest: podManifest('crash', 'sleep 2; exit 3') });
  await onNode(page, 'step', 1_500);
  await bar.getByRole('button', { name: 'Mark this moment' }).click();
  await onNode(page, 'step', 4_000);
  await bar.getByRole('button', { name: 'Mark this moment' }).click();
  await expect(bar).toContainText('2 moments · last at 5.5 s');
  await bar.getByRole('button', { name: 'Finish recording' }).click();

  await editor.getByLabel('Title, English').first().fill('A crash');
  await editor.getByLabel('Summary, English').fill('A process ends.');
  await editor.getByLabel('Title, Chinese').first().fill('一次崩溃');
  await editor.getByLabel('Summary, Chinese').fill('一个进程结束了。');
  await fillStep(page, {
    'Title of the step, English': 'It runs',
    'Text (Markdown), English': 'The container **runs**.',
    'Title of the step, Chinese': '它在运行',
    'Text (Markdown), Chinese': '容器**正在运行**。',
    'Question, English': 'With which code does it exit?',
    'Question, Chinese': '它以什么退出码退出？',
    'Text after the answer, English': 'The script says so.',
    'Text after the answer, Chinese': '脚本就是这样写的。',
  });
  await expect(editor.getByRole('group', { name: 'Preview, English' }).locator('strong')).toHaveText('runs');

  const options = editor.getByRole('region', { name: 'Options of the question' });
  for (const [index, [code, english, chinese]] of [
    ['3', 'Code 3', '退出码 3'],
    ['4', 'Code 4', '退出码 4'],
  ].entries()) {
    await options.getByRole('button', { name: 'Add an option' }).click();
    const option = options.getByRole('group', { name: `Option ${index + 1}` });
    await option.getByLabel('Option text (English)').fill(english ?? '');
    await option.getByLabel('Option text (Chinese)').fill(chinese ?? '');
    const claim = `{ happens: { type: runtimeStateChanged, name: app, to: exited, exitCode: ${code} } }`;
    await option.getByLabel('Claim: right if this holds in the run').fill(claim);
    await expect(option.getByRole('status')).toHaveText(
      code === '3' ? 'Holds in the run: this option is right.' : 'Doesn’t hold in the run.',
    );
  }
  await editor.getByRole('button', { name: '2. step-2' }).click();
  await fillStep(page, {
    'Title of the step, English': 'It restarts',
    'Text (Markdown), English': 'The kubelet starts it again.',
    'Title of the step, Chinese': '它重新启动',
    'Text (Markdown), Chinese': 'kubelet 再次启动它。',
  });
  await editor.getByRole('button', { name: '1. It runs' }).click();
  const wrong = options.getByRole('group', { name: 'Option 2' });
  // A wrong option needs a remark, so the editor reports an error with file and line.
  const problems = editor.getByRole('region', { name: 'Problems' });
  await expect(problems).toContainText(
    /my-lesson\.md:\d+: step step-1: option 2 is wrong in the run and needs a remark/,
  );
  await wrong.getByLabel('Remark for learners who choose it (English)').fill('Look at the script.');
  await wrong.getByLabel('Remark for learners who choose it (Chinese)').fill('请看脚本。');
  await expect(problems).toHaveText('The lesson has no problems.');
  const download = page.waitForEvent('download');
  await editor.getByRole('button', { name: 'Save the lesson' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('my-lesson.md');
  const buffer = await readFile(await saved.path());

  // An exercise uses the recorded run as its scenario, so the learner repairs the manifest of that recording.
  await editor.getByRole('button', { name: 'Add an exercise' }).click();
  const goal = editor.getByRole('group', { name: 'Goal 1' }).getByRole('status');
  await expect(goal).toHaveText('The solution doesn’t meet it. The unchanged manifest doesn’t meet it.');
  await editor.getByLabel('Solution: a manifest that meets all goals').fill(podManifest('crash', 'sleep 3600'));
  await expect(goal).toHaveText('The solution meets it. The unchanged manifest doesn’t meet it.');
  expect(found()).toEqual([]);

  const fresh = await browser.newContext();
  try {
    const other = await fresh.newPage();
    await new PodscopePage(other).open(site().url);
    await other.getByRole('button', { name: 'Lessons' }).first().click();
    const chooser = other.waitForEvent('filechooser');
    await other.getByRole('button', { name: 'Open your own lesson' }).click();
    await (await chooser).setFiles({ name: 'my-lesson.md', mimeType: 'text/markdown', buffer });
    const panel = other.getByRole('complementary', { name: 'Lesson: A crash' });
    await panel.getByRole('radio', { name: 'Code 3' }).check();
    await panel.getByRole('button', { name: 'Run it' }).click();
    await expect(panel.getByRole('status')).toContainText('Right: that is what happened.');
    await panel.getByRole('button', { name: 'Next' }).click();
    await expect(panel.getByRole('heading', { name: 'It restarts' })).toBeVisible();
    await expect(other.getByRole('option', { name: /crash/ }).first()).toBeVisible();
  } finally {
    await fresh.close();
  }
});
