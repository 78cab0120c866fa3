/** Collects the errors and warnings of a page while a test runs. */
import type { ConsoleMessage, Page } from '@playwright/test';

/**
 * Returns a function that returns the errors and warnings of the page so far. Omits the errors of requests that
 * Chromium aborts when the machine's network changes, which happens whenever Docker starts a container. Also omits
 * Playwright's own warning about a blocked service worker, and Chromium's warning when the page connects again after a
 * busy server was silent.
 */
export function complaints(page: Page): () => readonly string[] {
  const found: string[] = [];
  let networkChanged = false;
  page.on('console', (message: ConsoleMessage) => {
    if (message.text().includes('net::ERR_NETWORK_CHANGED')) networkChanged = true;
    else if (message.text() === 'Service Worker registration blocked by Playwright') return;
    else if (message.text().includes('WebSocket is closed before the connection is established')) return;
    else if (message.type() === 'error' || message.type() === 'warning') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  const ofLoading = /^Unable to preload |when fetching the script\.$|dynamically imported module/;
  return () => found.filter((text) => !(networkChanged && ofLoading.test(text)));
}
