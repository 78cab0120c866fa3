/** Tests the panels around the timeline with a server: the diagnosis of a pod, a shell in a container, and a rerun. */
import { expect, type Page, test } from '@playwright/test';
import { axe } from '../../support/page/axe.ts';
import { complaints } from '../../support/page/complaints.ts';
import { keepNotices } from '../../support/page/notices.ts';
import { PodscopePage } from '../../support/page/page.ts';
import { sharedServer } from '../../support/shared-server.ts';

const podscope = sharedServer({ runtime: 'sim' });

/** Checks only one theme at a time, because checking the whole page takes long. */
async function expectAccessible(page: Page, colorScheme: 'light' | 'dark', part: string): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const { violations } = await axe(page)
    .include(part)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
    [],
  );
}

/** Creates the pod through the API: the test isn't about how Chromium inserts text into an editor. */
async function showPod(page: Page, name: string, script: string): Promise<PodscopePage> {
  await podscope().api.createPod(name, {
    terminationGracePeriodSeconds: 2,
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', script] }],
  });
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  await app.pod(name).click();
  return app;
}

test('explains why a pod does not run, and what to try', async ({ page }) => {
  const found = complaints(page);
  await showPod(page, 'crash', 'exit 3');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const why = inspector.getByRole('region', { name: 'Why' }).first();
  await expect(why.getByText(/The container’s command contains exit 3/)).toBeVisible();
  await expect(why.getByText(/^kubectl logs crash --tail=50/)).toBeVisible();
  await expect(
    inspector.getByRole('button', { name: /Should the container be started or restarted\?/ }).first(),
  ).toBeVisible();
  expect(found()).toEqual([]);
});

test('opens a shell in a running container, under the page’s own security policy', async ({ page }) => {
  const found = complaints(page);
  await showPod(page, 'shell', 'sleep 3600');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('button', { name: /^app/ }).click();
  await inspector.getByRole('button', { name: 'Terminal' }).click();
  const logs = page.getByRole('tabpanel', { name: 'Logs' });
  await expect(logs.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
  await page.keyboard.type('echo out-$((40 + 2)) of 42');
  await page.keyboard.press('Enter');
  await expect(logs.locator('.xterm-rows')).toContainText('of 42');
  await expectAccessible(page, 'dark', '[role=tabpanel]');
  expect(found()).toEqual([]);
});

test('replays the run of the server from the instant in view, and continues differently from there', async ({
  page,
}) => {
  const found = complaints(page);
  const notices = await keepNotices(page);
  const app = await showPod(page, 'again', 'sleep 3600; exit 3');
  await expect(app.pod('again')).toHaveAccessibleName(/Running, 1\/1 ready/);
  const travel = page.getByRole('toolbar', { name: 'Time travel' });
  await travel.getByRole('button', { name: 'Step back' }).click();
  await page.getByRole('button', { name: 'Replay from here' }).click();
  await expect.poll(notices).toMatch(/^Replayed to event \d+/m);
  await expect(page.getByText('Connection lost')).toHaveCount(0);
  await expect(app.connection).toHaveAccessibleName(/Live/);
  await expect(page.getByRole('button', { name: 'Resume time' })).toBeVisible();
  await expect(app.pod('again')).toHaveAccessibleName(/Running, 1\/1 ready/);
  // This time the pod is deleted before it ends by itself.
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog', { name: 'Delete again' }).getByRole('button', { name: 'Delete pod' }).click();
  await page.getByRole('button', { name: 'Resume time' }).click();
  await expect(app.pod('again')).toHaveAccessibleName(/[Dd]eleted|[Gg]one|Terminating/);
  await page.keyboard.press('r');
  const runs = page.getByRole('dialog', { name: 'Saved runs' }).getByRole('listbox', { name: 'Runs' });
  await expect(runs.getByRole('option', { name: /replayed from event \d+.*running/ })).toBeVisible();
  await expect(runs.getByRole('option', { name: /ended/ })).toBeVisible();
  expect(found()).toEqual([]);
});
