/**
 * Measures a page that follows a busy node: the delay until events are painted, dropped frames, and recovery from a
 * lost connection.
 */
import type { TraceEvent } from '@podscope/trace';
import type { Browser, Page } from 'playwright-core';
import { type Figure, median, percentile } from './figure.ts';
import type { BenchNode } from './page-server.ts';
import { rendererUsage } from './renderer.ts';
import { storyOf } from './runs.ts';

/** Duration of a measurement, in milliseconds. */
const streamTime = 6_000;

/** Interval between messages in milliseconds, because the server batches the events of a few milliseconds. */
const tick = 4;

/** Every nth event is a stamp: it carries its send time, which the page shows. This is n. */
const stampEvery = 20;

/** Removes the recorded times from an event, so that the event's own time counts. */
function timeless(event: TraceEvent): TraceEvent {
  if (event.type !== 'runtimeStateChanged') return event;
  const { createdAt: _created, startedAt: _started, finishedAt: _finished, ...rest } = event;
  return rest;
}

/** Replays recorded events with current times and consecutive numbers. */
class Reporter {
  readonly #story: readonly TraceEvent[];
  #reported = 0;
  /** Number of recorded events sent so far. The other events sent are stamps. */
  #told = 0;

  constructor(count: number) {
    // A back-off event consists of recorded times only, so it is omitted.
    this.#story = storyOf(count)
      .filter(({ type }) => type !== 'backOff')
      .map(timeless);
  }

  next(count: number): TraceEvent[] {
    return Array.from({ length: count }, () => {
      const seq = ++this.#reported;
      const time = Date.now();
      const reported = this.#story[this.#told % this.#story.length] as TraceEvent;
      // The stamps are sent between recorded events. A stamp in place of a recorded event could leave a span without an
      // end.
      if (seq % stampEvery !== 0) {
        this.#told++;
        return { ...reported, seq, time };
      }
      const { thread, pod } = reported;
      return {
        type: 'kubernetesEvent',
        seq,
        time,
        thread,
        pod,
        eventType: 'Normal',
        reason: 'Stamp',
        message: `sent ${time}`,
        count: 1,
      };
    });
  }
}

/** Records in each frame the newest stamp that the page shows and the time since the last frame. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const state = { latencies: [] as number[], intervals: [] as number[], newest: 0, newestSeen: 0 };
    Object.assign(globalThis, { bench: state });
    let last = performance.now();
    const look = (time: number): void => {
      state.intervals.push(time - last);
      last = time;
      const { port1, port2 } = new MessageChannel();
      // The current document is painted with this frame, and the message posted below arrives after the paint.
      const rows = [...document.querySelectorAll('[role=tabpanel] [role=grid] [role=row]')];
      // Events without a stamp appear between two stamps, so take the newest stamp in view.
      const stamp = Math.max(
        0,
        ...rows.slice(-8).map(({ textContent }) => Number(/sent (\d+)/.exec(textContent)?.[1] ?? 0)),
      );
      if (stamp > state.newest) {
        state.newest = stamp;
        port1.addEventListener('message', () => {
          state.latencies.push(Date.now() - stamp);
          state.newestSeen = Date.now();
        });
        port1.start();
        port2.postMessage(null);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

interface Watched {
  readonly latencies: readonly number[];
  readonly intervals: readonly number[];
  readonly newest: number;
  readonly newestSeen: number;
}

const watched = (page: Page): Promise<Watched> =>
  page.evaluate(() => (globalThis as unknown as { readonly bench: Watched }).bench);

const forget = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { bench } = globalThis as unknown as { readonly bench: { latencies: number[]; intervals: number[] } };
    bench.latencies = [];
    bench.intervals = [];
  });

/** Sends the given number of events per second for a while. */
function stream(node: BenchNode, reporter: Reporter, perSecond: number, time: number): Promise<void> {
  return new Promise((done) => {
    const started = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const elapsed = performance.now() - started;
      const due = Math.floor((Math.min(elapsed, time) / 1_000) * perSecond) - sent;
      if (due > 0) node.send(reporter.next(due));
      sent += Math.max(0, due);
      if (elapsed < time) return;
      clearInterval(timer);
      done();
    }, tick);
  });
}

async function caughtUp(page: Page, stamp: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => (globalThis as unknown as { readonly bench: Watched }).bench.newest >= wanted,
    stamp,
    { timeout: 60_000 },
  );
}

/** Returns the newest stamp among the events. */
const stampOf = (events: readonly TraceEvent[]): number =>
  events.reduce(
    (newest, event) =>
      event.type === 'kubernetesEvent' && event.reason === 'Stamp' ? Math.max(newest, event.time) : newest,
    0,
  );

async function cutFigure(node: BenchNode, page: Page, reporter: Reporter): Promise<Figure> {
  node.cut();
  const missed = Array.from({ length: 20 }, () => reporter.next(500)).flat();
  await new Promise((done) => setTimeout(done, 10_000));
  node.send(missed);
  node.open();
  // Measure from the moment at which the page may reconnect, because the retry delay isn't part of the page's speed.
  await page
    .getByRole('button', { name: /now/i })
    .first()
    .click({ timeout: 1_000 })
    .catch(() => undefined);
  while (node.pages === 0) await new Promise((done) => setTimeout(done, 1));
  const started = Date.now();
  await caughtUp(page, stampOf(missed));
  const { newestSeen } = await watched(page);
  return {
    what: 'stream: 10 s cut, then 10,000 events caught up and painted',
    value: newestSeen - started,
    unit: 'ms',
    limit: 200,
  };
}

