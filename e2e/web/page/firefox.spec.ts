/** Runs smoke tests in Firefox: the live page, the static site and a lesson. Part of the long tier. */
import { expect, test } from '@playwright/test';
import { type FirefoxPage, firefoxPath, withFirefox } from '../../support/firefox/firefox.ts';
import { sharedSite } from '../../support/page/static-site.ts';
import { sharedServer } from '../../support/shared-server.ts';

const podscope = sharedServer({ runtime: 'sim' });

const site = sharedSite();

const path = firefoxPath();

/** Waits until the page has this text in an element. */
const shows = (page: FirefoxPage, selector: string, text: RegExp): Promise<void> =>
  expect
    .poll(
      () =>
        page.evaluate(
          `[...document.querySelectorAll(${JSON.stringify(selector)})]` +
            ".map((element) => (element.ariaLabel ?? '') + ' ' + element.textContent).join('\\n')",
        ),
      { timeout: 120_000 },
    )
    .toMatch(text);

const press = (page: FirefoxPage, key: string): Promise<unknown> =>
  page.evaluate(`document.body.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ key, bubbles: true })}))`);

/**
 * Returns Firefox's errors. zod tries `Function` while its modules load and catches the failure, but Firefox logs it
 * nevertheless.
 */
const complaints = ({ errors }: FirefoxPage): readonly string[] =>
  errors.filter((text) => !text.includes('blocked a JavaScript eval'));

const click = (page: FirefoxPage, selector: string, text: string): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})]` +
      `.find((element) => element.textContent.includes(${JSON.stringify(text)})).click()`,
  );

/** The canvas shows the timeline if it has more than one color. */
const isPainted =
  '(() => { const canvas = document.querySelector("[data-timeline] canvas"); const { data } = ' +
  'canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height); ' +
  'return new Set(new Uint32Array(data.buffer)).size > 4; })()';

test('@long Firefox shows a pod of a server, live', async () => {
  test.skip(path === undefined, 'Firefox is not installed: apt-get install firefox-esr');
  await podscope().api.createPod('fox', {
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
  });
  await withFirefox(path ?? '', async (page) => {
    await page.goto(podscope().url);
    await shows(page, '[role=listbox] [role=option]', /fox.*Running/s);
    await expect.poll(() => page.evaluate(isPainted)).toBe(true);
    await shows(page, '[role=treeitem]', /kuberuntime SyncPod/);
    expect(complaints(page)).toEqual([]);
  });
});

test('@long Firefox runs the static site with its engine', async () => {
  test.skip(path === undefined, 'Firefox is not installed: apt-get install firefox-esr');
  await withFirefox(path ?? '', async (page) => {
    await page.goto(`${site().url}?scenario=crash-loop&seed=3&speed=20`);
    await shows(page, '[role=listbox] [role=option]', /crash-loop.*\d+ restarts?/s);
    await shows(page, 'aside[aria-label=Inspector]', /kubectl logs crash-loop/);
    await expect.poll(() => page.evaluate(isPainted)).toBe(true);
    expect(complaints(page)).toEqual([]);
  });
});

test('@long Firefox plays a lesson', async () => {
  test.skip(path === undefined, 'Firefox is not installed: apt-get install firefox-esr');
  await withFirefox(path ?? '', async (page) => {
    await page.goto(site().url);
    await shows(page, 'h1', /See what the kubelet does/);
    await press(page, 'h');
    await shows(page, '[role=dialog] button', /Start:/);
    await click(page, '[role=dialog] button', 'Start:');
    await shows(page, 'main', /Step 1 of \d+/);
    await shows(page, '[role=listbox] [role=option]', /./);
    expect(complaints(page)).toEqual([]);
  });
});
