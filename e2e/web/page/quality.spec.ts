/**
 * Checks every view of the page in windows of several sizes, in both themes and languages, in presentation mode and
 * with the keyboard: whether it fits, has names, shows its focus and doesn't move. Runs in the long tier.
 */
import { expect, type Page, test } from '@playwright/test';
import { axe } from '../../support/page/axe.ts';
import { sharedSite } from '../../support/page/static-site.ts';
import { focusProblems, layoutProblems, runningAnimations } from '../../support/page/view-quality.ts';
import { keepNodePort, stepTime } from '../../support/virtual-time.ts';

const site = sharedSite();

/** The windows: those of issue reports, 1440×900 at 200 %, and a phone that shows a shared link. */
const windows = [
  [1440, 900],
  [1920, 1080],
  [1024, 768],
  [720, 450],
  [680, 900],
  [360, 740],
] as const;

/** The keys that open the dialogs; they are the same in both languages. */
const keys = ['?', 'o', 'c', 'h', 'r', 'y', 'x', 'b', 'n', 'Control+K', 'Control+P'] as const;

/** Opens a crash loop after a minute of virtual time, in either language. */
async function open(page: Page, query = ''): Promise<void> {
  await keepNodePort(page);
  await page.goto(`${site().url}?scenario=crash-loop&seed=3&paused${query}`);
  await page.getByRole('tab').first().waitFor();
  await stepTime(page, 60_000);
}

const button = (page: Page, name: RegExp) => page.getByRole('button', { name }).first();

const settled = (page: Page): Promise<void> => expect(page.locator('[aria-busy=true]')).toHaveCount(0);

/** Shows each view of a run, one after the other, and calls `check` with its name. */
async function eachView(page: Page, check: (view: string) => Promise<void>): Promise<void> {
  const tabs = page.getByRole('tab');
  for (let at = 0; at < (await tabs.count()); at++) {
    await tabs.nth(at).click();
    await settled(page);
    await check(`tab ${at + 1}`);
  }
  await tabs.first().click();
  for (const [view, name] of [
    ['timeline as table', /^(Show as table|以表格显示)$/],
    ['timeline of all pods', /^(All pods|所有 Pod)$/],
  ] as const) {
    // A presentation hides these buttons.
    if (!(await button(page, name).isVisible())) continue;
    await button(page, name).click();
    await check(view);
    await button(page, name).click();
  }
  const dialog = page.getByRole('dialog');
  const lanes = button(page, /^(Lanes|泳道)$/);
  const legend = button(page, /^(Colors and marks|颜色和标记)$/);
  const dialogs: readonly (readonly [string, () => Promise<void>])[] = [
    ...keys.map((key) => [key, () => page.keyboard.press(key)] as const),
    [
      'node',
      async () => {
        // A small window has no button for the node, but the palette always has the command.
        await page.keyboard.press('Control+K');
        await expect(dialog.getByRole('combobox')).toBeFocused();
        await page.keyboard.type('ConfigMap');
        await dialog.getByRole('option', { name: /^(Node:|节点：)/ }).click();
        await expect(dialog.getByRole('combobox')).toHaveCount(0);
      },
    ],
    // A small window has no button for the legend, and a presentation has neither button.
    ...((await legend.isVisible()) ? [['guide', () => legend.click()] as const] : []),
    ...((await lanes.isVisible()) ? [['lanes', () => lanes.click()] as const] : []),
  ];
  for (const [name, show] of dialogs) {
    await show();
    await expect(dialog.first()).toBeVisible();
    await settled(page);
    await check(`dialog ${name}`);
    // The first Escape clears a search, or leaves the editor.
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0, { timeout: 1_000 });
    }, `close ${name}`).toPass({ timeout: 120_000 });
  }
}

/** Returns a check that collects the problems of views, so that one run finds all of them. */
function collecting(check: (view: string) => Promise<readonly string[]>) {
  const problems: string[] = [];
  return {
    problems,
    check: async (view: string): Promise<void> => {
      problems.push(...(await check(view)).map((problem) => `${view}: ${problem}`));
    },
  };
}

const inWindow = (page: Page) =>
  collecting(async () => [...(await layoutProblems(page)), ...(await runningAnimations(page))]);

for (const [width, height] of windows)
  test(`every view fits a window of ${width}×${height} @long`, async ({ page }) => {
    test.setTimeout(3_600_000);
    await page.setViewportSize({ width, height });
    const { problems, check } = inWindow(page);
    await page.goto(site().url);
    await page.getByRole('heading', { name: 'See what the kubelet does with a pod' }).waitFor();
    await check('first screen');
    await open(page);
    await eachView(page, check);
    // In a narrow window the columns begin closed, and cover the run when they are open.
    for (const column of ['Pods panel', 'Inspector panel']) {
      const toggle = page.getByRole('button', { name: new RegExp(`^${column}`) });
      if ((await toggle.getAttribute('aria-pressed')) === 'false') await toggle.click();
      await expect(toggle).toHaveAttribute('aria-pressed', 'true');
      await check(column);
      // In a narrow window the column covers the run.
      if (width >= 700) continue;
      const run = page.locator('[data-panel][id=center]');
      await expect(run).toHaveAttribute('inert');
      await toggle.click();
      await expect(run).not.toHaveAttribute('inert');
    }
    await page.goto(`${site().url}?lesson=crash-loops`);
    await page.getByRole('button', { name: 'Run it' }).waitFor({ state: 'attached' });
    await check('lesson');
    expect(problems).toEqual([]);
  });

test('every view fits a window of 1024×768 in presentation mode @long', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await open(page, '&present=yes');
  const { problems, check } = inWindow(page);
  await eachView(page, check);
  expect(problems).toEqual([]);
});

for (const [locale, colorScheme] of [
  ['en-US', 'light'],
  ['zh-CN', 'dark'],
] as const)
  test.describe(`in ${locale}, ${colorScheme}`, () => {
    test.use({ locale, colorScheme });
    test(`every view has names and contrast, and fits 1024×768, in ${locale} and ${colorScheme} @long`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 1024, height: 768 });
      await open(page);
      const { problems, check } = collecting(async (view) => {
        // pod.spec.ts checks the names of steps.
        const builder = axe(page).disableRules('label-content-name-mismatch');
        const { violations } = await (view.startsWith('dialog') ? builder.include('[role=dialog]') : builder).analyze();
        return [
          ...violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html}`),
          ...(await layoutProblems(page)),
        ];
      });
      await eachView(page, check);
      expect(problems).toEqual([]);
    });
  });

test('the keyboard reaches every part of a view, and its focus is visible @long', async ({ page }) => {
  await open(page);
  const { unseen, visited } = await focusProblems(page, 150);
  expect(unseen).toEqual([]);
  expect(visited).toBeGreaterThan(40);
  for (const key of ['o', 'x', 'n']) {
    await page.reload();
    await expect(page.getByRole('tab').first()).toBeVisible();
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    expect((await focusProblems(page, 60)).unseen, key).toEqual([]);
  }
});
