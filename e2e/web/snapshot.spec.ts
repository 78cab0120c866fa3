/** A pod of another cluster, as kubectl printed it: explained, looked ahead for, and gone on with in the simulator. */
import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { PodscopePage } from '../support/page.ts';
import { type Podscope, startPodscope } from '../support/podscope.ts';

const printed = new URL('../../packages/pod-snapshot/src/testing/snapshots/crash-loop.yaml', import.meta.url);

let server: Podscope;
test.beforeAll(async () => {
  server = await startPodscope({ runtime: 'sim' });
});
test.afterAll(async () => {
  await server.stop();
});

test('explains a pod that kubectl printed, and goes on from there', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(server.url);
  await page.keyboard.press('y');
  const dialog = page.getByRole('dialog', { name: 'A pod of another cluster' });
  const input = dialog.getByRole('textbox', { name: 'Output of kubectl get pod -o yaml' });
  await input.fill('kind: Pod\napiVersion: v1\nmetadata: {name: web}\nspec: {containers: [{name: a, image: b}]}\n');
  await expect(dialog.getByText(/this is a manifest, not a pod that a cluster has/)).toBeVisible();

  await input.fill(await readFile(printed, 'utf8'));
  const outlook = dialog.getByRole('article', { name: 'default/crash-loop' });
  await expect(outlook.getByRole('heading', { name: /^default\/crash-loop is CrashLoopBackOff/ })).toBeVisible();
  await expect(outlook.getByRole('heading', { name: 'app keeps ending' })).toBeVisible();
  await expect(outlook.getByText(/^Next start of app not before .*: back-off 1m ?20s$/)).toBeVisible();
  await expect(outlook.getByText('app starts (restart 5)')).toBeVisible();
  const found = await new AxeBuilder({ page }).include('[role=dialog]').analyze();
  expect(found.violations).toEqual([]);

  await outlook.getByRole('button', { name: /^Go on from here/ }).click();
  await expect(dialog).toBeHidden();
  await expect(app.pod('crash-loop')).toHaveAccessibleName(/CrashLoopBackOff/);
  await page.getByRole('button', { name: 'Let time pass' }).click();
  await app.pod('crash-loop').click();
  await expect(app.onTimeline(/^app, back-off/).first()).toBeAttached();
});
