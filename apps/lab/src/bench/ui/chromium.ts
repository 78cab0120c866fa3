/** Starts a headless Chromium: the one that Playwright installed, or the machine's own. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The last one is Chromium without a user interface, which the test command installs on Debian. */
const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-headless-shell',
];

/**
 * While Playwright is attached, V8 records the position of each error. By default it finds the positions of a chunk by
 * parsing the chunk again, which no user's page does. So here it keeps the positions when it first parses a chunk.
 */
const scriptOptions = '--js-flags=--expose-gc --no-enable-lazy-source-positions';

/** Starts Chromium without a window. @throws Error with the package to install if Chromium is missing */
export async function launchChromium(): Promise<Browser> {
  const executablePath = [chromium.executablePath(), ...known].find((path) => existsSync(path));
  if (!executablePath)
    throw new Error('bench ui needs Chromium: install the package chromium, or run: npx playwright install chromium');
  // As root, Chromium doesn't start with its own sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath,
    args: [...sandbox, '--disable-background-networking', '--enable-precise-memory-info', scriptOptions],
  });
}
