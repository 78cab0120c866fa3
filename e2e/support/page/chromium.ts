/** Finds the browser with which the tests run. */
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** Chromium without a user interface, as Debian packages it. It takes a third less processor time. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Returns the path of the headless shell, or else of Playwright's Chromium, or else of the machine's Chromium;
 * undefined if none of them is installed.
 */
export const chromiumPath = (): string | undefined =>
  [headlessShell, chromium.executablePath(), ...installed].find((path) => existsSync(path));
