/** Makes vitest's tests on Docker one test run, which fails if the tests leave anything behind. */
import { openTestRun } from './test-run.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const run = await openTestRun();
  return async () => {
    const left = await run.close();
    if (left.length > 0) throw new Error(`the tests left behind:\n${left.map((each) => `  ${each}`).join('\n')}`);
  };
}
