/** Tests the views of the flow on simulated nodes with virtual time: steps, both releases, the inspector. */
import { expect, type Page, test } from '@playwright/test';
import { PodscopePage } from '../../support/page/page.ts';
import { sharedServer } from '../../support/shared-server.ts';
import { keepNodePort, stepTime } from '../../support/virtual-time.ts';

const server = sharedServer({ runtime: 'sim' });

/** Opens a scenario in the page's own engine, with its time paused at 0. */
async function play(page: Page, query: string): Promise<PodscopePage> {
  await keepNodePort(page);
  const app = new PodscopePage(page);
  await app.open(`${server().url}&alone&seed=3&paused&${query}`);
  await page.getByRole('listbox', { name: 'Pods' }).getByRole('option').first().waitFor();
  return app;
}

const stepsOf = (page: Page) => page.getByRole('tree', { name: /^Steps of/ });
const step = (page: Page, name: RegExp) => stepsOf(page).getByRole('treeitem', { name });
const depth = (page: Page) => page.getByRole('combobox', { name: 'Open the tree down to' });

test('a pod stuck in Volumes shows that step as waiting, with its reason, below every level (finding 1)', async ({
  page,
}) => {
  const app = await play(page, 'scenario=missing-config-map-volume');
  await stepTime(page, 8_000);
  await expect(step(page, /^Step 8, Volumes: waiting, .*configmap "volume-not-there" not found/)).toBeVisible();
  for (const level of [
    /^SyncLoop: .*done/,
    /^HandlePodAdditions: .*done/,
    /^podWorkerLoop: running/,
    /^kubelet SyncPod: running/,
  ])
    await expect(step(page, level)).toBeAttached();
  await expect(step(page, /^kuberuntime SyncPod: pending/)).toBeAttached();
  await expect(app.breakpoint('Volumes')).toBeAttached();
});

test('a deletion shows SyncTerminatingPod, then SyncTerminatedPod (finding 1, finding 30)', async ({ page }) => {
  const app = await play(page, 'scenario=delete-while-running');
  await stepTime(page, 7_000);
  await depth(page).selectOption('all');
  for (const name of [
    /^SyncTerminatingPod: running/,
    /^Step 2, .*: running/,
    /^kuberuntime KillPod: running/,
    /^killContainer app: running/,
    /^Step 2, Grace period: .*30.*, done/,
    /^Step 3, StopContainer: running/,
    /^StopPodSandbox: pending/,
  ])
    await expect(step(page, name).first()).toBeAttached();
  await app.find('language', /^Language/);
  await expect(page.getByRole('treeitem', { name: /^步骤 2，杀死 Pod：进行中/ })).toBeAttached();
  await stepTime(page, 5_000);
  await expect(page.getByRole('treeitem', { name: /^SyncTerminatedPod：.*完成/ })).toBeAttached();
});

test('RunPodSandbox and startContainer open to their numbered steps, also in the waterfall (finding 1)', async ({
  page,
}) => {
  await play(page, 'scenario=one-container');
  await stepTime(page, 8_000);
  await depth(page).selectOption('all');
  await expect(step(page, /^RunPodSandbox one-container: .*done/)).toBeAttached();
  await expect(step(page, /^Step 2, CreateContainer app: .*done/)).toBeAttached();
  await expect(step(page, /^Step 4, postStart: not needed$/)).toBeAttached();
  await page.getByRole('button', { name: 'Hide steps that did not run' }).click();
  await expect(step(page, /: not needed$/)).toHaveCount(0);
  // The page stores the choice for the next visit.
  await page.reload();
  await stepTime(page, 8_000);
  await expect(depth(page)).toHaveValue('all');
  await page.getByRole('radio', { name: 'Waterfall' }).click();
  const chart = page.getByRole('tree', { name: 'Waterfall of sync 1' });
  await chart.getByRole('treeitem', { name: /^RunPodSandbox one-container: done/ }).click();
  await page.getByRole('radio', { name: 'Tree' }).click();
  await expect(step(page, /^RunPodSandbox one-container/)).toHaveAttribute('aria-selected', 'true');
});

test('the age of running items follows the node’s clock (finding 6)', async ({ page }) => {
  const app = await play(page, 'scenario=missing-config-map-volume');
  await stepTime(page, 400);
  await expect(step(page, /^Step 8, Volumes: waiting/)).toContainText('400 ms');
  await step(page, /^Step 8, Volumes/).click();
  await expect(app.inspector.getByText('400 ms').first()).toBeVisible();
  await stepTime(page, 1_760);
  await expect(step(page, /^Step 8, Volumes: waiting/)).toContainText('2.16 s');
  await expect(app.inspector.getByText('2.16 s').first()).toBeVisible();
});

