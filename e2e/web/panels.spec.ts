/** The panels around the timeline against a server: why, fields, editor, logs, comparison of syncs, and a shell in a container. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { PodscopePage, podManifest } from '../support/page.ts';
import { type Podscope, startPodscope } from '../support/podscope.ts';

let podscope: Podscope;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  podscope = await startPodscope({ runtime: 'sim' });
});
test.afterAll(async () => {
  await podscope.stop();
});

/** What the page complains about, refused styles among it; files that the network lost are Chromium's own affair. */
function complaints(page: Page): readonly string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if ((message.type() === 'error' || message.type() === 'warning') && !message.text().includes('net::ERR_')) found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  return found;
}

/** One theme at a time: looking everything over takes long. */
async function expectAccessible(page: Page, colorScheme: 'light' | 'dark', part: string): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const { violations } = await new AxeBuilder({ page }).include(part).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

test.describe.configure({ timeout: 240_000 });

test('says why a pod does not run, with the fields that show it, and compares its syncs', async ({ page }) => {
  const found = complaints(page);
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await app.submit('crash', podManifest('crash', 'printf "\\033[31mno config\\033[0m\\n"; exit 3'));
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const why = inspector.getByRole('region', { name: 'Why' }).first();
  await expect(why.getByText(/ended with exit code 3: a code of the program’s own/)).toBeVisible();
  await expect(why.getByText(/^kubectl logs crash -c app/)).toBeVisible();
  await expect(inspector.getByRole('button', { name: /Is it to be started \(again\)\?/ }).first()).toBeVisible();
  await expectAccessible(page, 'light', 'aside[aria-label=Inspector]');

  // The evidence leads to its field.
  await why.getByRole('button', { name: /^Show spec\.restartPolicy in the spec/ }).click();
  const spec = page.getByRole('tabpanel', { name: 'Spec' });
  await expect(spec.locator('.cm-content')).toContainText('restartPolicy: Always');
  await spec.getByRole('radio', { name: 'Desired, allocated, observed' }).click();
  await expect(spec.getByRole('row', { name: /^image/ })).toContainText('busybox:1.36');
  await expectAccessible(page, 'dark', '[role=tabpanel]');

  const logs = await app.tab('Logs');
  await expect(logs.getByRole('log').getByText('no config').first()).toBeVisible();

  const compare = await app.tab('Compare');
  await compare.getByRole('button', { name: 'Compare two syncs' }).click();
  await expect(compare.getByText(/^Sync \d+ and sync \d+/)).toBeVisible();
  await compare.getByRole('radio', { name: 'Status' }).click();
  await expectAccessible(page, 'light', '[role=tabpanel]');
  expect(found).toEqual([]);
});

test('completes fields, explains refusals and shows what defaulting adds', async ({ page }) => {
  const found = complaints(page);
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await app.write('apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: app\n      image: busybox:1.36\n');
  await page.keyboard.type('    liv');
  await expect(app.dialog.locator('.cm-tooltip-autocomplete').getByText('livenessProbe')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(app.dialog.locator('.cm-content')).toContainText('livenessProbe:');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: app\n      image: busybox:1.36\n      securityContext:\n        privileged: true\n',
  );
  await expect(app.dialog.getByRole('region', { name: 'Errors in the manifest' })).toContainText('privileged');
  await app.dialog.getByRole('button', { name: /^Defaulting adds \d+ fields/ }).click();
  await expect(app.dialog.getByText('spec.containers[0].terminationMessagePolicy')).toBeVisible();
  await expectAccessible(page, 'light', '[role=dialog]');
  expect(found).toEqual([]);
});

test('opens a shell in a running container, under the page’s own security policy', async ({ page }) => {
  const found = complaints(page);
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await app.submit('shell', podManifest('shell', 'sleep 3600'));
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('button', { name: /^app/ }).click();
  await inspector.getByRole('button', { name: 'Terminal' }).click();
  const logs = page.getByRole('tabpanel', { name: 'Logs' });
  await expect(logs.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
  await page.keyboard.type('echo out-$((40 + 2)) of 42');
  await page.keyboard.press('Enter');
  await expect(logs.locator('.xterm-rows')).toContainText('of 42');
  await expectAccessible(page, 'dark', '[role=tabpanel]');

  // There is no shell in the past.
  await page.getByRole('toolbar', { name: 'Time travel' }).getByRole('button', { name: 'To the beginning' }).click();
  await expect(logs.getByText(/Go back to live to open one/)).toBeVisible();
  expect(found).toEqual([]);
});
