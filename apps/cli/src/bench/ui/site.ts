/** The static site: what it loads, and how long it takes until something is painted and until the first simulated pod is, at first and offline. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type PodscopeSite, servePodscopeSite } from '@podscope/playwright/site';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { engineBudget, pageBudget, pageSizes } from '../../commands/page-sizes.ts';
import { type Figure, median } from './figure.ts';
import { slowWire, type WireOptions } from './slow-wire.ts';

const cli = resolve(import.meta.dirname, '../../main.ts');
const base = '/school/podscope/';
const scenario = '?scenario=crash-loop&seed=3';

/** Loads of a measure, each in a browser that has never been there. */
const loads = 7;

/** A usual line at home; what a school has for each of many is less. */
const line: WireOptions = { bitsPerSecond: 10_000_000, roundTrip: 40 };

interface Load {
  /** Milliseconds from navigation to the first paint that has something in it. */
  readonly painted: number;
  /** Milliseconds from navigation to the frame that shows the scenario's pod, which the first simulated events made. */
  readonly played: number;
}

/** Notes when the first pod of the list is painted. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const look = (): void => {
      if (document.querySelector('[role=listbox] [role=option]')) requestAnimationFrame(() => performance.mark('podscope-played'));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

async function load(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage();
  await watch(page);
  await page.goto(url, { waitUntil: 'commit' });
  const read = (name: string): Promise<number> =>
    page.evaluate(async (entry) => {
      for (;;) {
        const [found] = performance.getEntriesByName(entry);
        if (found) return found.startTime;
        await new Promise((done) => requestAnimationFrame(done));
      }
    }, name);
  const result = { played: await read('podscope-played'), painted: await read('first-contentful-paint') };
  await page.close();
  return result;
}

/** Loads in browsers that have kept nothing. */
async function firstLoads(browser: Browser, url: string): Promise<readonly Load[]> {
  const found: Load[] = [];
  for (let at = 0; at < loads; at++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    found.push(await load(context, url));
    await context.close();
  }
  return found;
}

/** Loads again without a host, in a browser where all is kept. */
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

const timesOf = (when: string, found: readonly Load[]): readonly Figure[] => [
  { what: `site, ${when}: first paint, median of ${found.length}`, value: median(found.map(({ painted }) => painted)), unit: 'ms' },
  { what: `site, ${when}: first pod painted, median of ${found.length}`, value: median(found.map(({ played }) => played)), unit: 'ms' },
];

/** What the site has, gzipped: script of the first load, the engine, and all that is kept for offline use. */
async function sizes(directory: string): Promise<readonly Figure[]> {
  const { files, first, engine, sum } = await pageSizes(directory);
  return [
    { what: 'site: script before anything optional, gzipped', value: sum(first), unit: 'KiB', limit: pageBudget },
    { what: 'site: engine chunk, gzipped', value: sum(engine === undefined ? [] : [engine]), unit: 'KiB', limit: engineBudget },
    { what: `site: all ${files.size} files, kept for offline use, gzipped`, value: sum(files.keys()), unit: 'KiB' },
  ];
}

/** Builds the site into a directory and measures it. */
export async function siteFigures(browser: Browser, directory: string): Promise<readonly Figure[]> {
  await promisify(execFile)(process.execPath, [cli, 'build:site', '--out', directory]);
  const site = await servePodscopeSite(directory, { base });
  const near = await firstLoads(browser, `${site.url}${scenario}`);
  const wire = await slowWire(site.url, line);
  const far = await firstLoads(browser, `${wire.url}${scenario}`);
  await wire.cut();
  const offline = await offlineLoads(browser, site);
  const onLine = `${line.bitsPerSecond / 1_000_000} Mbit/s and ${line.roundTrip} ms`;
  return [...(await sizes(directory)), ...timesOf('from this machine', near), ...timesOf(`over ${onLine}`, far), ...timesOf('offline', offline)];
}