test('both releases are side by side at the same instant, with their own steps and one axis (finding 7)', async ({
  page,
}) => {
  const app = await play(page, 'scenario=crash-loop');
  await stepTime(page, 8_000);
  const compare = await app.tab('Compare');
  await compare.getByRole('button', { name: 'Play it with kubelet v1.20' }).click();
  const modern = compare.getByRole('tree', { name: /in kubelet v1\.36$/ });
  const old = compare.getByRole('tree', { name: /in kubelet v1\.20$/ });
  await expect(old.getByRole('treeitem', { name: /^kuberuntime SyncPod/ })).toBeAttached();
  await expect(compare.getByText(/^8 s after the pod was created, in both runs\. \d+ steps differ\.$/)).toBeVisible();
  await expect(
    modern.getByRole('treeitem', { name: /^Step 5, Report the sandbox ready: .*only in kubelet v1\.36$/ }),
  ).toBeAttached();
  await expect(
    old.getByRole('treeitem', { name: /^Step 3, .*: .*done, only in kubelet v1\.20$/ }).first(),
  ).toBeAttached();
  await expect(modern.getByRole('treeitem', { name: /^Step 9, Start containers: waiting/ })).toBeAttached();
  await expect(old.getByRole('treeitem', { name: /^Step 7, Start containers: waiting/ })).toBeAttached();
  const lanes = compare.getByRole('listbox', { name: /^Timelines of both runs/ });
  await expect(lanes).toBeAttached();
  await compare.getByRole('radio', { name: 'Status' }).click();
  const restarts = compare.getByText('status.containerStatuses[app].restartCount');
  await expect(restarts).toHaveCount(0);
  // When this run passes the end of the other one, the other one is played for longer.
  await page.evaluate(async () => {
    const { podscope: node } = globalThis as unknown as { podscope: { command(command: object): Promise<unknown> } };
    await node.command({ command: 'stepTime', milliseconds: 300_000 });
  });
  await compare.getByRole('radio', { name: 'Side by side' }).click();
  await expect(compare.getByText(/^5m 08s after the pod was created, in both runs\./)).toBeVisible();
  await expect(old.getByRole('treeitem', { name: /^Step 7, Start containers: .*back-off 2m40s/ })).toBeAttached();
  await compare.getByRole('radio', { name: 'Status' }).click();
  await expect(restarts).toHaveCount(0);
});

test('lesson 1 and the steps say that no sync has begun, and every tab is in view (finding 8, finding 29)', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const app = new PodscopePage(page);
  await app.open(`${server().url}&alone&lesson=pod-start`);
  await expect(app.lesson.getByText('all its steps are still pending')).toBeVisible();
  await expect(step(page, /^Step 1, Compute sandbox and container changes: pending$/)).toBeAttached();
  await expect(page.getByText('The first sync has not begun. All steps are pending.')).toBeVisible();
  for (const tab of await page.getByRole('tab').all()) await expect(tab).toBeInViewport({ ratio: 1 });
});

test('the Steps tab keeps the sync that did something, and follows the selection (finding 9)', async ({ page }) => {
  await play(page, 'scenario=one-container');
  await stepTime(page, 8_000);
  await expect(page.getByText('sync 1 of 3')).toBeVisible();
  await expect(step(page, /^Step 4, Create the sandbox if necessary: .*done/)).toBeVisible();
  await page.keyboard.press(']');
  await expect(page.getByText('sync 2 of 3')).toBeVisible();
  await page.getByRole('button', { name: 'Latest' }).click();
  await expect(page.getByText('sync 1 of 3')).toBeVisible();
  await page.keyboard.press(']');
  await step(page, /^kuberuntime SyncPod: .*done/).click();
  await expect(page).toHaveURL(/selected=span/);
  await expect(page).not.toHaveURL(/sync=/);
  await expect(page.getByText('sync 2 of 3')).toBeVisible();
});

test('steps accept a breakpoint before the first sync; an error ends with its cause (finding 14, finding 27)', async ({
  page,
}) => {
  const app = await play(page, 'scenario=one-container');
  await expect(step(page, /^Step 9, Start containers: pending$/)).toBeAttached();
  await app.breakpoint('Create the sandbox').click();
  await expect(app.breakpoint('Create the sandbox')).toHaveAttribute('aria-pressed', 'true');
  await stepTime(page, 5_000);
  await expect(step(page, /^Step 4, Create the sandbox if necessary: stopped here/)).toBeVisible();
  await app.inspector.getByRole('button', { name: 'podActions' }).click();
  await app.inspector.getByRole('button', { name: 'Edit containersToStart' }).click();
  const value = app.inspector.getByRole('textbox', { name: /^New value of containersToStart/ });
  await value.fill('[7]');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await value.fill('[]');
  await page.keyboard.press('Enter');
  await expect(value).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('v1.20 keeps the numbers 6 and 7 without the step of the ephemeral containers gate (finding 22)', async ({
  page,
}) => {
  await play(page, 'scenario=one-container&profile=v1.20');
  await stepTime(page, 8_000);
  await expect(step(page, /^Step 6, Start init containers: not needed$/)).toBeAttached();
  await expect(step(page, /^Step 7, Start containers: .*done/)).toBeAttached();
  await expect(step(page, /^Step 5, Start ephemeral/)).toHaveCount(0);
  await expect(page.getByText('Of the nine steps')).toHaveCount(0);
});

test('the inspector shows a sandbox that is being created; all places show the same numbers (finding 24)', async ({
  page,
}) => {
  const app = await play(page, 'scenario=one-container');
  await stepTime(page, 250);
  await expect(app.inspector.getByRole('button', { name: /^sandbox ?creating$/ })).toBeVisible();
  await app.breakpoint('Start containers').click();
  await stepTime(page, 1_000);
  await expect(app.debuggerBar.getByRole('status')).toHaveText('Breakpoint: before Start containers');
  await expect(app.debuggerBar.getByRole('button', { name: '1 breakpoint' })).toBeVisible();
  const travel = page.getByRole('toolbar', { name: 'Time travel' });
  await travel.getByRole('button', { name: 'Step back' }).click();
  const shown = (await app.scrubber.getAttribute('aria-valuetext')) ?? '';
  expect(shown).toMatch(/^00:00:00\.\d{3}$/);
  await expect(travel.getByText(shown, { exact: true })).toBeVisible();
});
