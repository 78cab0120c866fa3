/** Plays lessons in the page. The page prepares each scene, and the run decides each question. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type LessonStep, parseLesson } from '../../../packages/lessons/src/index.ts';
import { axe } from '../../support/page/axe.ts';
import { type Podscope, startPodscope } from '../../support/podscope.ts';

const languages = ['en', 'zh-CN'] as const;
type Language = (typeof languages)[number];

const folder = resolve(import.meta.dirname, '../../../packages/lessons/lessons');

/** The texts of the lesson panel. */
const words = {
  en: {
    happen: 'Run it',
    goOn: 'Continue',
    next: 'Next',
    finish: 'Finish',
    right: 'Right: that is what happened.',
    wrong: 'Not quite. The result: ',
  },
  'zh-CN': {
    happen: '运行',
    goOn: '继续',
    next: '下一步',
    finish: '完成',
    right: '正确：实际就是这样。',
    wrong: '不完全对。实际发生的是：',
  },
} as const;

/** The texts of the lessons in both languages, by their English title. */
const written = new Map(
  readdirSync(resolve(folder, 'en')).map((file) => {
    const [en, chinese] = languages.map(
      (language) => parseLesson(readFileSync(resolve(folder, language, file), 'utf8')).lesson,
    );
    if (!en || !chinese) throw new Error(`${file} can't be read`);
    return [en.title, { en, 'zh-CN': chinese }];
  }),
);

/**
 * Use a small page without animations: a lesson has many scenes, and drawing takes half of the processor time
 * otherwise.
 */
test.use({ viewport: { width: 1280, height: 600 } });

let server: Podscope;
test.beforeAll(async () => {
  server = await startPodscope({ runtime: 'sim' });
});
test.afterAll(async () => {
  await server.stop();
});

type Breakpoint = NonNullable<NonNullable<LessonStep['scene']>['breakpoint']>;

const panelOf = (page: Page) => page.getByRole('complementary', { name: /^(Lesson|课程): / });

/** The steps of SyncPod at which lessons have pointed so far. */
const pointed = new Set<string>();

/**
 * Checks that the run is stopped at the step's breakpoint: the debugger shows the stop, the inspector shows stack and
 * variables, and the lesson shows the watched values.
 */
async function seeStop(page: Page, language: Language, { point, phase, watch }: Breakpoint): Promise<void> {
  const [before, after] = language === 'en' ? ['before', 'after'] : ['之前', '之后'];
  await expect(page.getByRole('toolbar', { name: /^(Debugger|调试器)$/ }).getByRole('status')).toContainText(
    phase === 'before' ? before : after,
  );
  const stopped = panelOf(page).getByRole('status');
  await expect(stopped).toContainText(point);
  expect(await stopped.getByRole('term').allInnerTexts()).toEqual(watch);
  // The list must contain values, and no errors about missing variables.
  for (const value of await stopped.getByRole('definition').allInnerTexts())
    expect(value).toMatch(/^(?:[\d.]+|true|false|\[.*\]|"[^]*")$/);
  const stack = page.getByRole('list', { name: /^(Call stack|调用栈)$/ }).first();
  await expect(stack.getByRole('button').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Variables|变量)$/ })).toHaveAttribute('aria-expanded', 'true');
}

/** Solves the exercise of a step by applying its solution. */
async function solve(page: Page, { solution = '' }: LessonStep): Promise<void> {
  const panel = panelOf(page);
  await panel.getByRole('textbox', { name: /^(Manifest|清单)$/ }).fill(solution);
  await panel.getByRole('button', { name: /^(Apply and run|应用并运行)/ }).click();
  await expect(page.locator('aside[data-phase="over"]')).toBeVisible();
  await expect(panel.getByRole('alert')).toBeHidden();
}

/**
 * Performs a step: answers its question, stops at its breakpoint, and checks the verdict.
 * @returns true if the run stopped
 */
