/** Tests the extension in VS Code itself: code-server in Chromium. Part of the long tier. */
import { expect, type FrameLocator, type Locator, type Page, test } from '@playwright/test';
import { type CodeServer, codeServerPath, startCodeServer } from '../../support/vscode/code-server.ts';

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

const pod = `apiVersion: v1
kind: Pod
metadata: { name: alone }
spec:
  containers: [{ name: app, image: 'busybox:1.36', command: [sleep, '3600'] }]
`;

/** A launch.json without configurations, with an empty line for one. */
const launch = `{
  "version": "0.2.0",
  "configurations": [

  ]
}
`;

let server: CodeServer | undefined;

test.beforeAll(async () => {
  if (program === undefined) return;
  server = await startCodeServer(program, {
    'pods.yaml': manifest,
    'notes.yaml': 'a: 1\n',
    'launched/pod.yaml': pod,
    'launched/.vscode/launch.json': launch,
    'dark/pod.yaml': pod,
    'dark/.vscode/settings.json': JSON.stringify({ 'workbench.colorTheme': 'Default Dark Modern' }),
  });
});
test.afterAll(() => server?.stop());

/** Returns the page of Podscope in the webview of the timeline. */
const timeline = (page: Page): FrameLocator =>
  page.frameLocator('iframe.webview').frameLocator('#active-frame').frameLocator('iframe');

/** Opens VS Code with the workspace, or with a folder of it. */
async function openFolder(page: Page, folder = ''): Promise<void> {
  const address = new URL(server?.url ?? '');
  if (folder !== '') address.searchParams.set('folder', `${server?.workspace}/${folder}`);
  await page.goto(address.href);
  await expect(page.locator('.explorer-folders-view .monaco-list-row').first()).toBeVisible();
}

/** Returns a file in the explorer. */
const fileNamed = (page: Page, name: string): Locator =>
  page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: name });

/** Opens VS Code with the manifest in an editor. */
async function openManifest(page: Page): Promise<void> {
  await openFolder(page);
  await fileNamed(page, 'pods.yaml').dblclick();
}

/** Runs a command of the command palette by its title. */
async function runCommand(page: Page, title: string): Promise<void> {
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
  // An open palette doesn't show commands of extensions that are loaded later.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input').first().fill(`>${title}`);
    await expect(row).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
  await row.click();
}

/** Returns the items of the open context menu. */
const menuItems = (page: Page): Locator => page.locator('.monaco-menu .action-item');

/**
 * Opens the context menu of an element with this item. An open menu doesn't change, and the extension reads the files
 * of the workspace after its start.
 */
async function openMenuWith(page: Page, target: Locator, item: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape');
    await target.click({ button: 'right', timeout: 5_000 });
    await expect(menuItems(page).first()).toBeVisible({ timeout: 5_000 });
    expect(await item.isVisible()).toBe(true);
  }).toPass({ timeout: 120_000 });
}

