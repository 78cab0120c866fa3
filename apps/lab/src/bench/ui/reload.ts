/**
 * Measures the reload of a page that shows a pod of a long run: the times until header, timeline and diagnosis are
 * correct, how often they contradict each other until then, and the memory of the renderer.
 */
import type { TraceEvent } from '@podscope/trace';
import type { Browser } from 'playwright-core';
import type { Figure } from './figure.ts';
import type { BenchNode } from './page-server.ts';
import { rendererUsage } from './renderer.ts';

interface Seen {
  /** Time from navigation until the header had its final content, in milliseconds. */
  readonly header: number;
  readonly timeline: number;
  readonly diagnosis: number;
  /** Number of frames in which header and inspector named different states. */
  readonly contradictions: number;
}

interface Part {
  text: string;
  since: number;
}

/** Records what each part of the page shows in each frame, starting when the document is created. */
function record(): void {
  const parts: Record<'header' | 'timeline' | 'diagnosis', Part> = {
    header: { text: '', since: 0 },
    timeline: { text: '', since: 0 },
    diagnosis: { text: '', since: 0 },
  };
  const state = { parts, contradictions: 0 };
  Object.assign(globalThis, { benchReload: state });
  const textOf = (selector: string): string => document.querySelector(selector)?.textContent ?? '';
  const look = (): void => {
    const header = textOf('main h1 + *');
    const inspector = textOf('main aside header h2 + p > :first-child');
    if (header !== '' && inspector !== '' && header !== inspector) state.contradictions++;
    const entries = [...document.querySelectorAll('[data-timeline] [role=option]')];
    const now = {
      header,
      // The durations of running steps change with every frame, so they are removed.
      timeline: entries.map(({ textContent }) => (textContent ?? '').replaceAll(/\d[\d.]* ?(?:ms|s|m)\b/g, '')).join(),
      diagnosis: textOf('[aria-label=Inspector] section h3'),
    };
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        for (const name of ['header', 'timeline', 'diagnosis'] as const)
          if (parts[name].text !== now[name]) parts[name] = { text: now[name], since: performance.now() };
      });
      port1.start();
      port2.postMessage(null);
      look();
    });
  };
  look();
}

/** Time without a change after which the page counts as complete, in milliseconds. */
const settled = 2_000;

/** Measures a page of a node that has the given events, with `pod` (`namespace/name`) selected. */
export async function reloadFigures(
  browser: Browser,
  node: BenchNode,
  events: readonly TraceEvent[],
  pod: string,
): Promise<readonly Figure[]> {
  if (node.lastSeq === 0) node.send(events);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const live = page.getByRole('status', { name: /Live/ });
  await page.goto(`${node.url}?pod=${pod}`);
  await live.waitFor();
  await page.addInitScript(record);
  await page.goto('about:blank');
  const before = await rendererUsage(browser);
  await page.goto(`${node.url}?pod=${pod}`);
  await live.waitFor();
  await page.waitForFunction((quiet) => {
    const { benchReload } = globalThis as unknown as { readonly benchReload: { readonly parts: Record<string, Part> } };
    const parts = Object.values(benchReload.parts);
    return parts.every(({ text, since }) => text !== '' && performance.now() - since > quiet);
  }, settled);
  const seen: Seen = await page.evaluate(() => {
    const { parts, contradictions } = (
      globalThis as unknown as {
        readonly benchReload: {
          readonly parts: Record<'header' | 'timeline' | 'diagnosis', Part>;
          readonly contradictions: number;
        };
      }
    ).benchReload;
    return {
      header: parts.header.since,
      timeline: parts.timeline.since,
      diagnosis: parts.diagnosis.since,
      contradictions,
    };
  });
  const after = await rendererUsage(browser);
  await context.close();
  const name = `reload of ${events.length.toLocaleString('en')} events`;
  return [
    { what: `${name}: header correct`, value: seen.header, unit: 'ms', limit: 1_000 },
    { what: `${name}: timeline correct`, value: seen.timeline, unit: 'ms', limit: 1_000 },
    { what: `${name}: diagnosis correct`, value: seen.diagnosis, unit: 'ms', limit: 1_000 },
    { what: `${name}: frames in which they differ`, value: seen.contradictions, unit: '', limit: 0 },
    { what: `${name}: memory of the renderer`, value: after.memory, unit: 'MiB', limit: 300 },
    {
      what: `${name}: processor time of the main thread`,
      value: after.mainThread - before.mainThread,
      unit: 'ms',
    },
  ];
}