async function takeStep(
  page: Page,
  language: Language = 'en',
  choose: 'first' | 'last' = 'first',
  scene?: LessonStep['scene'],
): Promise<boolean> {
  const panel = panelOf(page);
  const emit = words[language];
  const happen = panel.getByRole('button', { name: emit.happen, exact: true });
  const goOn = panel.getByRole('button', { name: emit.goOn, exact: true });
  const over = page.locator('aside[data-phase="over"]');
  await expect(happen.or(over).first()).toBeVisible();
  await expect(panel.getByRole('alert')).toBeHidden();
  if (!(await happen.isVisible())) return false;
  const options = await panel.getByRole('radio').all();
  await options.at(choose === 'first' ? 0 : -1)?.check();
  await happen.click();
  await expect(goOn.or(over).first()).toBeVisible();
  const stops = await goOn.isVisible();
  expect(stops).toBe(scene?.breakpoint !== undefined);
  if (scene?.breakpoint) {
    await seeStop(page, language, scene.breakpoint);
    await goOn.click();
  }
  await expect(over).toBeVisible();
  await expect(panel.getByRole('alert')).toBeHidden();
  for (const step of await page.locator('[role="treeitem"][data-pointed]').allInnerTexts()) pointed.add(step);
  return stops;
}

/**
 * Checks that the page shows a recording of Docker at a completed CRI call, with the Docker requests that it caused.
 */
async function seeRecording(page: Page, { look = [] }: NonNullable<LessonStep['scene']>): Promise<void> {
  await expect(page.getByRole('status', { name: /^(Connection|连接)/ })).toHaveText(/^(Recording|录制)$/);
  const [call = ''] = look.flatMap((each) => ('point' in each ? (each.point?.replace('cri.', '') ?? []) : []));
  const inspector = page.locator('[data-look~="inspector"]');
  await expect(inspector.getByRole('heading', { level: 2 })).toHaveText(call);
  await expect(inspector.getByText('ContainerInspect', { exact: true })).toBeVisible();
}

/** Returns Markdown as the plain text that the page shows. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\(glossary:[\w-]+\)/g, '$1')
    .replaceAll(/\*\*|`|\b_|_\b|\*(?=\S)|(?<=\S)\*/g, '')
    .replaceAll(/\s+/g, ' ');

/**
 * Checks a whole step in one language: before the answer, or with the texts after it.
 * @returns the verdict that the page shows
 */
async function seeStep(
  page: Page,
  language: Language,
  { title, body, question, task }: LessonStep,
  isOver: boolean,
): Promise<'right' | 'wrong' | undefined> {
  const { right, wrong } = words[language];
  const isJudged = isOver && question !== undefined;
  let verdict = '';
  // Compare the whole panel at once, because there are more than a hundred steps.
  await expect
    .poll(
      async () => {
        const seen = await panelOf(page).evaluate((panel: HTMLElement) => {
          const line = ({ innerText }: HTMLElement): string => innerText.replaceAll(/\s+/g, ' ').trim();
          const textOf = (selector: string): string[] => [...panel.querySelectorAll<HTMLElement>(selector)].map(line);
          return {
            headings: textOf('h2'),
            all: line(panel),
            asked: textOf('legend'),
            options: textOf('label > span:first-of-type'),
            said: textOf('[role="status"]'),
          };
        });
        verdict = seen.said[0] ?? '';
        const wanted = [
          ...body.split('\n\n'),
          ...(task?.goals ?? []),
          ...(isOver ? (task?.explanation.split('\n\n') ?? []) : []),
          // Each wrong option has a remark that explains why it is wrong.
          ...(!isJudged ? [] : [...(question?.explanation.split('\n\n') ?? []), ...(question?.remarks ?? [])]),
        ];
        return {
          ...seen,
          all: wanted.flatMap((text) => (text === undefined || seen.all.includes(plain(text)) ? [] : [text])),
          // The verdict must begin with the text for a right answer, or with the text for a wrong one and its option.
          said:
            !isJudged ||
            [right, ...question.options.map((option) => `${wrong}${option}`)].some((judgement) =>
              verdict.startsWith(plain(judgement)),
            ),
        };
      },
      { intervals: [100] },
    )
    .toEqual({
      headings: [title],
      all: [],
      asked: question ? [question.text] : [],
      options: question?.options ?? [],
      said: true,
    });
  if (!isJudged) return undefined;
  return verdict.startsWith(right) ? 'right' : 'wrong';
}

/**
 * Each step is played in only one of the two languages, alternately, because the run doesn't depend on the language.
 * Its texts are checked in both.
 */
