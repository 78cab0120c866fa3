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

/** Opens VS Code with the manifest in an editor. */
async function openManifest(page: Page): Promise<void> {
  await page.goto(server?.url ?? '');
  const file = page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'pods.yaml' });
  await file.dblclick({ timeout: 90_000 });
}

const notInstalled = 'code-server is not installed: the long tier could not install it from npm';

test('@long VS Code debugs one pod of a manifest, and the timeline follows it', async ({ page }) => {
  test.skip(program === undefined, notInstalled);
  await openManifest(page);
  const lenses = page.locator('.codelens-decoration a').filter({ hasText: 'Debug this pod' });
  await expect(lenses).toHaveCount(2, { timeout: 60_000 });
  await lenses.last().click();
  await expect(page.locator('.debug-toolbar')).toBeVisible({ timeout: 90_000 });
  const podscope = timeline(page).locator('body');
  await expect(podscope).toContainText('paused before kubelet SyncPod', { timeout: 60_000 });
  await expect(page.locator('.debug-call-stack')).toContainText('kubelet SyncPod');

  await page.keyboard.press('F5');
  await expect(podscope).toContainText('1/1 ready', { timeout: 60_000 });
  // The other pod of the manifest doesn't run.
  await expect(podscope).toContainText('Pods 1');
});
