/** Measures the canvas of the timeline alone with very many items in view, beside vis-timeline with few. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type * as TimelinePackage from '@podscope/timeline';
import type { Browser, Page } from 'playwright-core';
import { type Figure, median, percentile } from './figure.ts';

const require = createRequire(import.meta.url);
const timelineEntry = resolve(import.meta.dirname, '../../../../../packages/timeline/src/index.ts');

const size = { width: 1440, height: 900 };

/** Number of frames per measurement: half of them pan, half zoom. */
const frames = 240;

interface Frames {
  /** Processor time of each frame, in milliseconds. */
  readonly cpu: readonly number[];
  /** Time between the starts of consecutive frames, in milliseconds. */
  readonly intervals: readonly number[];
  readonly setUp: number;
}

/** Bundles the timeline as one script for an empty page. */
async function bundleTimeline(directory: string): Promise<string> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: directory,
      emptyOutDir: false,
      lib: { entry: timelineEntry, name: 'PodscopeTimeline', formats: ['iife'], fileName: () => 'timeline.js' },
    },
  });
  return join(directory, 'timeline.js');
}

async function bare(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: size });
  await page.setContent(
    '<!doctype html><body style="margin:0"><div id="host" style="position:relative;width:1440px;height:900px"></div>',
  );
  return page;
}

const ourFrames = (page: Page, spans: number, lanes: number): Promise<Frames> =>
  page.evaluate(
    async ({ count, laneCount, most }) => {
      const { createTimeline } = (globalThis as unknown as { readonly PodscopeTimeline: typeof TimelinePackage })
        .PodscopeTimeline;
      const perLane = count / laneCount;
      const states = ['running', 'creating', 'pulling', 'call', 'backoff', 'error'] as const;
      const model: TimelinePackage.TimelineModel = {
        lanes: Array.from({ length: laneCount }, (_, lane) => ({
          id: `lane-${lane}`,
          kind: 'container' as const,
          label: `container-${lane}`,
          rows: 1,
          markers: [],
          settled: perLane,
          items: Array.from({ length: perLane }, (__, at) => ({
            id: `${lane}-${at}`,
            start: at * 100 + ((at * 37 + lane * 11) % 40),
            end: at * 100 + 50 + ((at * 53 + lane * 7) % 45),
            row: 0,
            state: states[(at * 7 + lane) % states.length] ?? ('running' as const),
            label: `span ${at}`,
            failed: (at + lane) % 97 === 0,
          })),
        })),
        origin: 0,
        end: perLane * 100,
        live: false,
      };
      const started = performance.now();
      const timeline = createTimeline(document.getElementById('host') as HTMLElement, { now: () => perLane * 100 });
      timeline.setModel(model);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const setUp = performance.now() - started;
      const cpu: number[] = [];
      const intervals: number[] = [];
      let last = 0;
      await new Promise<void>((done) => {
        let at = 0;
        const step = (time: number): void => {
          if (at > 0) {
            cpu.push(timeline.stats.lastDraw);
            intervals.push(time - last);
          }
          last = time;
          if (at++ === most) {
            done();
            return;
          }
          // The zoom varies between all items and a twentieth of them, so at least thousands are in view.
          const share = 0.05 + 0.95 * Math.abs(Math.cos((at / most) * Math.PI * 2));
          const length = perLane * 100 * share;
          const from = (perLane * 100 - length) * ((at % 60) / 60);
          timeline.setViewport({ start: from, end: from + length });
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      });
      timeline.dispose();
      return { cpu, intervals, setUp };
    },
    { count: spans, laneCount: lanes, most: frames },
  );

interface VisTimeline {
  setWindow(start: number, end: number, options: { readonly animation: false }): void;
  redraw(): void;
  destroy(): void;
}
interface Vis {
  readonly DataSet: new (items: readonly unknown[]) => object;
  readonly Timeline: new (host: HTMLElement, items: object, groups: object, options: object) => VisTimeline;
}

const visFrames = (page: Page, items: number, lanes: number): Promise<Frames> =>
  page.evaluate(
    async ({ count, laneCount, most }) => {
      const { DataSet, Timeline } = (globalThis as unknown as { readonly vis: Vis }).vis;
      const perLane = count / laneCount;
      const data = Array.from({ length: count }, (_, id) => {
        const at = id % perLane;
        return {
          id,
          group: Math.floor(id / perLane),
          content: `span ${at}`,
          start: at * 100 + ((at * 37) % 40),
          end: at * 100 + 50 + ((at * 53) % 45),
        };
      });
      const started = performance.now();
      const groups = new DataSet(Array.from({ length: laneCount }, (_, id) => ({ id, content: `container-${id}` })));
      const timeline = new Timeline(document.getElementById('host') as HTMLElement, new DataSet(data), groups, {
        stack: false,
        height: '900px',
        start: 0,
        end: perLane * 100,
      });
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const setUp = performance.now() - started;
      const cpu: number[] = [];
      const intervals: number[] = [];
      let last = performance.now();
      for (let at = 1; at <= most; at++) {
        const share = 0.05 + 0.95 * Math.abs(Math.cos((at / most) * Math.PI * 2));
        const length = perLane * 100 * share;
        const from = (perLane * 100 - length) * ((at % 60) / 60);
        const before = performance.now();
        timeline.setWindow(from, from + length, { animation: false });
        timeline.redraw();
        cpu.push(performance.now() - before);
        const time = await new Promise<number>((done) => requestAnimationFrame(done));
        intervals.push(time - last);
        last = time;
      }
      timeline.destroy();
      return { cpu, intervals, setUp };
    },
    // vis-timeline takes so long per frame that a few are enough.
    { count: items, laneCount: lanes, most: 8 },
  );

/** Measures both timelines in the same browser, one after the other. */
export async function timelineFigures(browser: Browser, directory: string): Promise<readonly Figure[]> {
  const page = await bare(browser);
  await page.addScriptTag({ path: await bundleTimeline(directory) });
  const ours = await ourFrames(page, 100_000, 40);
  const largest = await ourFrames(page, 250_000, 40);
  await page.close();
  const other = await bare(browser);
  await other.addScriptTag({ path: require.resolve('vis-timeline/standalone') });
  const vis = await visFrames(other, 10_000, 40);
  await other.close();
  return [
    {
      what: 'timeline: 100,000 spans in 40 lanes, script a frame, median',
      value: median(ours.cpu),
      unit: 'ms',
      limit: 6,
    },
    {
      what: 'timeline: 100,000 spans in 40 lanes, frame to frame, p95',
      value: percentile(ours.intervals, 0.95),
      unit: 'ms',
      limit: 33,
    },
    { what: 'timeline: 100,000 spans, from model to picture', value: ours.setUp, unit: 'ms' },
    { what: 'timeline: 250,000 spans in 40 lanes, script a frame, median', value: median(largest.cpu), unit: 'ms' },
    {
      what: 'timeline: 250,000 spans in 40 lanes, frame to frame, p95',
      value: percentile(largest.intervals, 0.95),
      unit: 'ms',
    },
    { what: 'vis-timeline: 10,000 items in 40 groups, script a frame, median', value: median(vis.cpu), unit: 'ms' },
    {
      what: 'vis-timeline: 10,000 items in 40 groups, frame to frame, p95',
      value: percentile(vis.intervals, 0.95),
      unit: 'ms',
    },
    { what: 'vis-timeline: 10,000 items, from data to picture', value: vis.setUp, unit: 'ms' },
  ];
}
