/** Tests the page on a bad network: the socket is cut, the server is slow, or many clients connect. */
import { expect, type Page, test, type WebSocketRoute } from '@playwright/test';
import { PodscopePage, podManifest } from '../../support/page/page.ts';
import { sharedServer } from '../../support/shared-server.ts';

const podscope = sharedServer({ runtime: 'sim' });

/** A proxy between the page and the server that fails on demand. */
interface Line {
  /** Cuts existing connections, and rejects new ones until {@link restore}. */
  cut(): Promise<void>;
  restore(): void;
}

/** Puts a proxy into the page's stream. Each message from the server takes `delay` milliseconds. */
async function lineOf(page: Page, delay = 0): Promise<Line> {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(/\/stream$/, (route) => {
    if (isCut) {
      void route.close();
      return;
    }
    const server = route.connectToServer();
    open.add(route);
    server.onMessage((message) => {
      if (delay === 0) route.send(message);
      else setTimeout(() => !isCut && route.send(message), delay);
    });
  });
  return {
    async cut() {
      isCut = true;
      await Promise.all([...open].map((route) => route.close()));
      open.clear();
    },
    restore() {
      isCut = false;
    },
  };
}

const eventRows = async (app: PodscopePage): Promise<readonly string[]> => {
  const events = await app.tab('Events');
  const rows = events.getByRole('row');
  await expect(rows.nth(1)).toBeVisible();
  return rows.allTextContents();
};

test('receives every missed event once after a lost connection', async ({ page, context }) => {
  const line = await lineOf(page);
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  await app.submit('before-the-cut', podManifest('before-the-cut', 'sleep 1; exit 1'));
  await line.cut();
  await expect(app.connection).not.toHaveAccessibleName(/Live/);
  // Meanwhile the run continues, and another client adds events to it.
  const other = new PodscopePage(await context.newPage());
  await other.open(podscope().url);
  await other.submit('during-the-cut', podManifest('during-the-cut', 'sleep 3600'));
  line.restore();
  await expect(app.connection).toHaveAccessibleName(/Live/);
  await expect(app.pod('during-the-cut')).toBeVisible();
  await app.pod('during-the-cut').click();
  await expect(app.pod('during-the-cut')).toContainText('1/1');
  // An event reaches the two pages at different moments.
  await expect(async () => expect(await eventRows(app)).toEqual(await eventRows(other))).toPass();
  await other.page.close();
});

test('shows the pod with a slow server', async ({ page }) => {
  await page.route('**/assets/*.js', async (route) => {
    await new Promise((done) => setTimeout(done, 250));
    await route.continue();
  });
  await lineOf(page, 150);
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  await app.submit('slow', podManifest('slow', 'sleep 3600'));
  await expect(app.pod('slow')).toContainText('1/1');
});

test('twenty clients receive the same events without a gap', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  // Nineteen more streams join the page's own. For the server, each stream costs as much as a tab.
  await page.evaluate(() => {
    const heard = Array.from({ length: 19 }, (): number[] => []);
    Object.assign(globalThis, { heard });
    for (const seqs of heard) {
      const socket = new WebSocket(new URL('/stream', location.href.replace(/^http/, 'ws')));
      socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1 })));
      socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as {
          readonly type: string;
          readonly events?: readonly { readonly seq: number }[];
        };
        if (message.type === 'events') seqs.push(...(message.events ?? []).map(({ seq }) => seq));
      });
    }
  });
  await app.submit('many', podManifest('many', 'sleep 3600'));
  await expect(app.pod('many')).toContainText('1/1');
  const streams = (): Promise<{ readonly lasts: readonly number[]; readonly gaps: number }> =>
    page.evaluate(() => {
      const { heard } = globalThis as unknown as { readonly heard: readonly (readonly number[])[] };
      const gaps = heard.reduce(
        (sum, seqs) => sum + seqs.filter((seq, at) => at > 0 && seq !== (seqs[at - 1] ?? 0) + 1).length,
        0,
      );
      return { lasts: heard.map((seqs) => seqs.at(-1) ?? 0), gaps };
    });
  const areEqual = async (): Promise<boolean> => {
    const [first = 0, ...others] = (await streams()).lasts;
    return first > 0 && others.every((last) => last === first);
  };
  await expect.poll(areEqual).toBe(true);
  expect((await streams()).gaps).toBe(0);
});
