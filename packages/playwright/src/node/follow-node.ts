/** Opens a page of Podscope that follows a worker's node, beside the tests' pages. */
import type { Browser } from '@playwright/test';
import { PodscopePage } from '../page.ts';
import { PodscopeNode } from './podscope-node.ts';

/** A node that is followed until `stop` is called. */
export interface FollowedNode {
  readonly node: PodscopeNode;
  readonly stop: () => Promise<void>;
}

/** Opens the page in a browser context of its own. @param url of a server or of a built site */
export async function followNode(browser: Browser, url: string, kubeconfig: string | undefined): Promise<FollowedNode> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    colorScheme: 'light',
    baseURL: undefined,
  });
  try {
    const page = await context.newPage();
    await new PodscopePage(page).open(url);
    return { node: new PodscopeNode(page, { kubeconfig }), stop: () => context.close() };
  } catch (error) {
    await context.close();
    throw error;
  }
}
