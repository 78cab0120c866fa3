/**
 * Extends Playwright's `test` with a `podscope` fixture: each worker has one server or built site, and each test its
 * own page.
 */
import { test as base } from '@playwright/test';
import { Podscope } from './podscope.ts';
import { type PodscopeServerOptions, startPodscopeServer } from './server.ts';
import { servePodscopeSite } from './site.ts';

export interface PodscopeFixtures {
  /** The page with its node. Call `open` or `playScenario` first. */
  readonly podscope: Podscope;
}

/** Options in `use` of the configuration: `defineConfig<object, PodscopeOptions>({ use: { … } })`. */
export interface PodscopeOptions {
  /** Options for starting the server. */
  readonly podscopeServer: PodscopeServerOptions;
  /** A built site (`build:site`) to use instead of a server: its address, or its folder, which is then served. */
  readonly podscopeSite: string | undefined;
}

export interface PodscopeWorkerFixtures extends PodscopeOptions {
  /** The node of the worker: the address of its page, and the kubeconfig of a server. */
  readonly podscopeNode: { readonly url: string; readonly kubeconfig?: string };
  /** The address of the page. */
  readonly podscopeUrl: string;
}

export const test = base.extend<PodscopeFixtures, PodscopeWorkerFixtures>({
  podscopeServer: [{}, { scope: 'worker', option: true }],
  podscopeSite: [undefined, { scope: 'worker', option: true }],
  podscopeNode: [
    async ({ podscopeServer, podscopeSite }, use) => {
      if (podscopeSite !== undefined && /^https?:\/\//.test(podscopeSite)) {
        await use({ url: podscopeSite });
        return;
      }
      const server = await (podscopeSite === undefined
        ? startPodscopeServer(podscopeServer)
        : servePodscopeSite(podscopeSite));
      try {
        await use(server);
      } finally {
        await server.stop();
      }
    },
    // The first start builds the page.
    { scope: 'worker', timeout: 180_000 },
  ],
  podscopeUrl: [async ({ podscopeNode }, use) => use(podscopeNode.url), { scope: 'worker' }],
  podscope: async ({ page, podscopeNode: { url, kubeconfig } }, use) => {
    await use(new Podscope(page, url, { kubeconfig }));
  },
});
