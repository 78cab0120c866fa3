/** Keeps the texts of notices, which disappear after some seconds. */
import type { Page } from '@playwright/test';

/**
 * Call it before the page is opened.
 * @returns a function that returns the texts of all notices since the last load of the page, a line each
 */
export async function keepNotices(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const notices = new Set<string>();
    Object.assign(globalThis, { notices });
    new MutationObserver(() => {
      for (const notice of document.querySelectorAll('[role=status][aria-label="Messages"] > *'))
        notices.add(notice.textContent ?? '');
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate(() => [...(globalThis as unknown as { notices: Set<string> }).notices].join('\n'));
}
