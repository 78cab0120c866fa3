/** Makes the pictures of the README afresh: `pnpm screenshots`. On the simulator, so that no engine is needed. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import config from './playwright.config.ts';
import { PodscopePage, podManifest } from './support/page.ts';
import { startPodscope } from './support/podscope.ts';

const folder = resolve(import.meta.dirname, '../docs/images');
await mkdir(folder, { recursive: true });
const podscope = await startPodscope({ runtime: 'sim' });
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  await app.submit('crash', podManifest('crash', 'echo about to fail; sleep 2; exit 1'));
  await page.getByRole('button', { name: 'New pod' }).waitFor();
  await podscope.api.waitForPod('crash', 'three restarts', (pod) => (pod?.status?.containerStatuses?.[0]?.restartCount ?? 0) >= 3, 180_000);
  await podscope.api.waitForPod('crash', 'CrashLoopBackOff', (pod) => pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff');
  await page
    .getByText(/next try in \d/)
    .first()
    .waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height, suffix] of [
      [1440, 900, ''],
      [1024, 768, '-small'],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.getByRole('button', { name: 'Fit everything' }).click();
      // Two frames: the layout settles in the first, the timeline draws in the second.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({ path: join(folder, `crash-loop-${colorScheme}${suffix}.png`), animations: 'disabled' });
    }
  }
} finally {
  await browser.close();
  await podscope.stop();
}
