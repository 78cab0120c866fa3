/**
 * Implements `bench ui`: measures the page in a real browser against its targets, and the timeline beside vis-timeline.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CommandBody, UsageError } from '@podscope/command-line';
import { bundleFigures } from './ui/bundle.ts';
import { launchChromium } from './ui/chromium.ts';
import { type Figure, meets, printFigure } from './ui/figure.ts';
import { largestRunFigures, usualRunFigures } from './ui/files.ts';
import { buildPage, serveNode } from './ui/page-server.ts';
import { recorded, synthetic, syntheticEvents } from './ui/runs.ts';
import { siteFigures } from './ui/site.ts';
import { streamFigures } from './ui/stream.ts';
import { timelineFigures } from './ui/timeline-alone.ts';

const parts = ['bundle', 'site', 'timeline', 'files', 'stream'] as const;
type Part = (typeof parts)[number];

function partsOf(args: readonly string[]): readonly Part[] {
  const { only } = parseArgs({ args: [...args], options: { only: { type: 'string' } }, strict: true }).values;
  if (only === undefined) return parts;
  return only.split(',').map((name) => {
    const part = parts.find((each) => each === name);
    if (!part) throw new UsageError(`--only takes ${parts.join(', ')}; not ${JSON.stringify(name)}`);
    return part;
  });
}

function readParts(args: readonly string[]): readonly Part[] {
  try {
    return partsOf(args);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}

async function measure(
  wanted: readonly Part[],
  directory: string,
  report: (figures: readonly Figure[]) => void,
): Promise<void> {
  const pageDirectory = join(directory, 'page');
  if (wanted.some((part) => part !== 'timeline' && part !== 'site')) await buildPage(pageDirectory);
  if (wanted.includes('bundle')) report(await bundleFigures(pageDirectory));
  const browser = await launchChromium();
  try {
    console.error(`Chromium ${browser.version()}, ${cpus().length} processors`);
    if (wanted.includes('site')) report(await siteFigures(browser, join(directory, 'site')));
    if (wanted.includes('timeline')) report(await timelineFigures(browser, directory));
    if (wanted.includes('files')) {
      const node = await serveNode(pageDirectory);
      report(await usualRunFigures(browser, node.url, await recorded(directory, 20_000), 'recorded run'));
      report(await usualRunFigures(browser, node.url, await synthetic(directory, 20_000), 'synthetic run'));
      report(await largestRunFigures(browser, node.url, await synthetic(directory, 100_000), 'large run'));
      report(await largestRunFigures(browser, node.url, await syntheticEvents(directory, 250_000), 'largest run'));
      await node.stop();
    }
    if (wanted.includes('stream')) {
      const node = await serveNode(pageDirectory);
      report(await streamFigures(browser, node));
      await node.stop();
    }
  } finally {
    await browser.close();
  }
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench ui [--only PART,…]

Builds the page, opens recorded and synthetic runs in a headless Chromium and prints each figure beside its target;
vis-timeline draws 10,000 items in the same run. Parts: ${parts.join(', ')}. Exit code 1 when a figure misses its
target.`,
  examples: [['bench ui --only site', 'Measure and print the figures']],
  async run(args) {
    const wanted = readParts(args);
    const directory = await mkdtemp(join(tmpdir(), 'podscope-bench-ui-'));
    const all: Figure[] = [];
    try {
      await measure(wanted, directory, (figures) => {
        all.push(...figures);
        for (const figure of figures) printFigure(figure);
      });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    return all.every(meets) ? 0 : 1;
  },
};
