/**
 * Tests that scenarios play in a browser exactly as on Node: with the same seed, the event log is the same, byte for
 * byte.
 */
import { expect, test } from '@playwright/test';
import { scenarios } from '@podscope/scenarios';
import { logDigestOf, playThrough, seedCases } from '@podscope/scenarios/testing';
import { bundleForPage } from '../../support/page/engine-bundle.ts';
import type { ScenarioPlayer } from '../../support/page/scenarios-in-page.ts';

// An https origin, because only there a page has SHA-256; no request leaves the browser.
const origin = 'https://scenarios.invalid';

/** `PODSCOPE_TEST_LONG=1` plays each scenario with every release, and a hundred other seeds. */
const isLong = process.env['PODSCOPE_TEST_LONG'] === '1';

const cases = [
  ...scenarios.flatMap((scenario, index) =>
    scenario.profiles
      // Play one release per scenario, in turn. On Node the unit tests play all of them.
      .filter((_, turn) => isLong || turn === index % scenario.profiles.length)
      .map((profile) => ({ scenario, profile, seed: undefined })),
  ),
  ...(isLong ? seedCases() : []),
].map(({ scenario, profile, seed }) => ({
  id: scenario.id,
  scenario,
  profile,
  seed,
  name: `${scenario.id}.${profile}.${seed ?? 'its own'}`,
}));

test('every scenario emits the same events in Chromium as on Node', async ({ page }) => {
  test.slow();
  const script = await bundleForPage('scenarios-in-page');
  await page.route(`${origin}/**`, async (route) => {
    const isScript = new URL(route.request().url()).pathname !== '/';
    if (isScript) await route.fulfill({ contentType: 'text/javascript', body: script });
    else
      await route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><meta charset="utf-8"><script type="module" src="/scenarios.js"></script>',
      });
  });
  await page.goto(origin);
  await page.waitForFunction(() => 'podscopeScenarios' in globalThis);
  const inPage = await page.evaluate(
    async (given) => {
      const { podscopeScenarios } = globalThis as unknown as { readonly podscopeScenarios: ScenarioPlayer };
      const digests: Record<string, string> = {};
      for (const { id, profile, seed, name } of given)
        digests[name] = await podscopeScenarios.digest(id, profile, seed);
      return digests;
    },
    cases.map(({ id, profile, seed, name }) => ({ id, profile, seed, name })),
  );
  const onNode: Record<string, string> = {};
  for (const { scenario, profile, seed, name } of cases)
    onNode[name] = await logDigestOf(await playThrough(scenario, profile, seed));
  expect(inPage).toEqual(onNode);
});
