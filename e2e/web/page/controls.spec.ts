/** Tests breakpoints, pauses, the first screen, the keyboard, links, the token and the Playwright kit. */
import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { complaints } from '../../support/page/complaints.ts';
import { keepNotices } from '../../support/page/notices.ts';
import { PodscopePage } from '../../support/page/page.ts';
import { sharedSite } from '../../support/page/static-site.ts';
import { sharedServer } from '../../support/shared-server.ts';

const podscope = sharedServer({ runtime: 'sim' });

const site = sharedSite();

const crashing = { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 1; exit 1'] }] };
const running = { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }] };

const create = (name: string, spec: object): Promise<unknown> =>
  podscope().api.createPod(name, { terminationGracePeriodSeconds: 1, ...spec });

async function open(page: Page, query = ''): Promise<PodscopePage> {
  const app = new PodscopePage(page);
  await app.open(`${podscope().url}${query}`);
  return app;
}

/** Opens a run in the page. */
async function openAlone(page: Page, query: string): Promise<PodscopePage> {
  const app = new PodscopePage(page);
  await app.open(`${site().url}${query}`);
  return app;
}

const clearDebugger = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const { podscope: node } = globalThis as unknown as { podscope: { command(command: object): Promise<unknown> } };
    await node.command({ command: 'setBreakpoints', group: '', breakpoints: [] });
    await node.command({ command: 'continue' });
  });

test('a dot on a pod’s step stops only that pod, its menu extends it, and one click continues all (finding 3)', async ({
  page,
}) => {
  await create('first', crashing);
  await create('second', crashing);
  const app = await open(page);
  await app.select('first');
  await app.tab('Steps');
  const dot = app.breakpoint('Start containers');
  await dot.click();
  await expect(dot).toHaveAttribute('aria-pressed', 'true');
  // The next sync of a crash loop can be 90 s away.
  await expect(app.debuggerBar).toContainText(/before Start containers/, { timeout: 300_000 });
  // The other pod still crashes.
  await expect(app.pod('second')).toHaveAccessibleName(/[1-9]\d* restarts?/);
  await expect(app.pod('second')).not.toHaveAccessibleName(/stopped|paused/i);
  await dot.click({ button: 'right' });
  await page.getByRole('menuitemradio', { name: 'All pods' }).click();
  const all = app.debuggerBar.getByRole('button', { name: 'Continue all 2 pods' });
  await expect(all).toBeVisible({ timeout: 300_000 });
  await dot.click();
  await all.click();
  await expect(all).toBeHidden();
  await expect(app.debuggerBar.getByRole('button', { name: 'Pause at the next step' })).toBeVisible();
});

test('F8 shows that the pause waits for a step, and cancels it (finding 15)', async ({ page }) => {
  const notices = await keepNotices(page);
  const app = await openAlone(page, '?scenario=one-container&seed=3');
  await expect(app.pod('one-container')).toHaveAccessibleName(/Running, 1\/1 ready/);
  // While time is paused, the pod makes no steps, so the pause stays pending.
  await page.getByRole('button', { name: 'Pause time' }).click();
  await expect(page.getByRole('button', { name: 'Resume time' })).toBeVisible();
  await page.keyboard.press('F8');
  await expect(app.debuggerBar.getByText('Pausing at the next step…').last()).toBeVisible();
  await page.keyboard.press('F10');
  await expect.poll(notices).toContain('The pod is still running: it pauses at its next step.');
  await page.keyboard.press('F8');
  await expect(app.debuggerBar.getByText('Pausing at the next step…')).toHaveCount(0);
  await expect(app.debuggerBar.getByRole('button', { name: 'Pause at the next step' })).toBeEnabled();
});

test('the first screen offers four ways to begin, and every part has a button (finding 16)', async ({ page }) => {
  const found = complaints(page);
  const app = await openAlone(page, '');
  await expect(page.getByRole('heading', { level: 1, name: 'See what the kubelet does with a pod' })).toBeVisible();
  const ways = page.getByRole('list', { name: 'Ways to begin' });
  await expect(ways.getByRole('button')).toHaveCount(4);
  await page.getByRole('button', { name: 'How to read this page' }).click();
  await expect(page.getByRole('dialog', { name: 'How to read this page' })).toContainText('back-off');
  await page.keyboard.press('Escape');
  const parts = page.getByRole('navigation', { name: 'Parts of Podscope' });
  for (const [button, dialog] of [
    ['Lessons', 'Lessons'],
    ['Scenarios', 'Scenarios'],
    ['Explain', 'Explain a pod from another cluster'],
    ['Runs', 'Saved runs'],
    ['Faults', 'Faults'],
  ] as const) {
    await parts.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await ways.getByRole('button', { name: /^Debug a broken pod/ }).click();
  await expect(app.pod('crash')).toBeVisible();
  await expect(app.debuggerBar).toBeVisible();
  expect(found()).toEqual([]);
});

test('a browser without the token gets a form that accepts the printed address (finding 21)', async ({ page }) => {
  await page.goto(`${podscope().origin}/?pod=default/linked&tab=spec`);
  await expect(page.getByRole('heading', { name: 'Enter the access token' })).toBeVisible();
  await page.getByLabel('Address or token').fill('wrong-token');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('alert')).toContainText('This token is not valid');
  await page.getByLabel('Address or token').fill(podscope().url);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('status', { name: 'Connection: Live' })).toBeVisible();
  const { searchParams } = new URL(page.url());
  expect([...searchParams]).toEqual([
    ['pod', 'default/linked'],
    ['tab', 'spec'],
  ]);
});

