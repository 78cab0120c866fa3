/** Opens pages that look the same on every machine, for pictures of README and docs. */
import type { Browser, BrowserContextOptions } from '@playwright/test';
import { keepNodePort } from '../virtual-time.ts';
import { PodscopePage } from './page.ts';

/** Opens an address in UTC, in English, without motion. @param viewport size in pixels */
export async function openForPictures(
  browser: Browser,
  url: string,
  viewport: NonNullable<BrowserContextOptions['viewport']>,
): Promise<PodscopePage> {
  const page = await browser.newPage({
    viewport,
    timezoneId: 'UTC',
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(120_000);
  await keepNodePort(page);
  const app = new PodscopePage(page);
  await app.open(url);
  return app;
}

/** Waits for two frames: the layout settles in the first, the timeline draws in the second. */
export const drawn = ({ page }: PodscopePage): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
