/** Finds the page to serve. */
import { isPackaged } from '@podscope/command-line';
import { pageDirectory } from '../repository.ts';

/**
 * Returns the directory of the page. In a clone, the page is first built if its sources have changed; the npm package
 * contains the built page.
 * @param build false to serve the last build, even if sources have changed
 * @param announce called before a build begins
 * @throws StartError if the build fails
 */
export async function preparePage(build: boolean, announce: () => void): Promise<string> {
  if (isPackaged || !build) return pageDirectory;
  const { buildPage } = await import('./build-page.ts');
  return buildPage(announce);
}
