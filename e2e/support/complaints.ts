/** What a browser says against a page while a test looks at it. */
import type { ConsoleMessage, Page } from '@playwright/test';

/**
 * What the page complains about; a test ends with none of it. Chromium drops what it is loading when the machine's network changes, as it does
 * with each container that Docker starts: what is said of that is not the page's, which gets its files in the end.
 */
export function complaints(page: Page): () => readonly string[] {
  const found: string[] = [];
  let networkChanged = false;
  page.on('console', (message: ConsoleMessage) => {
    if (message.text().includes('net::ERR_NETWORK_CHANGED')) networkChanged = true;
    else if (message.type() === 'error' || message.type() === 'warning') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  const ofLoading = /^Unable to preload |when fetching the script\.$|dynamically imported module/;
  return () => found.filter((text) => !(networkChanged && ofLoading.test(text)));
}