test('letters typed right after Ctrl+K and C reach the search (finding 23)', async ({ page }) => {
  // Simulate a slow host: the dialog isn't loaded yet when the first letters are typed.
  await page.route(/CommandPalette|ScenariosDialog/, async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.continue();
  });
  await openAlone(page, '');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('settings');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await expect(palette.getByRole('combobox')).toHaveValue('settings');
  await page.keyboard.press('Escape');
  await page.keyboard.press('c');
  await page.keyboard.type('crash');
  const search = page.getByRole('dialog', { name: 'Scenarios' }).getByRole('searchbox');
  await expect(search).toHaveValue('crash');
  await expect(search).toBeFocused();
});

test('an invalid place, condition or variable is not saved, and variables are completed (finding 26)', async ({
  page,
}) => {
  await create('conditions', running);
  const app = await open(page);
  await app.select('conditions');
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog', { name: 'Breakpoints' });
  await dialog.getByRole('button', { name: 'Add breakpoint' }).click();
  const place = dialog.getByRole('combobox', { name: 'Place' });
  const add = dialog.getByRole('button', { name: 'Add', exact: true });
  await place.fill('cri.Cr');
  await expect(dialog.getByRole('status')).toContainText('this node has no point cri.Cr');
  await expect(add).toBeDisabled();
  await place.fill('cri.StopContainer');
  const condition = dialog.getByRole('combobox', { name: 'Condition' });
  await condition.fill('atempt > 1');
  await expect(dialog.getByRole('status')).toContainText('did you mean attempt?');
  await condition.fill('attempt >');
  await expect(dialog.getByRole('status')).toContainText('is not CEL');
  await condition.fill('');
  await condition.pressSequentially('atte');
  await dialog.getByRole('option', { name: 'attempt' }).click();
  await condition.pressSequentially(' > 1');
  await expect(condition).toHaveValue('attempt > 1');
  await expect(add).toBeEnabled();
  await add.click();
  await expect(dialog.getByText('if attempt > 1')).toBeVisible();
  await clearDebugger(page);
});

test('Ctrl+Enter applies after a template was chosen (finding 27)', async ({ page }) => {
  const app = await openAlone(page, '');
  await page.getByRole('button', { name: 'New pod' }).first().click();
  await app.dialog.getByRole('button', { name: 'Templates' }).click();
  await page.getByRole('menuitem').nth(1).click();
  await expect(app.dialog.getByText('1 object, valid.')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(app.dialog).toBeHidden();
  await expect(app.pod('with-init')).toBeVisible();
});

test('a link restores speed and time, files are small, and the code opens at a function (finding 31)', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const notices = await keepNotices(page);
  await openAlone(page, '?scenario=crash-loop&seed=3&speed=20');
  const age = (): Promise<number> =>
    page.evaluate(
      () => (globalThis as unknown as { podscope: { pods(): { age: number }[] } }).podscope.pods()[0]?.age ?? 0,
    );
  await expect.poll(age).toBeGreaterThan(1_000);
  await page.getByRole('button', { name: 'Pause time' }).click();
  await expect(page.getByRole('button', { name: 'Resume time' })).toBeVisible();
  await page.keyboard.press('m');
  await expect.poll(notices).toContain('Link to this view copied.');
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(link.searchParams.get('speed')).toBe('20');
  expect(link.searchParams.has('paused')).toBe(true);
  const seconds = Number(link.searchParams.get('time'));
  expect(seconds).toBeGreaterThan(1);
  const before = await age();
  const save = async (item: string) => {
    await page.getByRole('button', { name: 'Share' }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ]);
    return saved;
  };
  expect((await save('Save run as a file')).suggestedFilename()).toMatch(/^podscope-\d{4}-\d\d-\d\dT\d{6}\.podscope$/);
  const exported = await readFile(await (await save('Export as OTLP')).path(), 'utf8');
  const spans = exported.split('"spanId"').length - 1;
  expect(spans).toBeGreaterThan(100);
  expect(exported.length / spans).toBeLessThan(2_000);
  await page.goto(link.href);
  await expect(page.getByRole('button', { name: 'Resume time' })).toBeVisible();
  await expect.poll(async () => Math.abs((await age()) - before)).toBeLessThan(100);

  await page.keyboard.press('Control+p');
  const finder = page.getByRole('dialog', { name: 'Go to file or function' });
  await finder.getByRole('combobox').fill('kill-container');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^File: .*kill-container\.ts/ })).toBeVisible();
  await expect(page.locator('.cm-line').filter({ hasText: /^export (async )?function killContainer/ })).toBeVisible();

  await page.goto(`${site().url}?scenario=crash-lop`);
  await expect(page.getByText('There is no scenario "crash-lop". Did you mean "crash-loop"?')).toBeVisible();
  await expect(page.getByText(/Not connected|not responding/)).toHaveCount(0);
});

test('pasting rich text into the editor violates no security policy (finding 32)', async ({ page, context }) => {
  const other = await context.newPage();
  await other.setContent('<p style="color: red"># pasted</p>');
  await other.keyboard.press('Control+a');
  await other.keyboard.press('Control+c');
  await page.bringToFront();
  const found = complaints(page);
  const app = await openAlone(page, '');
  await page.getByRole('button', { name: 'New pod' }).first().click();
  const editor = app.dialog.locator('.cm-content');
  await editor.click();
  await page.keyboard.press('Control+v');
  await expect(editor).toContainText('# pasted');
  expect(found()).toEqual([]);
});
