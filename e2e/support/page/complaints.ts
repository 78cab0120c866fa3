/** Collects the errors and warnings of a page while a test runs. */
import type { ConsoleMessage, Page } from '@playwright/test';

/**
 * Returns a function that returns the errors and warnings of the page so far. Chromium aborts requests when the
 * machine's network changes, which happens with each container that Docker starts: those errors are omitted, as is
 * Playwright's own warning where a test runs without service workers.
 */
export function complaints(page: Page): () => readonly string[] {
  const found: string[] = [];
  let networkChanged = false;
  page.on('console', (message: ConsoleMessage) => {
    if (message.text().includes('net::ERR_NETWORK_CHANGED')) networkChanged = true;
    else if (message.text() === 'Service Worker registration blocked by Playwright') return;
    else if (message.type() === 'error' || message.type() === 'warning') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  const ofLoading = /^Unable to preload |when fetching the script\.$|dynamically imported module/;
  return () => found.filter((text) => !(networkChanged && ofLoading.test(text)));
}
