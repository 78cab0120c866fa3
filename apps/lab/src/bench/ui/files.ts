/** Measures opening a saved run and using it: selections, seeks, elements and heap. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Figure, median, percentile } from './figure.ts';
import { rendererUsage } from './renderer.ts';
import type { BenchRun } from './runs.ts';

/** Number of selections and seeks per measurement. */
const repeats = 40;

/** Opens a run in a new page, and measures the time from the drop of the file until the whole run is painted. */
async function opened(
  browser: Browser,
  url: string,
  run: BenchRun,
): Promise<{ readonly page: Page; readonly took: number; readonly mainThread: number }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.getByRole('status', { name: /^Connection/ }).waitFor();
  const bytes = await readFile(run.path);
  await page.evaluate(
    ({ text, name }) => {
      const data = Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0);
      Object.assign(globalThis, { benchFile: new File([data], name) });
    },
    { text: bytes.toString('base64'), name: basename(run.path) },
  );
  const before = await rendererUsage(browser);
  const took = await page.evaluate(async (end) => {
    const { benchFile } = globalThis as unknown as { readonly benchFile: File };
    const transfer = new DataTransfer();
    transfer.items.add(benchFile);
    // Before a drop, the pointer enters with the file.
    dispatchEvent(new DragEvent('dragenter', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    await new Promise((done) => setTimeout(done, 500));
    const started = performance.now();
    dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    // The run is complete when the slider ends at the last event and the timeline's list for screen readers has
    // entries.
    const isThere = (): boolean =>
      Number(document.querySelector<HTMLInputElement>('input[type=range][aria-label="Position in time"]')?.max) >=
        end && document.querySelector('[data-timeline] [role=option]') !== null;
    while (!isThere()) await new Promise((done) => requestAnimationFrame(done));
    await new Promise((done) => requestAnimationFrame(done));
    return performance.now() - started;
  }, Math.floor(run.end));
  const { mainThread } = await rendererUsage(browser);
  return { page, took, mainThread: mainThread - before.mainThread };
}

/** Measures the time from the key press that selects the next span to the frame that shows its details. */
async function selections(page: Page): Promise<readonly number[]> {
  await page.locator('[data-timeline] canvas[role=application]').focus();
  // Moves down to the lane of the pod worker, which has most of the spans.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  return page.evaluate(async (count) => {
    const canvas = document.querySelector('[data-timeline] canvas[role=application]') as HTMLElement;
    const inspector = document.querySelector('aside[aria-label=Inspector]') as HTMLElement;
    const painted = (): Promise<number> =>
      new Promise((done) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => done(performance.now()));
          port1.start();
          port2.postMessage(null);
        });
      });
    const times: number[] = [];
    for (let at = 0; at < count; at++) {
      const changed = new Promise<boolean>((done) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          done(true);
        });
        observer.observe(inspector, { childList: true, subtree: true, characterData: true });
        // If two spans have the same details, the page doesn't change, so no time can be measured.
        setTimeout(() => done(false), 500);
      });
      const before = performance.now();
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key: ',', bubbles: true, cancelable: true }));
      if (await changed) times.push((await painted()) - before);
      await new Promise((done) => setTimeout(done, 60));
    }
    return times;
  }, repeats);
}

/** Measures from an input of the slider to the frame that shows that instant. */
const seeks = (page: Page): Promise<readonly number[]> =>
  page.evaluate(async (count) => {
    const slider = document.querySelector<HTMLInputElement>(
      'input[type=range][aria-label="Position in time"]',
    ) as HTMLInputElement;
    // Set the value with the prototype's setter: React overrides the element's own property, so only the setter has the
    // effect of typing.
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    const [from, to] = [Number(slider.min), Number(slider.max)];
    const times: number[] = [];
    for (let at = 0; at < count; at++) {
      // The positions are far apart, as when a user searches for something.
      const share = (at * 0.618_034) % 1;
      const before = performance.now();
      value?.set?.call(slider, String(Math.round(from + (to - from) * share)));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise<void>((done) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () => done());
          port1.start();
          port2.postMessage(null);
        });
      });
      times.push(performance.now() - before);
      await new Promise((done) => setTimeout(done, 60));
    }
    return times;
  }, repeats);

async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

const elements = (page: Page): Promise<number> => page.evaluate(() => document.getElementsByTagName('*').length);

const named = (run: BenchRun): string =>
  `${run.spans.toLocaleString('en')} spans, ${run.events.toLocaleString('en')} events`;

/** Measures a run of ordinary size. If `limits` is set, the figures have limits. */
export async function usualRunFigures(
  browser: Browser,
  url: string,
  run: BenchRun,
  name: string,
): Promise<readonly Figure[]> {
  const { page, took, mainThread } = await opened(browser, url, run);
  const count = await elements(page);
  const selected = await selections(page);
  await page.close();
  return [
    { what: `${name}: open (${named(run)})`, value: took, unit: 'ms', limit: 600 },
    { what: `${name}: open, processor time of the main thread`, value: mainThread, unit: 'ms' },
    ...(selected.length === 0
      ? []
      : [
          { what: `${name}: select a span, details painted, median`, value: median(selected), unit: 'ms', limit: 60 },
          { what: `${name}: select a span, details painted, p95`, value: percentile(selected, 0.95), unit: 'ms' },
        ]),
    { what: `${name}: elements in the page`, value: count, unit: '', limit: 2_500 },
  ];
}

/** Measures the largest run. */
export async function largestRunFigures(
  browser: Browser,
  url: string,
  run: BenchRun,
  name: string,
): Promise<readonly Figure[]> {
  const { page, took, mainThread } = await opened(browser, url, run);
  const travelled = await seeks(page);
  const megabytes = await heap(page);
  await page.close();
  return [
    { what: `${name}: open (${named(run)})`, value: took, unit: 'ms' },
    { what: `${name}: open, processor time of the main thread`, value: mainThread, unit: 'ms' },
    { what: `${name}: heap`, value: megabytes, unit: 'MiB', limit: 400 },
    { what: `${name}: seek, painted, median`, value: median(travelled), unit: 'ms', limit: 50 },
    { what: `${name}: seek, painted, p95`, value: percentile(travelled, 0.95), unit: 'ms' },
  ];
}
