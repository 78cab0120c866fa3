/**
 * Implements `bench ui`: measures the page in a real browser and compares the figures with their limits, and the
 * timeline with vis-timeline.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CommandBody, UsageError } from '@podscope/command-line';
import type { Browser } from 'playwright-core';
import { bundleFigures } from './ui/bundle.ts';
import { launchChromium } from './ui/chromium.ts';
import { type Figure, medianOf, meets, printFigure } from './ui/figure.ts';
import { largestRunFigures, usualRunFigures } from './ui/files.ts';
import { type BenchNode, buildPage, serveNode } from './ui/page-server.ts';
import { reloadFigures } from './ui/reload.ts';
import { recorded, synthetic, syntheticEvents } from './ui/runs.ts';
import { buildBenchSite, siteFigures } from './ui/site.ts';
import { cutFigures, frameFigures, latencyFigures, stopFigures } from './ui/stream.ts';
import { timelineFigures } from './ui/timeline-alone.ts';

const parts = [
  'bundle',
  'site',
  'timeline',
  'open',
  'reload',
  'largest',
  'latency',
  'frames',
  'missed',
  'stop',
] as const;
type Part = (typeof parts)[number];

interface Options {
  readonly wanted: readonly Part[];
  /** Number of runs of each part; each figure is the median. */
  readonly runs: number;
}

function optionsOf(args: readonly string[]): Options {
  const { only, runs = '3' } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, runs: { type: 'string' } },
    strict: true,
  }).values;
  if (!/^[1-9]\d?$/.test(runs)) throw new UsageError(`--runs takes a number from 1 to 99; not ${JSON.stringify(runs)}`);
  if (only === undefined) return { wanted: parts, runs: Number(runs) };
  const wanted = only.split(',').map((name) => {
    const part = parts.find((each) => each === name);
    if (!part) throw new UsageError(`--only takes ${parts.join(', ')}; not ${JSON.stringify(name)}`);
    return part;
  });
  return { wanted, runs: Number(runs) };
}

function readOptions(args: readonly string[]): Options {
  try {
    return optionsOf(args);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}

type Measure = () => Promise<readonly Figure[]>;

/** Returns the measurements of each part. Runs and nodes that several measurements share are created only once. */
function measuresOf(
  browser: Browser,
  directory: string,
): Readonly<Record<Exclude<Part, 'bundle'>, readonly Measure[]>> {
  const pageDirectory = join(directory, 'page');
  const run = once(() => recorded(directory, 20_000));
  const onNode =
    (measure: (node: BenchNode) => Promise<readonly Figure[]>): Measure =>
    async () => {
      const node = await serveNode(pageDirectory);
      try {
        return await measure(node);
      } finally {
        await node.stop();
      }
    };
  return {
    site: [() => siteFigures(browser, join(directory, 'site'))],
    timeline: [() => timelineFigures(browser, directory)],
    open: [
      onNode(async ({ url }) => usualRunFigures(browser, url, await run(), 'recorded run')),
      onNode(async ({ url }) => usualRunFigures(browser, url, await synthetic(directory, 20_000), 'synthetic run')),
    ],
    reload: [onNode(async (node) => reloadFigures(browser, node, (await run()).log, 'default/crash-0'))],
    largest: [
      onNode(async ({ url }) => largestRunFigures(browser, url, await synthetic(directory, 100_000), 'large run')),
      onNode(async ({ url }) =>
        largestRunFigures(browser, url, await syntheticEvents(directory, 250_000), 'largest run'),
      ),
    ],
    latency: [onNode((node) => latencyFigures(browser, node))],
    frames: [onNode((node) => frameFigures(browser, node))],
    missed: [onNode((node) => cutFigures(browser, node))],
    stop: [onNode((node) => stopFigures(browser, node))],
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

async function measure(
  { wanted, runs }: Options,
  directory: string,
  report: (figures: readonly Figure[]) => void,
): Promise<void> {
  const pageDirectory = join(directory, 'page');
  if (wanted.some((part) => part !== 'timeline' && part !== 'site')) await buildPage(pageDirectory);
  if (wanted.includes('site')) await buildBenchSite(join(directory, 'site'));
  if (wanted.includes('bundle')) report(await bundleFigures(pageDirectory));
  const browser = await launchChromium();
  try {
    console.error(`Chromium ${browser.version()}, ${cpus().length} processors, median of ${runs}`);
    const measures = measuresOf(browser, directory);
    for (const part of parts) {
      if (part === 'bundle' || !wanted.includes(part)) continue;
      for (const each of measures[part]) report(await medianOf(runs, each));
    }
  } finally {
    await browser.close();
  }
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench ui [--only PART,…] [--runs N]

Builds the page, opens recorded and synthetic runs in a headless Chromium and prints each figure beside its target and
the machine's load; vis-timeline draws 10,000 items in the same run. Each figure is the median of N runs (3). Parts:
${parts.join(', ')}. Exit code 1 when a figure misses its target.`,
  examples: [['bench ui --only site,reload', 'Measure and print the figures']],
  async run(args) {
    const options = readOptions(args);
    const directory = await mkdtemp(join(tmpdir(), 'podscope-bench-ui-'));
    const all: Figure[] = [];
    try {
      await measure(options, directory, (figures) => {
        all.push(...figures);
        for (const figure of figures) printFigure(figure);
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    return all.every(meets) ? 0 : 1;
  },
};