/** Measures from the message of a stop to the frame in which the page shows that the pod is stopped. */
async function stops(node: BenchNode, page: Page, reporter: Reporter): Promise<readonly Figure[]> {
  const times: number[] = [];
  const [first] = reporter.next(1);
  if (first) node.send([first]);
  const uid = first?.pod ?? '';
  let seq = (first?.seq ?? 0) + 1;
  const shown = (isStopped: boolean): Promise<number> =>
    page.evaluate(
      (wanted) =>
        new Promise<number>((done) => {
          const look = (): void => {
            const says = [
              ...document.querySelectorAll(
                '[data-timeline] [role=status], header, [role=listbox][aria-label=Pods] [role=option]',
              ),
            ].some((element) => /stopped|paused/i.test(element.textContent ?? ''));
            if (says !== wanted) {
              requestAnimationFrame(look);
              return;
            }
            // The text is painted with this frame, and the message arrives after the paint.
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => done(Date.now()));
            port1.start();
            port2.postMessage(null);
          };
          requestAnimationFrame(look);
        }),
      isStopped,
    );
  for (let round = 0; round < 20; round++) {
    const base = { thread: uid, pod: uid } as const;
    const seen = shown(true);
    const sent = Date.now();
    node.send([
      {
        ...base,
        type: 'stopped',
        seq: seq++,
        time: sent,
        reason: 'breakpoint',
        point: 'kuberuntime.SyncPod',
        phase: 'before',
      },
    ]);
    times.push((await seen) - sent);
    const gone = shown(false);
    node.send([{ ...base, type: 'continued', seq: seq++, time: Date.now(), reason: 'continue' }]);
    await gone;
  }
  return [{ what: 'stream: stop reached, shown, p95', value: percentile(times, 0.95), unit: 'ms', limit: 80 }];
}

/** Opens a page that follows the node and shows the events of its pod. */
async function following(browser: Browser, node: BenchNode): Promise<{ page: Page; reporter: Reporter }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(node.url);
  await page.getByRole('status', { name: /Live/ }).waitFor();
  const reporter = new Reporter(60_000);
  node.send(reporter.next(200));
  await page.getByRole('listbox', { name: 'Pods' }).getByRole('option').first().click();
  await page.getByRole('tab', { name: 'Events' }).click();
  await watch(page);
  await stream(node, reporter, 500, 1_500);
  await forget(page);
  return { page, reporter };
}

/**
 * Streams at a rate. Returns the frames and delays that the page showed, and the renderer's processor time per frame.
 */
async function streamed(browser: Browser, node: BenchNode, perSecond: number) {
  const { page, reporter } = await following(browser, node);
  const before = await rendererUsage(browser);
  await stream(node, reporter, perSecond, streamTime);
  const after = await rendererUsage(browser);
  const seen = await watched(page);
  await page.close();
  return { ...seen, perFrame: (after.processorTime - before.processorTime) / Math.max(1, seen.intervals.length) };
}

/** Measures 1,000 events/s. */
export async function latencyFigures(browser: Browser, node: BenchNode): Promise<readonly Figure[]> {
  const { latencies, perFrame } = await streamed(browser, node, 1_000);
  const name = 'stream: 1,000 events/s, sent to painted';
  return [
    { what: `${name}, p50`, value: median(latencies), unit: 'ms', limit: 40 },
    { what: `${name}, p99`, value: percentile(latencies, 0.99), unit: 'ms', limit: 90 },
    { what: 'stream: 1,000 events/s, processor time of the renderer a frame', value: perFrame, unit: 'ms' },
  ];
}

/** Measures 5,000 events/s. */
export async function frameFigures(browser: Browser, node: BenchNode): Promise<readonly Figure[]> {
  const { latencies, intervals, perFrame } = await streamed(browser, node, 5_000);
  return [
    { what: 'stream: 5,000 events/s, sent to painted, p50', value: median(latencies), unit: 'ms' },
    {
      what: 'stream: 5,000 events/s, frame to frame, p95',
      value: percentile(intervals, 0.95),
      unit: 'ms',
      limit: 33,
    },
    { what: 'stream: 5,000 events/s, processor time of the renderer a frame', value: perFrame, unit: 'ms' },
  ];
}

/** Measures how long the page takes to show 10,000 events that it missed while it was disconnected. */
export async function cutFigures(browser: Browser, node: BenchNode): Promise<readonly Figure[]> {
  const { page, reporter } = await following(browser, node);
  const figure = await cutFigure(node, page, reporter);
  await page.close();
  return [figure];
}

/** Measures how long the page takes to show a stop after it has received 60,000 events. */
export async function stopFigures(browser: Browser, node: BenchNode): Promise<readonly Figure[]> {
  const { page, reporter } = await following(browser, node);
  for (let sent = 0; sent < 60_000; sent += 5_000) {
    const events = reporter.next(5_000);
    node.send(events);
    await caughtUp(page, stampOf(events));
  }
  const figures = await stops(node, page, reporter);
  await page.close();
  return figures;
}
