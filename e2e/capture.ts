/**
 * Makes the animated picture of the README: `npx -y pnpm@12 capture`. The static site plays a crash loop: the container
 * crashes, the pod stops at a breakpoint, its variables are inspected, and it continues. Time is virtual and the seed
 * is fixed, so the picture changes only when the page changes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { encode } from 'modern-gif';
import { PNG } from 'pngjs';
import config from './playwright.config.ts';
import type { PodscopePage } from './support/page/page.ts';
import { drawn, openForPictures } from './support/page/picture-page.ts';
import { buildSite, serveSite } from './support/page/static-site.ts';
import { stepTime } from './support/virtual-time.ts';

const file = resolve(import.meta.dirname, '../docs/images/capture.gif');

/** Size of the capture, in pixels. */
const size = { width: 1200, height: 840 };

interface Frame {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** How long the frame is shown, in milliseconds. */
  readonly delay: number;
}

class Film {
  readonly frames: Frame[] = [];
  readonly #app: PodscopePage;

  constructor(app: PodscopePage) {
    this.#app = app;
  }

  /** Adds a frame. @param delay how long it is shown, in milliseconds */
  async show(delay: number): Promise<void> {
    await drawn(this.#app);
    const { data } = PNG.sync.read(await this.#app.page.screenshot({ animations: 'disabled', caret: 'hide' }));
    this.frames.push({ data: new Uint8ClampedArray(data), delay });
  }

  /** Advances virtual time in equal parts and adds a frame after each part. All times are in milliseconds. */
  async pass(time: number, parts: number, delay: number): Promise<void> {
    for (let part = 0; part < parts; part++) {
      await stepTime(this.#app.page, time / parts);
      await this.show(delay);
    }
  }
}

/** Records the scenes: start and crash, a stop, its variables, and the time up to the next back-off. */
async function record(app: PodscopePage, film: Film): Promise<void> {
  const { page } = app;
  await page.getByRole('listbox', { name: 'Pods' }).getByRole('option').first().waitFor();
  await app.tab('Steps');
  await film.pass(3_000, 6, 250);
  const dot = page.getByRole('button', { name: /^Breakpoint before Start containers/ });
  await dot.hover();
  await film.show(900);
  await dot.click();
  await film.show(900);
  await film.pass(20_000, 5, 200);
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('heading', { name: 'Stopped before' }).waitFor();
  await film.show(1_500);
  await inspector.getByRole('button', { name: 'podActions' }).click();
  await film.show(2_200);
  await page.getByRole('button', { name: /^Breakpoint before Start containers/ }).click();
  await page.keyboard.press('F8');
  await inspector.getByRole('heading', { name: 'Stopped before' }).waitFor({ state: 'hidden' });
  await film.pass(40_000, 10, 250);
  await film.show(2_500);
}

const directory = await mkdtemp(join(tmpdir(), 'podscope-capture-'));
await buildSite(directory);
const site = await serveSite(directory);
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const app = await openForPictures(browser, `${site.url}?scenario=crash-loop&seed=3&paused`, size);
  const film = new Film(app);
  await record(app, film);
  const gif = await encode({ ...size, maxColors: 128, frames: film.frames.map((frame) => ({ ...frame })) });
  await writeFile(file, new Uint8Array(gif));
  console.log(`${file}: ${film.frames.length} frames, ${(gif.byteLength / 1024).toFixed(0)} KiB`);
} finally {
  await browser.close();
  await site.stop();
  await rm(directory, { recursive: true, force: true });
}
