/**
 * Extends Playwright's `test` with the fixtures of Podscope: each worker has one node, in a server or a built site,
 * which is empty at the start of each test.
 */
import { test as base, type Page, type TestInfo } from '@playwright/test';
import type { Breakpoints, Faults } from './node/debugger.ts';
import { followNode } from './node/follow-node.ts';
import type { PodscopeNode } from './node/podscope-node.ts';
import { type PodscopeServerOptions, startPodscopeServer } from './node/server.ts';
import { Podscope } from './podscope.ts';
import { attachRun } from './report/attach-run.ts';
import { servePodscopeSite } from './site.ts';

export interface PodscopeFixtures {
  /**
   * The worker's node, for tests of pages that talk to its Kubernetes API. It is empty, and its time is paused unless
   * `podscopeSpeed` says otherwise.
   */
  readonly node: PodscopeNode;
  /** Breakpoints of `node`, removed after the test. */
  readonly breakpoints: Breakpoints;
  /** Faults of `node`, removed after the test. */
  readonly faults: Faults;
  /** The test's page with Podscope in it. Call `open`, `openAlone` or `playScenario` first. */
  readonly podscope: Podscope;
}

interface PodscopeTestOptions {
  /** Virtual seconds per real second at the beginning of a test with `node`: 0.1 to 1000. Default: 0, paused. */
  readonly podscopeSpeed: number;
  /** When the run, its diagnosis and timeline are attached to the report. Default: `only-on-failure`. */
  readonly podscopeReport: 'only-on-failure' | 'on' | 'off';
}

interface PodscopeWorkerOptions {
  /** Options for starting the server. */
  readonly podscopeServer: PodscopeServerOptions;
  /** A built site (`build:site`) to use instead of a server: its address, or its folder, which is then served. */
  readonly podscopeSite: string | undefined;
}

/** Options in `use` of the configuration: `defineConfig<PodscopeOptions>({ use: { … } })`. */
export interface PodscopeOptions extends PodscopeTestOptions, PodscopeWorkerOptions {}

export interface PodscopeWorkerFixtures {
  /** The path of the kubeconfig of the worker's node, for servers and command lines that talk to it. */
  readonly kubeconfig: string;
  /** The address of Podscope's page. */
  readonly podscopeUrl: string;
}

interface WorkerHost {
  readonly url: string;
  readonly kubeconfig?: string | undefined;
}

interface InternalFixtures {
  /** Prepares the worker's node at its first use in the test. */
  readonly podscopePrepare: (node: PodscopeNode) => Promise<void>;
}

interface InternalWorkerFixtures {
  /** The server or site of the worker. */
  readonly podscopeHost: WorkerHost;
  /** The node of the worker, in the state in which the last test left it. */
  readonly podscopeNode: PodscopeNode;
}

/** Attaches the run if the option and the outcome of the test ask for it. */
async function report(page: Page, when: PodscopeOptions['podscopeReport'], testInfo: TestInfo): Promise<void> {
  const hasFailed = testInfo.status !== testInfo.expectedStatus;
  if (when === 'on' || (when === 'only-on-failure' && hasFailed)) await attachRun(page, testInfo, 'run');
}

export const test = base.extend<
  PodscopeFixtures & PodscopeTestOptions & InternalFixtures,
  PodscopeWorkerFixtures & PodscopeWorkerOptions & InternalWorkerFixtures
>({
  podscopeServer: [{}, { scope: 'worker', option: true }],
  podscopeSite: [undefined, { scope: 'worker', option: true }],
  podscopeSpeed: [0, { option: true }],
  podscopeReport: ['only-on-failure', { option: true }],
  podscopeHost: [
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
    // The first start of a checkout builds the page.
    { scope: 'worker', timeout: 600_000, box: true },
  ],
  podscopeNode: [
    async ({ browser, podscopeHost: { url, kubeconfig } }, use) => {
      const { node, stop } = await followNode(browser, url, kubeconfig);
      try {
        await use(node);
      } finally {
        await stop();
      }
    },
    { scope: 'worker', timeout: 600_000, box: true },
  ],
  podscopeUrl: [async ({ podscopeHost }, use) => use(podscopeHost.url), { scope: 'worker', box: true }],
  kubeconfig: [
    async ({ podscopeHost: { kubeconfig } }, use) => {
      if (kubeconfig === undefined)
        throw new Error('A built site has no kubeconfig: it has no Kubernetes API outside of the page. Use a server.');
      await use(kubeconfig);
    },
    { scope: 'worker', box: true },
  ],
  podscopePrepare: [
    async ({ podscopeSpeed }, use) => {
      let isPrepared = false;
      await use(async (node) => {
        if (isPrepared) return;
        isPrepared = true;
        await node.reset();
        if (podscopeSpeed > 0 && (await node.hasVirtualTime())) await node.resume(podscopeSpeed);
      });
    },
    { box: true },
  ],
  node: async ({ podscopeNode, podscopePrepare, podscopeReport }, use, testInfo) => {
    await podscopePrepare(podscopeNode);
    await use(podscopeNode);
    await report(podscopeNode.page, podscopeReport, testInfo);
  },
  breakpoints: async ({ node }, use) => {
    await use(node.breakpoints);
    await node.breakpoints.clear();
  },
  faults: async ({ node }, use) => {
    await use(node.faults);
    await node.faults.clear();
  },
  podscope: async ({ page, podscopeHost: { url, kubeconfig }, podscopePrepare, podscopeReport }, use, testInfo) => {
    await use(new Podscope(page, url, { kubeconfig, prepare: podscopePrepare }));
    await report(page, podscopeReport, testInfo);
  },
});
