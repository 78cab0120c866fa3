/** The product in a real Chromium: the one Playwright installed, or the machine's own where there is none. */
import { existsSync } from 'node:fs';
import { chromium, defineConfig } from '@playwright/test';

const systemChromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));
const executablePath = existsSync(chromium.executablePath()) ? undefined : systemChromium;

export default defineConfig({
  testDir: './web',
  // Pictures are compared where they were taken: `pnpm snapshots` does it, and renews them.
  testIgnore: process.env['PODSCOPE_SNAPSHOTS'] ? [] : ['**/visual.spec.ts'],
  fullyParallel: false,
  // Each file has a server of its own; half of what it does is waiting.
  workers: 2,
  // A machine that is busy with something else gets a second chance, and it is told.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 90_000,
  expect: {
    timeout: 20_000,
    // Rasterizers differ in the edges of letters; a view that changed differs in more.
    toHaveScreenshot: { animations: 'disabled', caret: 'hide', scale: 'css', maxDiffPixelRatio: 0.02 },
  },
  // The fonts are packaged and time is virtual: the same picture everywhere.
  snapshotPathTemplate: '{testDir}/../snapshots/{arg}{ext}',
  outputDir: '../test-results',
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // A recording costs as much as the test: it is made when one is needed.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Chromium's own sandbox can't be had as root.
      args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-background-networking'] : ['--disable-background-networking'],
    },
  },
});
