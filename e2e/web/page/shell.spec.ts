/**
 * Tests the page around a run: search, settings and languages, presentation, saved runs, faults. The tests share one
 * server on the simulator.
 */
import { expect, type Page, test } from '@playwright/test';
import { axe } from '../../support/page/axe.ts';
import { keepNotices } from '../../support/page/notices.ts';
import { PodscopePage } from '../../support/page/page.ts';
import { type Podscope, startPodscope } from '../../support/podscope.ts';

/** With `PODSCOPE_TEST_LONG=1` axe also looks at the dark theme and at further dialogs. */
const isLong = process.env['PODSCOPE_TEST_LONG'] === '1';
const themes = isLong ? (['light', 'dark'] as const) : (['light'] as const);

let podscope: Podscope;
test.beforeAll(async () => {
  podscope = await startPodscope({ runtime: 'sim' });
  await podscope.api.createPod('web', {
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
  });
});
test.afterAll(async () => {
  await podscope.stop();
});

test('finds pods, tabs and commands by a few letters with the keyboard', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await expect(app.pod('web')).toBeVisible();
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('results');
  await expect(palette.getByRole('option').first()).toHaveAccessibleName(/^Results/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Results' })).toHaveAttribute('aria-selected', 'true');
  await app.find('web', /^web/);
  await expect(page.getByRole('heading', { level: 1, name: /web$/ })).toBeVisible();
  await app.find('keyboard shortcuts', /^Keyboard shortcuts/);
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Step over')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+K');
  await palette.getByRole('combobox').fill('nothing like it');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
});