const playsAll = 'plays each lesson from its first step to its last, and says all of it in English and in Chinese';
test(playsAll, { tag: '@long' }, async ({ page }) => {
  test.setTimeout(3_600_000);
  await page.goto(server.url);
  await expect(page.getByRole('status', { name: /^Connection/ })).toHaveAccessibleName(/Live/);
  const panel = panelOf(page);
  const starts = page
    .getByRole('dialog', { name: /^(Lessons|课程)$/ })
    .getByRole('button', { name: /^(Start|Continue|开始|继续)[:：]/ });
  let language: Language = 'en';
  const change = async (): Promise<void> => {
    language = language === 'en' ? 'zh-CN' : 'en';
    await page.keyboard.press('Control+k');
    await page
      .getByRole('dialog', { name: /^(Search|搜索)$/ })
      .getByRole('combobox')
      .fill('English');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  };
  let stops = 0;
  let played = 0;
  const judged = new Set<string>();
  for (const index of Array.from(written.keys()).keys())
    await test.step(`lesson ${index + 1}`, async () => {
      if (language !== 'en') await change();
      await page.keyboard.press('h');
      await expect(starts).toHaveCount(written.size);
      await starts.nth(index).click();
      const title = ((await panel.getAttribute('aria-label')) ?? '').replace(/^Lesson: /, '');
      const lesson = written.get(title);
      for (const [step, { id, scene }] of (lesson?.en.steps ?? []).entries()) {
        const texts = (each: Language): LessonStep | undefined => lesson?.[each].steps.find((other) => other.id === id);
        const see = async (isOver: boolean): Promise<void> => {
          const text = texts(language);
          if (!text) throw new Error(`${title} has no step ${id} in ${language}`);
          const how = await seeStep(page, language, text, isOver);
          if (how) judged.add(`${language} ${how}`);
        };
        await see(false);
        const original = lesson?.en.steps[step];
        if (original?.exercise) {
          await solve(page, original);
          played++;
        } else if (await takeStep(page, language, played++ % 4 < 2 ? 'first' : 'last', scene)) stops++;
        if (scene?.recording !== undefined) await seeRecording(page, scene);
        await see(true);
        await change();
        await see(true);
        const isLast = step + 1 === lesson?.en.steps.length;
        await panel.getByRole('button', { name: isLast ? words[language].finish : words[language].next }).click();
      }
      await expect(panel).toBeHidden();
    });
  expect(played).toBe([...written.values()].reduce((sum, { en }) => sum + en.steps.length, 0));
  expect([...judged].toSorted()).toEqual(['en right', 'en wrong', 'zh-CN right', 'zh-CN wrong']);
  // Most lessons have a step with a breakpoint.
  expect(stops).toBeGreaterThanOrEqual(8);
  expect([...pointed].join()).toMatch(/Resize running containers|调整运行中容器的资源/);
  await page.keyboard.press('h');
  await expect(starts.filter({ hasText: /Completed|已完成$/ })).toHaveCount(written.size);
});

test('stores the progress, opens a step by its link, and shows Chinese texts', async ({ page }) => {
  await page.goto(`${server.url}&lesson=crash-loops&step=curve`);
  const panel = panelOf(page);
  await expect(panel.getByRole('heading', { name: 'The curve' })).toBeVisible();
  await expect(page.locator('[data-looked]')).not.toHaveCount(0);
  await takeStep(page);
  const found = await axe(page).include('aside').analyze();
  expect(found.violations).toEqual([]);
  await page.evaluate(() =>
    localStorage.setItem(
      'podscope.preferences',
      JSON.stringify({ state: { language: 'zh-CN', lessonProgress: { 'crash-loops': ['curve'] } }, version: 1 }),
    ),
  );
  await page.reload();
  await expect(page.getByRole('complementary', { name: /^课程：|^课程: / })).toBeVisible();
  await page.keyboard.press('h');
  await expect(page.getByRole('dialog', { name: '课程' }).getByText(/已完成 1\/4 步/)).toBeVisible();
});

