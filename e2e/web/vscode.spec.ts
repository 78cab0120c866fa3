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
  const input = page.locator('.quick-input-widget input[type=text]');
  await input.fill(`>${name}`);
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().click();
}

test('@long VS Code debugs a pod of a manifest, and the timeline follows it', async ({ page }) => {
  test.skip(program === undefined, 'code-server is not installed: the long tier installs it from npm');
  await page.goto(server?.url ?? '');
  await page.getByRole('treeitem', { name: 'pods.yaml' }).dblclick();
  const lenses = page.locator('.codelens-decoration a').filter({ hasText: 'Debug this pod' });
  await expect(lenses).toHaveCount(2);

  await command(page, 'Debug: Add Function Breakpoint');
  await page.locator('.functionBreakpoint input, .inputBoxContainer input').first().fill('cri.CreateContainer');
  await page.keyboard.press('Enter');

  await lenses.last().click();
  const stack = page.locator('.debug-call-stack');
  await expect(stack).toContainText('db');
  await expect(page.locator('.debug-toolbar')).toBeVisible();
  await expect(timeline(page).getByRole('heading', { name: 'db' })).toBeVisible();

  await page.keyboard.press('F5');
  await expect(stack).toContainText('CreateContainer');
  await expect(page.getByRole('tab', { name: /start-container\.ts/ })).toBeVisible();
});
