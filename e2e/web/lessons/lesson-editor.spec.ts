/** Tests the lesson editor on the static site: records a lesson, and plays its saved files in a new browser profile. */
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from '@playwright/test';
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

/** A file as Playwright gives it to a file chooser. */
interface SavedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Presses a button of the editor that saves a file, and returns the file. */
async function saved(page: Page, button: string): Promise<SavedFile> {
  const download = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Lesson editor' }).getByRole('button', { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), mimeType: 'text/plain', buffer: await readFile(await file.path()) };
}

/** The texts of the page and of the recorded lesson in a language. */
const english = {
  lessons: 'Lessons',
  open: 'Open your own lesson',
  panel: 'Lesson: A crash',
  question: 'With which code does it exit?',
  right: 'Code 3',
  run: 'Run it',
  judged: 'Right: that is what happened.',
  explanation: 'The script says so.',
  next: 'Next',
  second: 'It restarts',
  third: 'Repair it',
  goal: 'The pod is Ready for 30 seconds',
  hint: 'Show a hint (1 left)',
  hinted: 'Read the command.',
  manifest: 'Manifest',
  apply: 'Apply and run 60 seconds',
  solved: 'Solved at the first attempt.',
  repaired: 'A process that runs keeps its container.',
  finish: 'Finish',
};
type Words = typeof english;
const chinese: Words = {
  lessons: '课程',
  open: '打开自己的课程',
  panel: '课程: 一次崩溃',
  question: '它以什么退出码退出？',
  right: '退出码 3',
  run: '运行',
  judged: '正确：实际就是这样。',
  explanation: '脚本就是这样写的。',
  next: '下一步',
  second: '它重新启动',
  third: '修复它',
  goal: 'Pod 就绪 30 秒',
  hint: '显示提示（还有 1 条）',
  hinted: '请看命令。',
  manifest: '清单',
  apply: '应用并运行 60 秒',
  solved: '第一次尝试就解决了。',
  repaired: '进程运行，容器就运行。',
  finish: '完成',
};

async function speakChinese(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('English');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
}

async function openLesson(page: Page, { lessons, open }: Words, files: SavedFile[]): Promise<void> {
  await page.keyboard.press('h');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog', { name: lessons }).getByRole('button', { name: open }).click();
  await (await chooser).setFiles(files);
}

/** Pastes a text into a field, in place of what is selected. */
const paste = (field: Locator, text: string): Promise<unknown> =>
  field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

/** Plays the open lesson from its first step to its last, and checks its texts. */
async function playLesson(page: Page, words: Words, solution: string): Promise<void> {
  const panel = page.getByRole('complementary', { name: words.panel });
  await expect(panel.getByText(words.question)).toBeVisible();
  await panel.getByRole('radio', { name: words.right }).check();
  await panel.getByRole('button', { name: words.run, exact: true }).click();
  await expect(panel.getByRole('status')).toContainText(words.judged);
  await expect(panel.getByRole('status')).toContainText(words.explanation);
  await panel.getByRole('button', { name: words.next, exact: true }).click();
  await expect(panel.getByRole('heading', { name: words.second })).toBeVisible();
  await expect(page.getByRole('option', { name: /crash/ }).first()).toBeVisible();
  await panel.getByRole('button', { name: words.next, exact: true }).click();
  await expect(panel.getByRole('heading', { name: words.third })).toBeVisible();
  await expect(panel.getByText(words.goal)).toBeVisible();
  await panel.getByRole('button', { name: words.hint }).click();
  await expect(panel.getByText(words.hinted)).toBeVisible();
  const manifest = panel.getByRole('textbox', { name: words.manifest });
  await expect(manifest).toContainText('exit 3');
  // `fill` replaces colored text in Chromium's own way, with inline styles that the page's policy blocks.
  await manifest.press('Control+a');
  await paste(manifest, solution);
  await panel.getByRole('button', { name: words.apply }).click();
  await expect(panel.getByRole('status')).toContainText(words.solved);
  await expect(panel.getByText(words.repaired)).toBeVisible();
  await panel.getByRole('button', { name: words.finish, exact: true }).click();
  await expect(panel).toBeHidden();
}

/** Drops a file on the page. */
async function drop(page: Page, { name, buffer }: SavedFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([file, text]) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([text], file));
      return dropped;
    },
    [name, buffer.toString()] as const,
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

test('records a lesson whose saved files play to the end in a fresh profile, in both languages', async ({
  page,
  browser,
}) => {
  test.setTimeout(3_600_000);
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

  // An exercise uses the recorded run as its scenario, so the learner repairs the manifest of that recording.
  await editor.getByRole('button', { name: 'Add an exercise' }).click();
  const goal = editor.getByRole('group', { name: 'Goal 1' }).getByRole('status');
  await expect(goal).toHaveText('The solution doesn’t meet it. The unchanged manifest doesn’t meet it.');
  const solution = podManifest('crash', 'sleep 3600');
  await editor.getByLabel('Solution: a manifest that meets all goals').fill(solution);
  await expect(goal).toHaveText('The solution meets it. The unchanged manifest doesn’t meet it.');
  await fillStep(page, {
    'Title of the step, English': 'Repair it',
    'Text (Markdown), English': 'Let the container run.',
    'Goal, English': 'The pod is Ready for 30 seconds',
    'Hint (Markdown), English': 'Read the **command**.',
    'Text after the repair, English': 'A process that runs keeps its container.',
    'Title of the step, Chinese': '修复它',
    'Text (Markdown), Chinese': '让容器一直运行。',
    'Goal, Chinese': 'Pod 就绪 30 秒',
    'Hint (Markdown), Chinese': '请看**命令**。',
    'Text after the repair, Chinese': '进程运行，容器就运行。',
  });
  await expect(problems).toHaveText('The lesson has no problems.');
  const lesson = await saved(page, 'Save the lesson');
  const translation = await saved(page, 'Save the translation');
  const scenario = await saved(page, 'Save the scenario');
  expect([lesson.name, translation.name, scenario.name]).toEqual([
    'my-lesson.md',
    'my-lesson.zh-CN.md',
    'my-lesson.scenario.yaml',
  ]);
  expect(found()).toEqual([]);

  const fresh = await browser.newContext();
  try {
    const other = await fresh.newPage();
    const complained = complaints(other);
    await new PodscopePage(other).open(site().url);
    for (const words of [english, chinese]) {
      if (words === chinese) await speakChinese(other);
      await openLesson(other, words, [translation, lesson]);
      await playLesson(other, words, solution);
    }
    // The file of the scenario plays alone, without the lesson.
    await expect(other.getByRole('option', { name: /crash/ })).toHaveCount(0);
    await drop(other, scenario);
    await expect(other.getByRole('option', { name: /crash/ }).first()).toBeVisible();
    expect(complained()).toEqual([]);
  } finally {
    await fresh.close();
  }
});
