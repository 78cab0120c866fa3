/** Tests the page without a server: its own engine, scenarios, the debugger, time travel, files, offline use. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { expect as kitExpect, Podscope, servePodscopeSite } from '@podscope/playwright';
import { axe } from '../../support/page/axe.ts';
import { keepNotices } from '../../support/page/notices.ts';
import { complaints } from '../../support/page/complaints.ts';
import { PodscopePage, podManifest } from '../../support/page/page.ts';
import { serveSite, sharedSite } from '../../support/page/static-site.ts';

/** A crashed container is an Error until the first sync in its back-off, then CrashLoopBackOff. */
const crashed = /(Error|CrashLoopBackOff), 0\/1 ready, [1-9]/;

const site = sharedSite();

test('has a page and an engine that are small enough', () => {
  // The engine is loaded after the page, and has its own size limit.
  const kibibytes = (pattern: RegExp): number => Number(pattern.exec(site().output)?.[1]);
  expect(kibibytes(/page: (\d+) KiB/)).toBeLessThanOrEqual(250);
  expect(kibibytes(/engine chunk: (\d+) KiB/)).toBeLessThanOrEqual(350);
});

test('contains the exercises and none of their solutions', async () => {
  const assets = join(site().directory, 'assets');
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map((name) => readFile(join(assets, name), 'utf8')));
  expect(texts.filter((text) => text.includes('id: fix-memory'))).not.toEqual([]);
  // The editor's code contains the first line of a block that the editor writes. Blocks in lessons begin with a
  // manifest.
  expect(texts.filter((text) => /```solution(?:\n|\\n)apiVersion/.test(text)).length).toBe(0);
});

test('is driven by the Playwright kit, from its folder', async ({ page }) => {
  const served = await servePodscopeSite(site().directory);
  try {
    const podscope = new Podscope(page, served.url);
    await podscope.playScenario('crash-loop', { seed: 3, paused: true });
    const pod = podscope.pod('crash-loop');
    await podscope.advance('12s');
    await kitExpect(pod).toReachPhase('Running');
    await kitExpect(pod).toBeInBackOff({ container: 'app', seconds: 10 });
    await podscope.breakpoints.set('cri.StartContainer');
    await podscope.runUntil({ pod: 'crash-loop', stoppedAt: 'cri.StartContainer' });
    await kitExpect(pod).toBeStoppedAt('cri.StartContainer');
    // The node in the page is replaced in the same way as a server's node.
    await podscope.openAlone({ paused: true });
    await podscope.apply(podManifest('web', 'exit 3'));
    await podscope.runUntil({ pod: 'web', restarts: 1 });
    await podscope.reset();
    expect([await podscope.pods(), await podscope.breakpoints.list()]).toEqual([[], []]);
  } finally {
    await served.stop();
  }
});

test('starts without a violation of its content security policy', async ({ page }) => {
  await page.addInitScript(() => {
    const violations: string[] = [];
    Reflect.set(globalThis, 'violations', violations);
    document.addEventListener('securitypolicyviolation', ({ blockedURI, sourceFile, effectiveDirective }) =>
      violations.push(`${effectiveDirective} blocked ${blockedURI} of ${sourceFile}`),
    );
  });
  await page.goto(`${site().url}?scenario=one-container&seed=3`);
  await expect(new PodscopePage(page).pod('one-container')).toHaveAccessibleName(/Running/);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'violations') as unknown)).toEqual([]);
});

test('reports an unknown scenario, and plays one from the library', async ({ page }) => {
  const app = new PodscopePage(page);
  await page.goto(`${site().url}?scenario=missing-imag`);
  await expect(page.getByText('There is no scenario "missing-imag"')).toBeVisible();
  // The page must not report a missing server, because it needs no server.
  await expect(page.getByText('No connection')).toHaveCount(0);
  await page.getByRole('button', { name: 'Play a scenario' }).click();
  const dialog = page.getByRole('dialog', { name: 'Scenarios' });
  await dialog.getByRole('searchbox').fill('missing image');
  await dialog
    .getByRole('link', { name: /^Missing image/ })
    .first()
    .click();
  await expect(app.pod('missing-image')).toHaveAccessibleName(/ErrImagePull|ImagePullBackOff/);
  expect(page.url()).toContain('scenario=missing-image');
  await expect(page.getByRole('region', { name: 'About the scenario' })).toContainText(
    'ErrImagePull is a failed attempt',
  );
});

test('stops before a step, shows stack and variables, steps, and fails a call by hand', async ({ page }) => {
  const found = complaints(page);
  const app = new PodscopePage(page);
  // Time is paused until the breakpoint is set, so that no start is missed.
  await app.open(`${site().url}?scenario=crash-loop&speed=5&paused`);
  await expect(app.pod('crash-loop')).toBeVisible();
  await app.tab('Steps');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await page.getByRole('button', { name: /^Breakpoint before Start containers/ }).click();
  await page.getByRole('button', { name: 'Resume time' }).click();
  await expect(inspector.getByRole('heading', { name: 'Stopped before' })).toBeVisible();
  await expect(inspector.getByRole('list', { name: 'Call stack' }).getByRole('listitem').first()).toContainText(
    'Start containers',
  );
  await inspector.getByRole('button', { name: 'podActions' }).click();
  await expect(inspector.getByText('containersToStart').first()).toBeVisible();

  // The Code tab shows the line that runs.
  const code = await app.tab('Code');
  await expect(code.locator('.stopped-line')).toBeVisible();
  await app.tab('Steps');

  // Only this pod is stopped, until a command continues it.
  const debuggerBar = page.getByRole('toolbar', { name: 'Debugger' });
  await debuggerBar.getByRole('button', { name: 'Step into' }).click();
  await expect(debuggerBar.getByRole('status')).toContainText('Step: before startContainer');
  await debuggerBar.getByRole('button', { name: 'Continue' }).click();

  // The next start is the first restart, which doBackOff allows at once.
  await expect(debuggerBar.getByRole('status')).toContainText('Breakpoint: before Start containers');
  await debuggerBar.getByRole('button', { name: 'Step into' }).click();
  await expect(debuggerBar.getByRole('status')).toContainText('before doBackOff');
  await debuggerBar.getByRole('button', { name: 'Step over' }).click();
  await expect(debuggerBar.getByRole('status')).toContainText('before startContainer');
  await page.getByRole('button', { name: 'Override' }).click();
  const dialog = page.getByRole('dialog', { name: 'Override' });
  await dialog.getByLabel('Message').fill('no more room');
  await dialog.getByRole('button', { name: 'Apply and continue' }).click();
  await expect((await app.tab('Results')).getByText(/no more room/).first()).toBeVisible();
  const { violations } = await axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  expect(found()).toEqual([]);
});

test('goes back in time and returns to the present; the address contains the instant', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(`${site().url}?scenario=crash-loop&seed=3&speed=20`);
  await expect(app.pod('crash-loop')).toHaveAccessibleName(crashed);
  const travel = page.getByRole('toolbar', { name: 'Time travel' });
  await travel.getByRole('button', { name: 'Go to start' }).click();
  await expect(travel.getByRole('button', { name: 'Back to live' })).toBeVisible();
  await expect.poll(() => page.url()).toMatch(/[?&]at=\d+/);
  await expect(app.pod('crash-loop')).toHaveAccessibleName(/Pending|ContainerCreating/);
  for (let step = 0; step < 3; step++) await travel.getByRole('button', { name: 'Step forward' }).click();
  await page.keyboard.press('l');
  await expect(app.pod('crash-loop')).toHaveAccessibleName(/CrashLoopBackOff|Error|Running/);
  await expect.poll(() => page.url()).not.toContain('at=');
});

test('repeats the run up to an instant of the past, and continues differently from there', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(`${site().url}?scenario=crash-loop&seed=3&speed=20`);
  await expect(app.pod('crash-loop')).toHaveAccessibleName(crashed);
  const slider = page.getByRole('slider', { name: 'Position in time' });
  const instant = Number(await slider.getAttribute('min')) + 1_500;
  // The end of the slider is updated only a few times a second. It would replace a value beyond it.
  await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(instant);
  await slider.fill(String(instant));
  await page.getByRole('button', { name: 'Replay from here' }).click();
  await expect(page.getByRole('button', { name: 'Resume time' })).toBeVisible();
  await expect(app.pod('crash-loop')).toHaveAccessibleName(/Running, 1\/1 ready/);
  // This time the pod is deleted before it crashes.
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog', { name: 'Delete crash-loop' }).getByRole('button', { name: 'Delete pod' }).click();
  await page.getByRole('button', { name: 'Resume time' }).click();
  await expect(app.pod('crash-loop')).toHaveAccessibleName(
    /[Dd]eleted|[Gg]one|Terminating|Completed|Succeeded|Failed|Error/,
  );
});

test('saves the run as a file and opens it again, with the breakpoints that a link brought', async ({ page }) => {
  const app = new PodscopePage(page);
  const notices = await keepNotices(page);
  const brought = [
    { point: 'cri.CreateContainer', pod: 'crash-*', condition: 'request.config.metadata.attempt == 1' },
    { filter: 'firstBackOff', pod: 'other' },
  ];
  await app.open(
    `${site().url}?scenario=crash-loop&seed=3&speed=20&break=${encodeURIComponent(JSON.stringify(brought))}`,
  );
  await expect.poll(notices).toContain('The link’s 2 breakpoints were added.');
  await expect(
    page.getByRole('toolbar', { name: 'Debugger' }).getByRole('button', { name: '2 breakpoints' }),
  ).toBeVisible();
  await expect(
    page.getByRole('complementary', { name: 'Inspector' }).getByRole('heading', { name: 'Stopped before' }),
  ).toBeVisible();
  // The breakpoints were set before time began. So the run stops at the first restart, no matter how slow the page is.
  await expect(app.pod('crash-loop')).not.toHaveAccessibleName(/[2-9] restarts/);
  await page.keyboard.press('F8');
  await expect(app.pod('crash-loop')).toHaveAccessibleName(crashed);
  // Wait for the first back-off after the crash, because the test later searches the opened file for it.
  await expect(app.onTimeline(/^app, back-off \d+[ms]/).first()).toBeAttached();
  await page.getByRole('button', { name: 'Share' }).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Save run as a file' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/\.podscope$/);
  const bytes = await readFile(await saved.path());
  expect(gunzipSync(bytes).toString('utf8').split('\n', 1)[0]).toContain('"format":"podscope-trace"');

  await app.open(site().url);
  const transfer = await page.evaluateHandle(
    (data) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([new Uint8Array(data)], 'lesson.podscope'));
      return dropped;
    },
    [...bytes],
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await expect(app.pod('crash-loop')).toBeVisible();
  await app.pod('crash-loop').click();
  await expect((await app.tab('Results')).getByText('CrashLoopBackOff').first()).toBeVisible();
  // The recording has its own breakpoints, accepts others, and stops at them when going back.
  const travel = page.getByRole('toolbar', { name: 'Time travel' });
  await travel.getByRole('button', { name: 'Back to the last breakpoint' }).click();
  await expect.poll(() => page.url()).toMatch(/[?&]at=\d+/);
  const first = Number(new URL(page.url()).searchParams.get('at'));
  expect(first).toBeGreaterThan(50);
  await page.keyboard.press('b');
  const breakpoints = page.getByRole('dialog', { name: 'Breakpoints' });
  await expect(breakpoints.getByText('if request.config.metadata.attempt == 1')).toBeVisible();
  await breakpoints.getByRole('button', { name: 'Remove all' }).click();
  await page.keyboard.press('Escape');
  await (await app.tab('Steps')).getByRole('button', { name: /^Breakpoint before Create the sandbox/ }).click();
  await page.keyboard.press('Shift+F8');
  await expect.poll(() => Number(new URL(page.url()).searchParams.get('at'))).toBeLessThan(first);
});

test('compares a scenario with the same one in the other release', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(`${site().url}?scenario=crash-loop&seed=3&speed=20`);
  await expect(app.pod('crash-loop')).toHaveAccessibleName(crashed);
  const compare = await app.tab('Compare');
  await compare.getByRole('button', { name: 'Play it with kubelet v1.20' }).click();
  await expect(compare.getByRole('tree', { name: /in kubelet v1\.20$/ })).toBeVisible();
  await compare.getByRole('radio', { name: 'Actions' }).click();
  await expect(compare.getByText(/This run and kubelet v1\.20/)).toBeVisible();
  // A link can request the comparison without naming the tab.
  await app.open(`${site().url}?scenario=one-container&beside`);
  await expect(
    page.getByRole('tabpanel', { name: 'Compare' }).getByRole('tree', { name: /in kubelet v1\.20$/ }),
  ).toBeVisible();
});

test('plays in a frame of another site, where a page may not store data', async ({ page }) => {
  // Use two host names, because 127.0.0.1 and localhost are different sites.
  const host = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(
      `<iframe width="1200" height="700" src="${site().url}?embed&lesson=crash-loops&step=curve"></iframe>
        <iframe sandbox="allow-scripts" name="without-origin" src="${site().url}?embed&scenario=crash-loop"></iframe>`,
    ),
  );
  await new Promise<void>((listening) => {
    host.listen(0, 'localhost', listening);
  });
  const address = host.address();
  if (address === null || typeof address === 'string') throw new Error('the host has no port');
  const frame = page.frameLocator('iframe').first();
  // Chromium cancels loading when the machine's network changes, so try again with a longer limit.
  let timeout = 5_000;
  await expect(async () => {
    timeout *= 2;
    await page.goto(`http://localhost:${address.port}`);
    await expect(frame.getByRole('heading', { name: 'The curve' })).toBeVisible({ timeout });
  }).toPass();
  await expect(
    frame
      .getByRole('listbox', { name: 'Pods', includeHidden: true })
      .getByRole('option', { name: /^crash-loop,/, includeHidden: true }),
  ).toBeAttached();
  await expect(frame.getByRole('button', { name: 'Run it' })).toBeVisible();
  // A page that can't run in its frame reports the missing permission.
  await expect(page.frameLocator('[name="without-origin"]').getByRole('alert')).toContainText('allow-same-origin');
  host.closeAllConnections();
  host.close();
});

