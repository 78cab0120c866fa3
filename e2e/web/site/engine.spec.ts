/**
 * Tests that the engine makes the same decisions in a browser as in Node.js. Compares the engine in Chromium with
 * recordings of the genuine kubelet.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { bundleForPage } from '../../support/page/engine-bundle.ts';
import type { Engine } from '../../support/page/engine-in-page.ts';

const vectors = join(import.meta.dirname, '../../../apps/lab/vectors');
const origin = 'http://engine.invalid';

let script: string;
test.beforeAll(async () => {
  script = await bundleForPage('engine-in-page');
});

async function openEngine(page: Page): Promise<void> {
  await page.route(`${origin}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '')
      await route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><script type="module" src="/engine.js"></script>',
      });
    else if (name === 'engine.js') await route.fulfill({ contentType: 'text/javascript', body: script });
    else await route.fulfill({ contentType: 'application/octet-stream', body: await readFile(join(vectors, name)) });
  });
  await page.goto(origin);
  await page.waitForFunction(() => 'podscopeEngine' in globalThis);
}

/** Runs a file in the page. */
const inPage = (page: Page, file: keyof Engine, ...args: readonly string[]): Promise<unknown> =>
  page.evaluate(
    ([name = '', ...given]) => {
      const { podscopeEngine } = globalThis as unknown as {
        readonly podscopeEngine: Record<string, (...args: unknown[]) => Promise<unknown>>;
      };
      return podscopeEngine[name]?.(...given);
    },
    [file, ...args],
  );

for (const [release, cases] of [
  ['v1.36', 2000],
  ['v1.20', 1500],
] as const) {
  test(`decides every compute case of ${release} as the kubelet did`, async ({ page }) => {
    await openEngine(page);
    expect(await inPage(page, 'compute', release)).toEqual({ cases, differing: [] });
  });
}

test('plays the recorded pods of both releases, with their back-offs, as the kubelet did', async ({ page }) => {
  test.slow();
  await openEngine(page);
  expect(await inPage(page, 'sync', 'v1.36')).toEqual({ cases: 500, differing: [] });
  expect(await inPage(page, 'sync', 'v1.20')).toEqual({ cases: 400, differing: [] });
  expect(await inPage(page, 'backoff')).toEqual({ cases: 200, differing: [] });
});
