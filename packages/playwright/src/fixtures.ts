/** `test` with a `podscope` fixture: one server for all tests of a worker, or a built site, and a page of its own for each test. */
import { test as base } from '@playwright/test';
import { Podscope } from './podscope.ts';
import { type PodscopeServerOptions, startPodscopeServer } from './server.ts';
import { servePodscopeSite } from './site.ts';

export interface PodscopeFixtures {
  /** The page with its node; `open` or `playScenario` comes first. */
  readonly podscope: Podscope;
}

export interface PodscopeWorkerFixtures {
  /** How the server is started. */
  readonly podscopeServer: PodscopeServerOptions;
  /** A built site (`build:site`) to use in place of a server: its address, or its folder, which is served then. */
  readonly podscopeSite: string | undefined;
  /** Where the page is. */
  readonly podscopeUrl: string;
}

export const test = base.extend<PodscopeFixtures, PodscopeWorkerFixtures>({
  podscopeServer: [{}, { scope: 'worker', option: true }],
  podscopeSite: [undefined, { scope: 'worker', option: true }],
  podscopeUrl: [
    async ({ podscopeServer, podscopeSite }, use) => {
      if (podscopeSite !== undefined && /^https?:\/\//.test(podscopeSite)) {
        await use(podscopeSite);
        return;
      }
      const server = await (podscopeSite === undefined ? startPodscopeServer(podscopeServer) : servePodscopeSite(podscopeSite));
      try {
        await use(server.url);
      } finally {
        await server.stop();
      }
    },
    // The first start builds the page.
    { scope: 'worker', timeout: 180_000 },
  ],
  podscope: async ({ page, podscopeUrl }, use) => {
    await use(new Podscope(page, podscopeUrl));
  },
});