test('explains why nothing loads when its folder is requested without the slash', async ({ page }) => {
  // Serve the page at a path without a slash at its end, where relative addresses of the page's files are wrong.
  const address = new URL('../without', site().url).href;
  await page.route(address, async (route) =>
    route.fulfill({ path: join(site().directory, 'index.html'), contentType: 'text/html' }),
  );
  await page.goto(address);
  await expect(page.getByText('has to end with a slash')).toBeVisible();
});

/** Resolves when every file is in the cache. */
const kept = (page: Page): Promise<unknown> => page.evaluate(() => navigator.serviceWorker.ready);

test.describe('with its service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('plays a scenario that a link names, without requests to any server', async ({ page }) => {
    const found = complaints(page);
    const app = new PodscopePage(page);
    await app.open(`${site().url}?scenario=crash-loop&seed=3&speed=20`);
    // Pause the time, because at this speed the first back-offs end before the page can be read.
    await app.pauseWhile('crash-loop', crashed);
    await expect(app.onTimeline(/^app, back-off \d+[ms]/).first()).toBeAttached();
    // Wait until every file is in the cache and the page loads its files from there.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    site().takeRequests();
    // At the end of the back-off, the container has just been started, or is about to be.
    await page.getByRole('button', { name: 'Go to the next event' }).click();
    await page.getByRole('button', { name: 'Resume time' }).click();
    await expect(page.getByRole('button', { name: 'Pause time' })).toBeVisible();
    expect(site().takeRequests()).toEqual([]);
    expect(found()).toEqual([]);
  });

  test('works offline once it has been loaded, in every view', async ({ page }) => {
    const found = complaints(page);
    const app = new PodscopePage(page);
    const own = await serveSite(site().directory);
    await app.open(own.url);
    await kept(page);
    const addresses = await page.evaluate(async () => {
      const [name = ''] = await caches.keys();
      return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    });
    const { directory } = site();
    const files = await readdir(directory, { recursive: true, withFileTypes: true });
    const ofSite = files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => relative(directory, join(parentPath, name)));
    const missing = ofSite.filter((name) => !addresses.some((address) => address.endsWith(`/${name}`)));
    expect(missing.filter((name) => !name.startsWith('docs/')).toSorted()).toEqual([
      '.podscope-site',
      'index.html',
      'server.html',
      'share.png',
      'sw.js',
    ]);
    await own.stop();
    await app.open(`${own.url}?scenario=one-container`);
    await expect(app.pod('one-container')).toHaveAccessibleName(/Running/);
    for (const name of ['Code', 'Logs', 'Spec', 'Metrics', 'Compare'] as const)
      await expect(await app.tab(name)).not.toBeEmpty();
    for (const [key, title] of [
      ['h', 'Lessons'],
      ['y', 'Explain a pod from another cluster'],
      ['n', 'New pod'],
      ['r', 'Saved runs'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog', { name: title })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    expect(
      found().filter((text) => !text.includes('ERR_CONNECTION_REFUSED') && !text.includes('ServiceWorker')),
    ).toEqual([]);
  });

  test('loads a new build from its host, while an open page keeps running the old build', { tag: '@long' }, async ({
    page,
    context,
  }) => {
    const build = (of: Page): Promise<string | null> => of.locator('meta[name=podscope-build]').getAttribute('content');
    const folder = await mkdtemp(join(tmpdir(), 'podscope-site-'));
    await cp(site().directory, folder, { recursive: true });
    const own = await serveSite(folder);
    const app = new PodscopePage(page);
    await app.open(own.url);
    await kept(page);
    const old = await build(page);

    // The version of the next build, which has a changed page and one file less.
    const renewed = '0123456789abcdef';
    const help =
      (await readdir(join(folder, 'assets'))).find((name) => name.startsWith('HelpDialog-') && name.endsWith('.js')) ??
      '';
    for (const name of ['index.html', 'sw.js']) {
      const text = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), text.replaceAll(old ?? '', renewed).replace(`"./assets/${help}",`, ''));
    }
    await rm(join(folder, 'assets', help));
    const next = await context.newPage();
    await new PodscopePage(next).open(own.url);
    expect(await build(next)).toBe(renewed);
    // The cache contains the files of both builds, because open pages may still request files of the previous build.
    await expect
      .poll(() => next.evaluate(async () => (await caches.keys()).map((name) => name.replace(/.* /, ''))))
      .toEqual([old, renewed]);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    expect(await build(page)).toBe(old);
    // The page itself is cached last.
    const isKept = (version: string): Promise<boolean> =>
      next.evaluate(
        async ({ suffix, address }) => {
          const [name = ''] = (await caches.keys()).filter((each) => each.endsWith(suffix));
          return (await (await caches.open(name)).match(address)) !== undefined;
        },
        { suffix: version, address: own.url },
      );
    await expect.poll(() => isKept(renewed), { timeout: 180_000 }).toBe(true);
    await own.stop();
    await expect(async () => {
      await new PodscopePage(next).open(own.url);
      expect(await build(next)).toBe(renewed);
    }).toPass();
    await rm(folder, { recursive: true, force: true });
  });
});
