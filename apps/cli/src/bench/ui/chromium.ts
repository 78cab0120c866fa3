/** A headless Chromium: the machine's own, or the one that Playwright installed. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const known = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @throws Error saying what to install where there is none */
export async function launchChromium(): Promise<Browser> {
  const executablePath = [chromium.executablePath(), ...known].find((path) => existsSync(path));
  if (!executablePath) throw new Error('bench ui needs Chromium: install the package chromium, or run: npx playwright install chromium');
  // Chromium's own sandbox can't be had as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...sandbox, '--disable-background-networking', '--enable-precise-memory-info', '--js-flags=--expose-gc'] });
}
