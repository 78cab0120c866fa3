/** Every scenario plays in a browser exactly as on Node: the same event log, byte for byte. */
import { expect, test } from '@playwright/test';
import { scenarios } from '@podscope/scenarios';
import { logDigestOf, playThrough } from '@podscope/scenarios/testing';
import { bundleForPage } from '../support/engine-bundle.ts';
import type { ScenarioPlayer } from '../support/scenarios-in-page.ts';

// Of https, since only there a page has SHA-256; nothing is asked of the network.
const origin = 'https://scenarios.invalid';

const cases = scenarios.flatMap(({ id, profiles }) => profiles.map((profile) => ({ id, profile })));

test('every scenario has the same events in Chromium as on Node', async ({ page }) => {
  test.slow();
  const script = await bundleForPage('scenarios-in-page');
  await page.route(`${origin}/**`, async (route) => {
    const isScript = new URL(route.request().url()).pathname !== '/';
    if (isScript) await route.fulfill({ contentType: 'text/javascript', body: script });
    else await route.fulfill({ contentType: 'text/html', body: '<!doctype html><meta charset="utf-8"><script type="module" src="/scenarios.js"></script>' });
  });
  await page.goto(origin);
  await page.waitForFunction(() => 'podscopeScenarios' in globalThis);
  const inPage = await page.evaluate(async (given) => {
    const { podscopeScenarios } = globalThis as unknown as { readonly podscopeScenarios: ScenarioPlayer };
    const digests: Record<string, string> = {};
    for (const { id, profile } of given) digests[`${id}.${profile}`] = await podscopeScenarios.digest(id, profile);
    return digests;
  }, cases);
  const onNode: Record<string, string> = {};
  for (const scenario of scenarios)
    for (const profile of scenario.profiles) onNode[`${scenario.id}.${profile}`] = await logDigestOf(await playThrough(scenario, profile));
  expect(inPage).toEqual(onNode);
});
