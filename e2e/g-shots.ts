import { chromium, type Page } from '@playwright/test';
import config from './playwright.config.ts';
import { PodscopePage } from './support/page.ts';
const only = process.argv.slice(2);
import { buildSite, serveSite } from './support/static-site.ts';
import { existsSync } from 'node:fs';
if (!existsSync('/tmp/g/site') || process.env['BUILD']) await buildSite('/tmp/g/site');
const site = await serveSite('/tmp/g/site');
const base = site.url;
const browser = await chromium.launch(config.use?.launchOptions);
const paused = async (page: Page) => { await page.getByRole('button', { name: 'Pause time' }).click(); };
const crash = async (app: PodscopePage) => { await app.page.getByText('2 restarts').first().waitFor({timeout:60000}); await paused(app.page); };
const shots: Record<string, [string, (app: PodscopePage) => Promise<void>]> = {
  pod: ['?scenario=crash-loop&seed=3&speed=5', crash],
  image: ['?scenario=missing-image&seed=3&speed=2', async (app) => { await app.page.getByText('ImagePullBackOff').first().waitFor({timeout:60000}); await paused(app.page); }],
  why: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await crash(app); await app.page.getByRole('button', { name: /^Step 1, Compute/ }).click(); }],
  spec: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await crash(app); await app.page.getByRole('button', { name: /Show status.containerStatuses\[0\].restartCount/ }).first().click(); await app.page.waitForTimeout(1500); }],
  states: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await crash(app); await app.tab('Spec'); await app.page.getByRole('radio', { name: /Desired, allocated/ }).or(app.page.getByRole('button', { name: /Desired, allocated/ })).click(); await app.page.waitForTimeout(500); }],
  code: ['?scenario=crash-loop&seed=3&speed=2', async (app) => { await app.tab('Steps'); await app.page.getByRole('button', { name: /^Breakpoint before Start containers/ }).click(); await app.page.getByRole('heading', { name: 'Stopped before' }).waitFor({timeout:60000}); const code = await app.tab('Code'); await code.locator('.stopped-line').waitFor(); await code.locator('.stopped-line').getByText('startContainers').first().hover(); await app.page.waitForTimeout(900); }],
  logs: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await crash(app); await app.tab('Logs'); await app.page.waitForTimeout(700); await app.page.getByRole('button', { name: 'Times' }).click(); await app.page.waitForTimeout(300); }],
  terminal: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await crash(app); await app.tab('Logs'); await app.page.getByRole('radio', { name: 'Terminal' }).or(app.page.getByRole('button', { name: 'Terminal' })).first().click(); await app.page.waitForTimeout(300); }],
  editor: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await app.write('apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: app\n      image: busybox:1.36\n'); await app.page.waitForTimeout(900); await app.page.keyboard.type('    li'); await app.page.waitForTimeout(900); }],
  adds: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await app.write('apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  hostNetwork: true\n  containers:\n    - name: app\n      image: busybox:1.36\n      securityContext:\n        privileged: true\n'); await app.page.waitForTimeout(1500); await app.page.getByRole('button', { name: /Defaulting adds/ }).click(); await app.page.waitForTimeout(300);}],
  compare: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await crash(app); const c = await app.tab('Compare'); await c.getByRole('button', { name: 'Compare two syncs' }).click(); await app.page.waitForTimeout(800); }],
  steps: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await crash(app); await app.tab('Steps'); }],
  span: ['?scenario=crash-loop&seed=3&speed=5', async (app) => { await crash(app); const r = await app.tab('Results'); await r.getByRole('row').nth(2).click(); await app.page.waitForTimeout(600);  }],
};
for (const [name, [query, prepare]] of Object.entries(shots)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  page.setDefaultTimeout(25000);
  page.on('console', (m) => { if (['error','warning'].includes(m.type())) console.log(name, m.type(), m.text().slice(0, 300)); });
  page.on('pageerror', (e) => console.log(name, 'pageerror', e.message));
  if (process.env['LANGUAGE'] === 'zh') await page.addInitScript(() => localStorage.setItem('podscope.preferences', JSON.stringify({ state: { theme: 'system', language: 'zh-CN', logWrap: true, logTimestamps: false, watches: [] }, version: 1 })));
  const app = new PodscopePage(page);
  try {
    await app.open(`${base}${query}`);
    await page.getByRole('button', { name: /Got it|Skip|Close hints|No thanks|Dismiss/i }).first().click({ timeout: 800 }).catch(() => undefined);
    await prepare(app);
  } catch (e) { console.log(name, 'FAILED', String(e).slice(0, 400)); }
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(150);
    await page.screenshot({ path: `/tmp/g/${name}-${scheme}.png`, animations: 'disabled' });
  }
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.waitForTimeout(250);
  await page.screenshot({ path: `/tmp/g/${name}-small.png`, animations: 'disabled' });
  await page.close();
}
await browser.close();
await site.stop();
