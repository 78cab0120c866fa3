/** Builds the page once before the browser tests, so that no server has to build it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPage } from '../../../apps/server/src/page/build-page.ts';

/**
 * Builds the page.
 * @returns a function that removes the built files
 */
export default async function buildOnce(): Promise<() => Promise<void>> {
  await buildPage(() => console.log('Building the page…'));
  process.env['PODSCOPE_TEST_PAGE_IS_BUILT'] = '1';
  const siteFolder = await mkdtemp(join(tmpdir(), 'podscope-test-site-'));
  process.env['PODSCOPE_TEST_SITE'] = siteFolder;
  return () => rm(siteFolder, { recursive: true, force: true });
}