/** Chooses an item of the open context menu. The menu ignores clicks until 100 ms after it has opened. */
async function chooseItem(item: Locator): Promise<void> {
  await expect(async () => {
    if (await item.isVisible()) await item.click({ timeout: 5_000 });
    await expect(item).toHaveCount(0, { timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
}

/** Presses the button of the debug toolbar: a key would go to the timeline if that has the focus. */
const continueDebugging = (page: Page): Promise<void> =>
  page
    .locator('.debug-toolbar')
    .getByRole('button', { name: /^Continue/ })
    .click();

const notInstalled = 'code-server is not installed: the long tier could not install it from npm';

test('@long VS Code debugs one pod of a manifest, and the timeline follows it', async ({ page }) => {
  test.skip(program === undefined, notInstalled);
  await openManifest(page);
  const lenses = page.locator('.codelens-decoration a').filter({ hasText: 'Debug this pod' });
  await expect(lenses).toHaveCount(2);
  await lenses.last().click();
  await expect(page.locator('.debug-toolbar')).toBeVisible();
  const podscope = timeline(page).locator('body');
  await expect(podscope).toContainText('paused before kubelet SyncPod');
  await expect(page.locator('.debug-call-stack')).toContainText('kubelet SyncPod');

  await continueDebugging(page);
  await expect(podscope).toContainText('1/1 ready');
  // The other pod of the manifest doesn't run.
  await expect(podscope).toContainText('Pods 1');
});

test('@long VS Code runs a launch.json made of a snippet, and a function breakpoint stops the pod', async ({
  page,
}) => {
  test.skip(program === undefined, notInstalled);
  await openFolder(page, 'launched');
  await fileNamed(page, '.vscode').click();
  await fileNamed(page, 'launch.json').dblclick();
  await page.locator('.view-line').nth(3).click();
  // Until VS Code has read the schema of the file, it suggests only words.
  const suggestions = page.locator('.suggest-widget .monaco-list-row');
  await expect(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Space');
    await expect(suggestions.nth(5)).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
  // The list shows only a part of its entries, and hides those that don't match.
  await page.keyboard.type('podscope');
  await suggestions.filter({ hasText: 'Podscope: Pod in the simulator' }).click();
  await expect(page.locator('.view-lines')).toContainText('"stopOnEntry": true');
  await page.keyboard.press('Control+S');
  await expect(page.locator('.tab.active.dirty')).toHaveCount(0);

  // VS Code reads the saved file later than it saves it. Until it knows a configuration, it has no list of breakpoints,
  // and the command below does nothing.
  await runCommand(page, 'Show Run and Debug');
  await expect(page.locator('.start-debug-action-item')).toContainText('Pod in the simulator');
  await runCommand(page, 'Add Function Breakpoint');
  const name = page.locator('.debug-breakpoints input[type="text"], .debug-breakpoints .monaco-inputbox input').first();
  await name.fill('CreateContainer');
  await name.press('Enter');
  await expect(page.locator('.debug-breakpoints')).toContainText('CreateContainer');
  await page.keyboard.press('F5');
  const stack = page.locator('.debug-call-stack');
  await expect(stack).toContainText('kubelet SyncPod');
  await expect(timeline(page).locator('body')).toContainText('paused before kubelet SyncPod');
  await continueDebugging(page);
  // The first function of that name creates the sandbox's container.
  await expect(stack).toContainText('ContainerCreate');
  await expect(timeline(page).locator('body')).toContainText('paused before ContainerCreate');
});

test('@long VS Code lists the scenarios, and plays the picked one', async ({ page }) => {
  test.skip(program === undefined, notInstalled);
  await openFolder(page);
  await runCommand(page, 'Podscope: Play a scenario');
  const entries = page.locator('.quick-input-list .monaco-list-row');
  await expect(entries.filter({ hasText: 'one-container' })).toBeVisible();
  await page.locator('.quick-input-widget input').first().fill('crash-loop');
  await entries.filter({ hasText: 'crash-loop' }).first().click();
  await expect(page.locator('.debug-call-stack')).toContainText('kubelet SyncPod');
  await expect(timeline(page).locator('body')).toContainText('paused before kubelet SyncPod');
});

test('@long VS Code offers to debug the pods in the menus of a manifest, and of no other file', async ({ page }) => {
  test.skip(program === undefined, notInstalled);
  await openManifest(page);
  await expect(page.locator('.codelens-decoration a').first()).toBeVisible();
  const item = menuItems(page).filter({ hasText: 'Debug this pod' });
  await openMenuWith(page, fileNamed(page, 'pods.yaml'), item);
  await page.keyboard.press('Escape');
  // By now the extension has read the files.
  await fileNamed(page, 'notes.yaml').click({ button: 'right' });
  await expect(menuItems(page).filter({ hasText: 'Rename' })).toBeVisible();
  await expect(item).toHaveCount(0);
  await page.keyboard.press('Escape');

  await openMenuWith(page, page.locator('.view-line').first(), item);
  await chooseItem(item);
  // The menus run every pod of the manifest.
  await expect(timeline(page).locator('body')).toContainText('Pods 2');
});

test('@long VS Code opens the walkthrough, and its first step lists the scenarios', async ({ page }) => {
  test.skip(program === undefined, notInstalled);
  await openFolder(page);
  await runCommand(page, 'Podscope: Get started');
  const guide = page.locator('.gettingStartedContainer');
  await expect(guide).toContainText('Debug a pod with Podscope');
  for (const step of ['Play a scenario', 'Debug your own Pod', 'Set breakpoints', 'Follow the timeline'])
    await expect(guide).toContainText(step);
  await guide
    .locator('.button-container a, .button-container .monaco-button')
    .filter({ hasText: 'Play a scenario' })
    .click();
  const entries = page.locator('.quick-input-list .monaco-list-row');
  await expect(entries.filter({ hasText: 'one-container' })).toBeVisible();
});

test('@long the timeline has the theme of VS Code, not that of the system', async ({ page }) => {
  test.skip(program === undefined, notInstalled);
  // Playwright's own color scheme, light, would apply to every frame.
  await page.emulateMedia({ colorScheme: null });
  await openFolder(page, 'dark');
  await fileNamed(page, 'pod.yaml').dblclick();
  await page.locator('.codelens-decoration a').filter({ hasText: 'Debug this pod' }).click();
  await expect(timeline(page).locator('html')).toHaveAttribute('data-theme', 'dark');
});