test('stores the language and the theme', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await page.keyboard.press('o');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await settings.getByRole('radio', { name: '简体中文' }).check({ force: true });
  await expect(page.getByRole('dialog', { name: '设置' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab', { name: '步骤' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
});

test('presentation mode is part of the link', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await expect(app.pod('web')).toBeVisible();
  await page.keyboard.press('v');
  await expect(page.getByRole('button', { name: 'Exit presentation mode' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Scenarios' })).toBeHidden();
  await expect.poll(() => page.url()).toContain('present=yes');
  await page.reload();
  await page.getByRole('button', { name: 'Exit presentation mode' }).click();
  await expect(app.pod('web')).toBeVisible();
});

test('lists saved runs, names and annotates the current one, and exports it', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await page.keyboard.press('r');
  const runs = page.getByRole('dialog', { name: 'Saved runs' });
  await expect(runs.getByRole('listbox', { name: 'Runs' }).getByRole('option')).toHaveCount(1);
  await runs.getByLabel('Title').fill('Lesson three');
  await runs.getByLabel('Tags').fill('school');
  await runs.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(runs.getByRole('option', { name: /Lesson three/ })).toBeVisible();
  await runs.getByLabel('Note', { exact: true }).fill('Nothing happens yet.');
  await page.keyboard.press('Enter');
  await expect(runs.getByText('Nothing happens yet.')).toBeVisible();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    runs.getByRole('button', { name: 'Perfetto' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/\.json$/);
});

test('saves a fault plan, and shows its effects', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await page.keyboard.press('x');
  const faults = page.getByRole('dialog', { name: 'Faults' });
  await faults.getByRole('button', { name: 'Disk full' }).click();
  await page.getByRole('dialog', { name: 'Fault plan' }).getByRole('button', { name: 'Save plan' }).click();
  await expect(faults.getByText('full-disk').first()).toBeVisible();
  await podscope.api.createPod('no-room', {
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
  });
  await expect(faults.getByText('applied once')).toBeVisible();
  await faults.getByRole('button', { name: 'Delete full-disk' }).click();
  await expect(faults.getByText('No active faults.')).toBeVisible();
});

/**
 * Returns the findings of axe in a dialog (or another part): with every rule, and in the dark theme, which differs only
 * in colors, with the contrast rule.
 */
async function findings(
  page: Page,
  part = '[role=dialog]',
  theme: 'light' | 'dark' = 'light',
): Promise<readonly string[]> {
  const builder = axe(page).include(part);
  const { violations } = await (theme === 'light' ? builder : builder.withRules('color-contrast')).analyze();
  return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html}`);
}

test('stops at the second hit of a conditional breakpoint from the form, and applies an override there', async ({
  page,
}) => {
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await page.keyboard.press('b');
  const breakpoints = page.getByRole('dialog', { name: 'Breakpoints' });
  await breakpoints.getByRole('button', { name: 'Add breakpoint' }).click();
  await breakpoints.getByLabel('Place').fill('cri.CreateContainer');
  await breakpoints.getByLabel('Pod', { exact: true }).fill('count*');
  await breakpoints.getByRole('combobox', { name: 'Condition' }).fill('container == ');
  await expect(breakpoints.getByRole('status')).toContainText(/CEL|condition|expect/i);
  await breakpoints.getByRole('combobox', { name: 'Condition' }).fill('container != "one"');
  await breakpoints.getByLabel('Hit count').fill('2');
  await expect(breakpoints.getByRole('status')).toContainText(/^Stops at .*start-container\.ts:\d+/);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(breakpoints.getByText('0 hits')).toBeVisible();
  await page.keyboard.press('Escape');

  const containers = ['one', 'two', 'three'].map((name) => ({
    name,
    image: 'busybox:1.36',
    command: ['sleep', '3600'],
  }));
  await podscope.api.createPod('counted', { containers });
  await app.pod('counted').click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByRole('heading', { name: 'Stopped before' })).toBeVisible();
  await expect(app.onTimeline(/^two, create/)).toBeAttached();
  await expect(app.onTimeline(/^three, running/)).toHaveCount(0);

  // Changes by the user at a stop are marked wherever they are shown.
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Override' });
  await dialog.getByLabel('Message').fill('no more room');
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Apply and continue' }).click();
  await expect(app.onTimeline(/^three, create: Internal, .*failed, injected/)).toBeAttached();
  await expect(app.onTimeline(/^Events, Failed · three, .*\(injected\)/).first()).toBeAttached();
  await expect(
    (await app.tab('Results')).getByRole('row', { name: /CreateContainerError.*injected.*no more room/ }),
  ).toBeVisible();
  await expect(
    (await app.tab('Events')).getByRole('row', { name: /Failed.*three.*injected.*no more room/ }).first(),
  ).toBeVisible();
  await expect(
    inspector.getByRole('button', { name: /CreateContainer fails with Internal: no more room/ }),
  ).toBeVisible();
});

test('asks before it adds a link’s breakpoints, and shares its own', async ({ page, context }) => {
  const app = new PodscopePage(page);
  const notices = await keepNotices(page);
  const link = new URL(podscope.url);
  link.searchParams.set(
    'break',
    JSON.stringify([
      { point: 'cri.StopContainer', pod: 'nobody' },
      { kind: 'hook', pod: 'nobody' },
    ]),
  );
  await app.open(link.href);
  const asking = page.getByRole('dialog', { name: 'This link contains 2 breakpoints' });
  await expect(asking).toContainText('every hook');
  expect(await findings(page)).toEqual([]);
  await asking.getByRole('button', { name: 'Add' }).click();
  await expect.poll(notices).toContain('The link’s 2 breakpoints were added.');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('m');
  await expect.poll(notices).toMatch(/Link to this view copied, with \d breakpoints/);
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied.searchParams.get('break')).toContain('"pod":"nobody"');
  expect(copied.searchParams.has('token')).toBe(false);
  // The page doesn't ask again about breakpoints that exist already.
  await app.open(copied.href);
  await expect(app.pod('web')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('has nothing for axe to find in its dialogs, nor in a presentation', async ({ page }) => {
  const app = new PodscopePage(page);
  const dialogs = {
    '?': 'Keyboard shortcuts',
    o: 'Settings',
    'Control+K': 'Search',
    c: 'Scenarios',
    ...(isLong ? { h: 'Lessons', r: 'Saved runs', x: 'Faults' } : {}),
  };
  const shown = page.locator('[role=dialog]');
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    // During a transition between themes, colors belong to neither theme, so open the page again.
    await app.open(podscope.url);
    await expect(app.pod('web')).toBeVisible();
    for (const [key, name] of Object.entries(dialogs)) {
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog', { name })).toBeVisible();
      await expect(shown.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await findings(page, '[role=dialog]', theme), `${theme}: ${name}`).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(shown).toHaveCount(0);
    }
    await page.keyboard.press('v');
    await expect(page.getByRole('button', { name: 'Exit presentation mode' })).toBeVisible();
    expect(await findings(page, 'body', theme), `${theme}: presentation`).toEqual([]);
  }
});
