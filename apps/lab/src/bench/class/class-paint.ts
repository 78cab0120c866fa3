/**
 * Measures a class in Chromium: the time from the teacher's press in the page until a learner's page has painted the
 * change, while other learners are connected.
 */
import { lessonQuestionId } from '@podscope/classroom';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../ui/chromium.ts';
import { type Figure, percentile } from '../ui/figure.ts';
import { joinLearners } from './class-delay.ts';
import { type ClassProcess, startClassProcess } from './class-process.ts';

/** Number of tabs that the teacher opens while all screens show the teacher's run. */
const views = 60;
const tabs = ['Events', 'Spec'] as const;
/** Largest p95 from the press to the painted page, in milliseconds. */
const longest = 500;

/** The times that a page has recorded, in milliseconds since the Unix epoch. */
interface Recorded {
  readonly pressed: number[];
  readonly painted: number[];
}

/** Records when the pointer is pressed, and when another tab of the run has been painted. */
function record(): void {
  const recorded: Recorded = { pressed: [], painted: [] };
  Object.assign(globalThis, { benchClass: recorded });
  const now = (): number => performance.timeOrigin + performance.now();
  addEventListener('pointerdown', (event) => recorded.pressed.push(performance.timeOrigin + event.timeStamp), true);
  let shown: string | null | undefined;
  const look = (): void => {
    const tab = document.querySelector('main [role=tab][aria-selected=true]')?.textContent;
    if (tab === shown) return;
    shown = tab;
    requestAnimationFrame(() => {
      // The message arrives after the frame has been painted.
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => recorded.painted.push(now()));
      port1.start();
      port2.postMessage(null);
    });
  };
  addEventListener('DOMContentLoaded', () =>
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true }),
  );
}

const recordedIn = (page: Page): Promise<Recorded> =>
  page.evaluate(() => (globalThis as unknown as { benchClass: Recorded }).benchClass);

/** Opens a page that records. */
async function openPage(browser: Browser, address: string, width: number, height: number): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width, height }, locale: 'en' })).newPage();
  await page.addInitScript(record);
  await page.goto(address);
  return page;
}

/** Opens the teacher's page with a run that all screens show. */
async function openTeacher(browser: Browser, { teacher, origin }: ClassProcess): Promise<Page> {
  const page = await openPage(browser, teacher, 1440, 900);
  await page.getByRole('img', { name: 'QR code of the join link' }).waitFor();
  await page.goto(`${origin}/?teach&scenario=one-container&seed=3`);
  await page.getByRole('button', { name: 'Show my run' }).click();
  await page.getByRole('heading', { name: 'default/one-container' }).waitFor();
  return page;
}

async function openLearner(browser: Browser, { origin, code }: ClassProcess): Promise<Page> {
  const page = await openPage(browser, `${origin}/?class=${code}`, 1024, 768);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('region', { name: 'Class' }).waitFor();
  return page;
}

/** Returns the times from the teacher's presses of tabs until the learner's page has painted them. */
async function paintDelays(teacher: Page, learner: Page, beforeView: (view: number) => void): Promise<number[]> {
  const times: number[] = [];
  for (let view = 0; view < views; view++) {
    beforeView(view);
    const { painted: before } = await recordedIn(learner);
    await teacher.getByRole('tab', { name: tabs[view % tabs.length] }).click();
    await learner.waitForFunction(
      (count) => (globalThis as unknown as { benchClass: Recorded }).benchClass.painted.length > count,
      before.length,
    );
    const { pressed } = await recordedIn(teacher);
    const { painted } = await recordedIn(learner);
    times.push((painted.at(-1) ?? Number.NaN) - (pressed.at(-1) ?? Number.NaN));
  }
  return times;
}

/**
 * Measures a class of a page and `count` learners without a browser, which move and answer at the same time.
 * @throws Error with the package to install if Chromium is missing
 */
export async function measurePaint(count: number): Promise<readonly Figure[]> {
  const browser = await launchChromium();
  try {
    const server = await startClassProcess(['--host', '127.0.0.1']);
    try {
      const learners = await joinLearners(server, count);
      const teacher = await openTeacher(browser, server);
      const learner = await openLearner(browser, server);
      await teacher.getByRole('button', { name: 'Everyone look here' }).click();
      await learner.getByRole('heading', { name: 'default/one-container' }).waitFor();
      for (const each of learners)
        each.send({ type: 'answered', question: lessonQuestionId('crash-loops', 'first-restart'), answer: 0 });
      const times = await paintDelays(teacher, learner, (view) => {
        for (const [index, each] of learners.entries())
          if (index % 3 === view % 3) each.send({ type: 'moved', place: { pod: `default/pod-${view}` } });
      });
      for (const each of learners) each.drop();
      const what = `teacher’s press to the painted page of a learner among ${count} others`;
      return [
        { what: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms' },
        { what: `${what}, p95`, value: percentile(times, 0.95), unit: 'ms', limit: longest },
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await browser.close();
  }
}
