/** Tests attacks by pages of other sites in the browser of a user who is logged in. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { PodscopePage } from '../../support/page/page.ts';
import { type Podscope, startPodscope } from '../../support/podscope.ts';

let podscope: Podscope;
let other: Server;
let otherPort: number;

const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'planted' },
  spec: { containers: [{ name: 'a', image: 'busybox:1.36' }] },
});

/** Returns a page that attempts every kind of access and records the outcomes in `window.results`. */
const attack = (origin: string): string => `<!doctype html><title>stranger</title>
<iframe name="hole"></iframe><iframe name="framed" src="${origin}/"></iframe>
<form method="post" enctype="text/plain" action="${origin}/debug/v1/commands" target="hole">
  <input name='{"command":"apply","manifest":"","x":"' value='"}'></form>
<script>
  const attempt = async (name, work) => {
    try { return [name, await work()]; } catch (error) { return [name, 'refused']; }
  };
  const socket = () => new Promise((resolve) => {
    const stream = new WebSocket('${origin.replace('http', 'ws')}/stream');
    stream.onopen = () => resolve('open');
    stream.onerror = () => resolve('refused');
  });
  document.forms[0].submit();
  Promise.all([
    attempt('read', async () => (await fetch('${origin}/api/v1/pods', { credentials: 'include' })).status),
    attempt('write', async () => (await fetch('${origin}/api/v1/namespaces/default/pods', {
      method: 'POST',
      mode: 'no-cors',
      credentials: 'include',
      headers: { 'Content-Type': 'text/plain' },
      body: ${JSON.stringify(pod)},
    })).type),
    attempt('socket', socket),
    attempt('script', () => new Promise((resolve) => {
      const script = document.createElement('script');
      script.onload = () => resolve('ran');
      script.onerror = () => resolve('refused');
      script.src = '${origin}/api/v1/pods';
      document.head.append(script);
    })),
  ]).then((results) => { window.results = Object.fromEntries(results); });
</script>`;

test.beforeAll(async () => {
  podscope = await startPodscope({ runtime: 'sim' });
  other = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(attack(podscope.origin)),
  );
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  otherPort = (other.address() as AddressInfo).port;
});
test.afterAll(async () => {
  other.close();
  await podscope.stop();
});

test('pages of other sites have no access, under any host name', async ({ page, context }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  // The page sends requests to its own server only.
  expect(asked.filter((url) => !url.startsWith(podscope.origin) && !/^(?:data|blob):/.test(url))).toEqual([]);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  expect(await page.evaluate(() => document.cookie)).toBe('');

  // A host name of another site that resolves to this machine, as after DNS rebinding.
  const rebound = await page.goto(`http://evil.localhost:${new URL(podscope.origin).port}/`);
  expect(rebound?.status()).toBe(421);

  // Another port of the same host counts as the same site, so the browser sends the cookie. Nevertheless, no access may
  // succeed.
  await page.goto(`http://127.0.0.1:${otherPort}/`);
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'results') as unknown)).toBeTruthy();
  const results = await page.evaluate(() => Reflect.get(window, 'results') as Record<string, unknown>);
  expect(results).toMatchObject({ read: 'refused', socket: 'refused', script: 'refused' });
  await expect.poll(() => page.frame({ name: 'framed' })?.url() ?? '').not.toContain(podscope.origin);
  expect(await podscope.api.getPod({ name: 'planted' })).toBeUndefined();
});

test('output of a pod stays text: in its log, in a terminal, in messages', async ({ page }) => {
  const asked: string[] = [];
  const happened: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('dialog', (dialog) => {
    happened.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('popup', () => happened.push('popup'));
  page.on('pageerror', (error) => happened.push(error.message));
  await page.addInitScript(() => {
    Reflect.set(window, 'pwned', 0);
  });
  const escape = '\u001b';
  const html = '<img src=https://evil.test/x onerror="window.pwned=1"><script>window.pwned=2</script>';
  const lines = [
    `${html} END-OF-HTML`,
    // Escape sequences that set the title, the clipboard, a link and the window's size.
    `${escape}]0;evil title\u0007${escape}]52;c;ZXZpbA==\u0007${escape}]8;;https://evil.test/y\u0007click me${escape}]8;;\u0007${escape}[8;1;1t END-OF-OSC`,
    // Characters that reverse the direction of the text.
    `\u202eexe.gnp\u2066\u061c END-OF-BIDI`,
    'x'.repeat(200_000),
  ];
  const words = lines.map((line) => `echo "$L${lines.indexOf(line)}"`).join('; ');
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'loud', annotations: { note: html } },
    spec: {
      containers: [
        {
          name: 'app',
          image: 'busybox:1.36',
          command: ['sh', '-c', `${words}; echo LAST; sleep 3600`],
          env: lines.map((value, index) => ({ name: `L${index}`, value })),
        },
      ],
    },
  };
  const app = new PodscopePage(page);
  await app.open(podscope.url);
  const title = await page.title();
  await app.submit('loud', JSON.stringify(manifest));
  const logs = await app.tab('Logs');
  await expect(logs.getByText('END-OF-HTML')).toContainText(html);
  await expect(logs.getByText('END-OF-OSC')).toHaveText('click me END-OF-OSC');
  await expect(logs.getByText('END-OF-BIDI')).toHaveText('exe.gnp END-OF-BIDI');
  await expect(logs.getByText('LAST', { exact: true })).toBeVisible();

  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('button', { name: /^app/ }).click();
  await inspector.getByRole('button', { name: 'Terminal' }).click();
  await expect(logs.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
  await page.keyboard.type('echo "$L0"; echo "$L1"');
  await page.keyboard.press('Enter');
  const rows = logs.locator('.xterm-rows');
  await expect(rows).toContainText('END-OF-OSC');
  // The terminal shows it as a link that isn't clickable.
  const link = rows.getByText('click me').last();
  await expect(async () => {
    await link.hover({ force: true });
    await expect(logs.locator('.xterm-cursor-pointer')).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await link.click({ force: true });
  await app.tab('Spec');

  expect(happened).toEqual([]);
  expect(await page.evaluate(() => Reflect.get(window, 'pwned') as number)).toBe(0);
  expect(await page.title()).not.toContain('evil');
  expect(title).not.toBe('');
  expect(asked.filter((url) => !url.startsWith(podscope.origin) && !/^(?:data|blob):/.test(url))).toEqual([]);
});
