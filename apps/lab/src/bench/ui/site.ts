/**
 * Measures the static site: its size, and the times until the first paint and until the first simulated pod, on a first
 * visit and offline.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { engineBudget, pageBudget, pageSizes } from '@podscope/cli/page-sizes';
import { type PodscopeSite, servePodscopeSite } from '@podscope/playwright/site';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Figure, median } from './figure.ts';
import { slowWire, type WireOptions } from './slow-wire.ts';

const cli = resolve(import.meta.dirname, '../../../../cli/src/main.ts');
const base = '/school/podscope/';
const scenario = '?scenario=one-container&seed=3';

/** Number of loads per measurement, each in a new browser context. */
const loads = 5;

/** A typical home connection. The share of one pupil in a school's connection is smaller. */
const line: WireOptions = { bitsPerSecond: 10_000_000, roundTrip: 40 };

interface Load {
  /** Milliseconds from navigation to the first contentful paint. */
  readonly painted: number;
  /**
   * Milliseconds from navigation to the frame that lists the scenario's pod. The first simulated events create the pod.
   */
  readonly listed: number;
  /** Milliseconds from navigation to the frame that shows the pod as running. */
  readonly running: number;
}

/** Marks the times at which the first pod of the list is painted, and at which it is painted as running. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const mark = (name: string): void => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => performance.mark(name));
      port1.start();
      // This message arrives after the frame is painted.
      port2.postMessage(null);
    };
    let isListed = false;
    const look = (): void => {
      const pod = document.querySelector('[role=listbox] [role=option]');
      if (pod && !isListed) {
        isListed = true;
        mark('podscope-listed');
      }
      if (pod && /Running/.test(pod.getAttribute('aria-label') ?? pod.textContent ?? '')) mark('podscope-running');
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

async function load(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage();
  await watch(page);
  await page.goto(url, { waitUntil: 'commit' });
  // Unlike evaluate, waitForFunction continues when the page replaces the empty document.
  const read = async (name: string): Promise<number> => {
    const entry = await page.waitForFunction((wanted) => performance.getEntriesByName(wanted)[0]?.startTime, name);
    return (await entry.jsonValue()) ?? Number.NaN;
  };
  const result = {
    running: await read('podscope-running'),
    listed: await read('podscope-listed'),
    painted: await read('first-contentful-paint'),
  };
  await page.close();
  return result;
}

/** Loads the site in browser contexts with an empty cache. */
async function firstLoads(browser: Browser, url: string): Promise<readonly Load[]> {
  const found: Load[] = [];
  for (let at = 0; at < loads; at++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    found.push(await load(context, url));
    await context.close();
  }
  return found;
}

/** Loads the site again without a server, in a browser context with a full cache. */
async function offlineLoads(browser: Browser, site: PodscopeSite): Promise<readonly Load[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${site.url}${scenario}`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.close();
  await site.stop();
  const found: Load[] = [];
  for (let at = 0; at < loads; at++) found.push(await load(context, `${site.url}${scenario}`));
  await context.close();
  return found;
}

const timesOf = (when: string, found: readonly Load[], limits: Partial<Load> = {}): readonly Figure[] =>
  (
    [
      ['painted', 'first paint'],
      ['listed', 'first pod painted'],
      ['running', 'first pod running, painted'],
    ] as const
  ).map(([name, what]) => {
    const limit = limits[name];
    return {
      what: `site, ${when}: ${what}, median of ${found.length}`,
      value: median(found.map((each) => each[name])),
      unit: 'ms',
      ...(limit === undefined ? {} : { limit }),
    };
  });

/** Returns the gzipped sizes of the first load's script, the engine, and everything cached for offline use. */
async function sizes(directory: string): Promise<readonly Figure[]> {
  const { files, first, engine, sum } = await pageSizes(directory);
  return [
    { what: 'site: script before anything optional, gzipped', value: sum(first), unit: 'KiB', limit: pageBudget },
    {
      what: 'site: engine chunk, gzipped',
      value: sum(engine === undefined ? [] : [engine]),
      unit: 'KiB',
      limit: engineBudget,
    },
    { what: `site: all ${files.size} files, kept for offline use, gzipped`, value: sum(files.keys()), unit: 'KiB' },
  ];
}

/** Builds the site into a directory. */
export async function buildBenchSite(directory: string): Promise<void> {
  await promisify(execFile)(process.execPath, [cli, 'build:site', '--out', directory]);
}

/** Measures the site in a directory. */
export async function siteFigures(browser: Browser, directory: string): Promise<readonly Figure[]> {
  const site = await servePodscopeSite(directory, { base });
  const near = await firstLoads(browser, `${site.url}${scenario}`);
  const wire = await slowWire(site.url, line);
  const far = await firstLoads(browser, `${wire.url}${scenario}`);
  await wire.cut();
  const offline = await offlineLoads(browser, site);
  const onLine = `${line.bitsPerSecond / 1_000_000} Mbit/s and ${line.roundTrip} ms`;
  return [
    ...(await sizes(directory)),
    ...timesOf('from this machine', near, { painted: 600, running: 1_000 }),
    ...timesOf(`over ${onLine}`, far),
    ...timesOf('offline', offline),
  ];
}
