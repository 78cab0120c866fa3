/** Attaches the run of a node to a test's report: the run as a file, the diagnosis, and pictures of the timeline. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { z } from 'zod';
import { callPage } from '../node/pod.ts';

const reportsSchema = z.array(z.object({ pod: z.string(), isHealthy: z.boolean(), text: z.string() }));
type PodReport = z.infer<typeof reportsSchema>[number];

/** The number of pods whose timelines are attached. */
const mostPictures = 3;

/** The viewport of pictures: high enough for the lanes of several containers. */
const pictureViewport = { width: 1600, height: 1400 };

/** How long a picture may take, in milliseconds. */
const pictureTimeout = 60_000;

/** Attaches a picture of the pod's timeline, from its beginning until now. */
async function attachTimeline(page: Page, testInfo: TestInfo, pod: string): Promise<void> {
  await callPage(page, 'show', pod);
  // Dialogs would cover the timeline.
  await page.keyboard.press('Escape');
  const body = await page
    .getByRole('region', { name: 'Timeline', exact: true })
    .screenshot({ animations: 'disabled', timeout: pictureTimeout });
  await testInfo.attach(`timeline of ${pod}`, { body, contentType: 'image/png' });
}

/** Returns the reports in another order: pods with a problem first, and among equals the newest first. */
const byInterest = (reports: readonly PodReport[]): readonly PodReport[] =>
  reports.toReversed().toSorted((a, b) => Number(a.isHealthy) - Number(b.isHealthy));

/**
 * Attaches the run that the page shows. Does nothing if the page shows none. A part that fails is reported in the
 * attachment and doesn't fail the test a second time.
 * @param name of the file, without its extension
 */
export async function attachRun(page: Page, testInfo: TestInfo, name: string): Promise<void> {
  const isOpen = await page.evaluate(() => 'podscope' in globalThis).catch(() => false);
  if (!isOpen) return;
  try {
    const file = testInfo.outputPath(`${name}.podscope`);
    const content = z.string().parse(await callPage(page, 'saveRun'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(content, 'base64'));
    const command = `npx podscope open ${relative(process.cwd(), file)}`;
    testInfo.annotations.push({ type: 'Podscope', description: command });
    await testInfo.attach('open the run', {
      body: `${command}\n\nFrom a downloaded report: save ${name}.podscope, then npx podscope open ${name}.podscope\n`,
      contentType: 'text/plain',
    });
    await testInfo.attach(`${name}.podscope`, { path: file, contentType: 'application/gzip' });
    const reports = byInterest(reportsSchema.parse(await callPage(page, 'explain')));
    await testInfo.attach('diagnosis', {
      body: reports.length === 0 ? 'The node had no pods.\n' : `${reports.map(({ text }) => text).join('\n\n')}\n`,
      contentType: 'text/plain',
    });
    const size = page.viewportSize();
    await page.setViewportSize(pictureViewport);
    for (const pod of new Set(reports.map((report) => report.pod).slice(0, mostPictures)))
      await attachTimeline(page, testInfo, pod);
    if (size) await page.setViewportSize(size);
  } catch (error) {
    await testInfo.attach('podscope', {
      body: `The run could not be attached: ${error instanceof Error ? error.message : String(error)}\n`,
      contentType: 'text/plain',
    });
  }
}