test('offers the next lesson after the last step, and opens it (finding 16)', async ({ page }) => {
  await page.goto(`${server.url}&lesson=crash-loops&step=forgetting`);
  const panel = panelOf(page);
  await expect(panel.getByRole('heading', { name: 'Forgetting' })).toBeVisible();
  await takeStep(page);
  await expect(panel.getByText('Next lesson: Back-off: the arithmetic')).toBeVisible();
  await panel.getByRole('button', { name: 'Next lesson', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'Lesson: Back-off: the arithmetic' })).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'From which moment' })).toBeVisible();
  await expect(panel.getByText('Step 1 of 3')).toBeVisible();
});

test('judges an exercise by the run: repairs a pod after a hint and a failed attempt', async ({ page }) => {
  await page.goto(`${server.url}&lesson=fix-image&step=repair`);
  const panel = panelOf(page);
  const apply = panel.getByRole('button', { name: 'Apply and run 60 seconds' });
  const goals = panel.getByRole('region', { name: 'Goals' }).getByRole('listitem');
  await apply.click();
  await expect(panel.getByRole('status')).toContainText('Attempt 1: not all goals are met yet.');
  await expect(goals).toContainText([/30 seconds.*not met/s, /exit.*met/s]);
  await panel.getByRole('button', { name: 'Show a hint (2 left)' }).click();
  await expect(panel.getByRole('region', { name: 'Hints' })).toContainText('letter by letter');
  const editor = panel.getByRole('textbox', { name: 'Manifest' });
  await editor.fill('kind: [');
  await apply.click();
  await expect(panel.getByRole('status')).toContainText('The manifest was not applied.');
  await panel.getByRole('button', { name: 'Reset the manifest' }).click();
  await expect(editor).toContainText('ngnix:1.27');
  const step = written.get('Repair: the image that isn’t there')?.en.steps.find(({ id }) => id === 'repair');
  if (!step) throw new Error('there is no such exercise');
  await solve(page, step);
  await expect(panel.getByRole('status')).toContainText('Solved after 3 attempts.');
  await expect(panel).toContainText('A typing error');
  const found = await axe(page).include('aside').analyze();
  expect(found.violations).toEqual([]);
  await page.keyboard.press('h');
  const repairs = page.getByRole('dialog', { name: 'Lessons' }).getByRole('region', { name: 'Repair a pod' });
  await expect(repairs.getByRole('button', { name: 'Repair: the image that isn’t there' })).toContainText(
    '1 of 2 steps',
  );
  await page.keyboard.press('Escape');
});

test('explains a term of the glossary in the lesson', async ({ page }) => {
  await page.goto(`${server.url}&lesson=fix-image&step=diagnosis`);
  await takeStep(page);
  const term = panelOf(page).getByRole('button', { name: 'sandbox', exact: true });
  await term.click();
  await expect(panelOf(page).getByRole('note')).toContainText('The environment that a pod’s containers share');
  await term.click();
  await expect(panelOf(page).getByRole('note')).toBeHidden();
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

test('opens a lesson that a teacher wrote, and reports its errors with their lines', async ({ page }) => {
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
  await expect(page.getByText(/^our-crash\.md:5: front matter: minutes: /)).toBeVisible();
  await drop(ownLesson('crash-lop', never));
  await expect(
    page.getByText('our-crash.md:11: step it-ends: there is no scenario crash-lop', { exact: true }),
  ).toBeVisible();

  // Both claims can't be true. The lesson then reports a contradiction instead of a wrong answer.
  const panel = panelOf(page);
  await drop(ownLesson('crash-loop', '{ happens: { type: runtimeStateChanged, name: app, to: running } }'));
  await expect(panel.getByRole('heading', { name: 'It ends' })).toBeVisible();
  await panel.getByRole('radio', { name: 'It ends' }).check();
  await panel.getByRole('button', { name: 'Run it' }).click();
  await expect(panel.getByRole('status')).toContainText('exactly one option’s claim must hold');

  await page.keyboard.press('h');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog', { name: 'Lessons' }).getByRole('button', { name: 'Open your own lesson' }).click();
  await (await chooser).setFiles({
    name: 'our-crash.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from(ownLesson('crash-loop', never)),
  });
  await expect(page.locator('aside[data-phase="ready"]')).toBeVisible();
  await panel.getByRole('radio', { name: 'It ends' }).check();
  await panel.getByRole('button', { name: 'Run it' }).click();
  await expect(panel.getByRole('status')).toContainText('Right: that is what happened.');
  await expect(panel).toContainText("It can't reach its database.");
});
