/** A pod of another cluster, as kubectl printed it: explained, looked ahead for, and gone on with in the simulator. */
import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@podscope/playwright';

const printed = new URL('../../packages/pod-snapshot/src/testing/snapshots/crash-loop.yaml', import.meta.url);

test('explains a pod that kubectl printed, and goes on from there', async ({ page, podscope }) => {
  await podscope.open();
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
  const pod = podscope.pod('crash-loop');
  await expect(pod).toShowStatus('CrashLoopBackOff');
  await podscope.ui.select('crash-loop');
  // The fifth restart, when it was said to be; and the back-off after it.
  await podscope.time.step(120_000);
  await expect(pod).toHaveRestarted(5);
  await expect(pod).toBeInBackOff({ container: 'app', seconds: 160 });
  await expect(podscope.ui.onTimeline(/^app, back-off/).first()).toBeAttached();
});
