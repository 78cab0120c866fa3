/** Builds the page once before the browser tests, so that no server has to. */
import { buildPage } from '../../../apps/server/src/page/build-page.ts';

export default async function buildOnce(): Promise<void> {
  await buildPage(() => console.log('Building the page…'));
  process.env['PODSCOPE_TEST_PAGE_IS_BUILT'] = '1';
}
