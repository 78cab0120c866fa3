/** Tests the extension in VS Code itself: code-server in Chromium. Part of the long tier. */
import { expect, type FrameLocator, type Page, test } from '@playwright/test';
import { type CodeServer, codeServerPath, startCodeServer } from '../support/vscode/code-server.ts';

test.describe.configure({ timeout: 300_000 });
// VS Code shows webviews with a service worker.
test.use({ serviceWorkers: 'allow' });

const program = codeServerPath();

const manifest = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: app, image: 'busybox:1.36', command: [sleep, '3600'] }]
---
apiVersion: v1
kind: Pod
metadata: { name: db }
spec:
  containers: [{ name: app, image: 'busybox:1.36', command: [sleep, '3600'] }]
`;

let server: CodeServer | undefined;

test.beforeAll(async () => {
  if (program !== undefined) server = await startCodeServer(program, { 'pods.yaml': manifest, 'notes.yaml': 'a: 1\n' });
});
test.afterAll(() => server?.stop());

/** Returns the page of Podscope in the webview of the timeline. */
const timeline = (page: Page): FrameLocator =>
  page.frameLocator('iframe.webview').frameLocator('#active-frame').frameLocator('iframe');

/** Runs a command of VS Code through its palette. */
async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input[type=text]').fill(`>${name}`);
  const entry = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first();
  await entry.click({ timeout: 30_000 });
}

/** Opens VS Code with the manifest in an editor. */
async function openManifest(page: Page): Promise<void> {
  await page.goto(server?.url ?? '');
  const file = page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'pods.yaml' });
  await file.dblclick({ timeout: 90_000 });
}

const notInstalled = 'code-server is not installed: the long tier could not install it from npm';

test('@long VS Code debugs one pod of a manifest, and the timeline follows its stops', async ({ page }) => {
  test.skip(program === undefined, notInstalled);
  await openManifest(page);
  const lenses = page.locator('.codelens-decoration a').filter({ hasText: 'Debug this pod' });
  await expect(lenses).toHaveCount(2, { timeout: 60_000 });

  await command(page, 'Add Function Breakpoint');
  const breakpoint = page.locator('.debug-breakpoints .inputBoxContainer input');
  await breakpoint.fill('cri.CreateContainer');
  await breakpoint.press('Enter');
  await expect(page.locator('.debug-breakpoints')).toContainText('cri.CreateContainer');

  await lenses.last().click();
  const stack = page.locator('.debug-call-stack');
  await expect(stack).toContainText('kubelet SyncPod', { timeout: 90_000 });
  await expect(page.getByRole('tab', { name: /^sync-pod\.ts/ })).toBeVisible();
  const podscope = timeline(page);
  await expect(podscope.getByRole('heading', { name: 'db' })).toBeVisible({ timeout: 60_000 });
  await expect(podscope.getByText('stopped here')).toBeVisible();
  // The other pod of the manifest doesn't run.
  await expect(podscope.getByRole('option')).toHaveCount(1);

  await page.getByRole('button', { name: /^Continue/ }).click();
  await expect(stack).toContainText('CreateContainer');
  await expect(page.getByRole('tab', { name: /^start-container\.ts/ })).toBeVisible();
  await expect(podscope.getByText(/before CreateContainer/).first()).toBeAttached();

  await page
    .getByRole('button', { name: /^Disconnect|^Stop/ })
    .first()
    .click();
  await expect(page.frameLocator('iframe.webview').frameLocator('#active-frame').getByRole('status')).toContainText(
    'The debug session has ended',
  );
});

test('@long VS Code plays a scenario that is picked from the list', async ({ page }) => {
  test.skip(program === undefined, notInstalled);
  await openManifest(page);
  await command(page, 'Play a scenario');
  const list = page.locator('.quick-input-list .monaco-list-row');
  await expect(list.filter({ hasText: 'crash-loop' }).first()).toBeVisible({ timeout: 60_000 });
  await page.locator('.quick-input-widget input[type=text]').fill('missing-image');
  await list.filter({ hasText: 'missing-image' }).first().click();
  await expect(timeline(page).getByRole('heading', { name: 'missing-image' })).toBeVisible({ timeout: 90_000 });
});
