/** Finds the browser of the tests. */
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Returns the path of Playwright's Chromium, else of the machine's; undefined if there is neither. */
export const chromiumPath = (): string | undefined =>
  [chromium.executablePath(), ...installed].find((path) => existsSync(path));
