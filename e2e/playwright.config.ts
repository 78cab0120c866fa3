/** Configures the browser tests. They use the Chromium that Playwright installed, or the machine's own. */
import { defineConfig } from '@playwright/test';
import { chromiumPath } from './support/page/chromium.ts';

const executablePath = chromiumPath();

/** `PODSCOPE_TEST_LONG=1` also runs tests that take too long for every run, and variants of other tests. */
const isLong = process.env['PODSCOPE_TEST_LONG'] === '1';

/** The files that run only with `--only long`. Unit tests cover most of the code behind them in every run. */
const longOnlyFiles = [
  '**/lessons/lesson-editor.spec.ts',
  '**/lessons/presentation.spec.ts',
  '**/site/docs-site.spec.ts',
];

export default defineConfig({
  testDir: './web',
  // Let Node.js itself remove the types, which takes a quarter of the processor time.
  build: { external: ['**/*.ts'] },
  // Pictures are compared only with `--only long`. `pnpm snapshots` updates them.
  testIgnore: [...(process.env['PODSCOPE_SNAPSHOTS'] ? [] : ['**/visual.spec.ts']), ...(isLong ? [] : longOnlyFiles)],
  ...(isLong ? {} : { grepInvert: /@long/ }),
  globalSetup: './support/page/build-once.ts',
  fullyParallel: false,
  // Each test file has its own server and spends half of its time waiting, so two files run at once.
  workers: 2,
  // Don't retry: a test that passes only at the second attempt has a defect that must be fixed.
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  // Only a test that fails waits for this long. The limit is high, because a busy machine is many times slower than an
  // idle one, and because the first test that needs the site or the package also builds it.
  timeout: 600_000,
  expect: {
    timeout: 120_000,
    // Allow a small difference, because rasterizers differ at the edges of letters. If a view has changed, more pixels
    // differ.
    toHaveScreenshot: { animations: 'disabled', caret: 'hide', scale: 'css', maxDiffPixelRatio: 0.02 },
  },
  // The fonts are packaged and time is virtual, so a picture is the same everywhere.
  snapshotPathTemplate: '{testDir}/../snapshots/{arg}{ext}',
  outputDir: '../test-results',
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // Drawing a live timeline in every frame takes a fifth of a processor. Tests of motion enable it.
    contextOptions: { reducedMotion: 'reduce' },
    // Block the site's service worker, because it would load every file of the site in each test.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--disable-background-networking',
        // While Playwright is attached, V8 looks up where each error was created, and would parse a whole chunk again
        // for it, which takes a tenth of the time to load a page.
        '--js-flags=--no-enable-lazy-source-positions',
        // As root, Chromium doesn't start with its own sandbox.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
});
