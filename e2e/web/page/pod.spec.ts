/** Tests the page as a user would use it, on the simulator and on Docker. */
import { expect, test } from '@playwright/test';
import { axe } from '../../support/page/axe.ts';
import { PodscopePage, podManifest } from '../../support/page/page.ts';
import { type Podscope, startPodscope } from '../../support/podscope.ts';

/** With `PODSCOPE_TEST_LONG=1` axe also looks at the dark theme, and at the whole page with each tab. */
const isLong = process.env['PODSCOPE_TEST_LONG'] === '1';
const themes = isLong ? (['light', 'dark'] as const) : (['light'] as const);

// Motion is enabled here, as for most users, so the timeline moves in every frame.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

for (const runtime of ['sim', 'docker'] as const) {
  test.describe(`on ${runtime}`, () => {
    const whyNot = process.env['PODSCOPE_TEST_NO_DOCKER'];
    test.skip(runtime === 'docker' && whyNot !== undefined, whyNot);
    let podscope: Podscope;
    /**
     * Declares a test of the page, to which the runtime makes no difference: on Docker it runs with
     * `PODSCOPE_TEST_LONG=1`.
     */
    const testPage = runtime === 'sim' || isLong ? test : () => undefined;
    test.beforeAll(async () => {
      podscope = await startPodscope({ runtime });
    });
    test.afterAll(async () => {
      await podscope.stop();
    });

    test('submits a pod and watches it run', async ({ page }) => {
      const app = new PodscopePage(page);
      await app.open(podscope.url);
      expect(page.url()).not.toContain('token');
      await app.submit(
        'web',
        podManifest('web', "echo hello from web; trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done"),
      );
      await expect(app.pod('web')).toHaveAccessibleName(/Running, 1\/1 ready/);
      await expect(app.onTimeline(/^Sandbox, /).first()).toBeAttached();
      await expect(app.onTimeline(/^app, running/)).toBeAttached();
      const steps = await app.tab('Steps');
      // SyncPod has nine steps, and some of them have numbered steps of their own.
      await expect(steps.getByRole('treeitem', { name: /^Step 1, Compute/ })).toBeVisible();
      await expect(steps.getByRole('treeitem', { name: /^Step 9, Start containers/ })).toBeVisible();
      await expect((await app.tab('Results')).getByText('CreatePodSandbox').first()).toBeVisible();
      await expect((await app.tab('Events')).getByText('Started', { exact: true }).first()).toBeVisible();
      await expect((await app.tab('Logs')).getByText('hello from web')).toBeVisible();
      await expect((await app.tab('Spec')).getByText('busybox:1.36').first()).toBeVisible();
    });

    test('deletes it', async ({ page }) => {
      const app = new PodscopePage(page);
      await app.open(podscope.url);
      await app.pod('web').click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog', { name: 'Delete web' }).getByRole('button', { name: 'Delete pod' }).click();
      await expect.poll(async () => podscope.api.getPod({ name: 'web' })).toBeUndefined();
    });

    test('shows a crash loop: restarts, and the back-off with its countdown', async ({ page }) => {
      const app = new PodscopePage(page);
      await app.open(podscope.url);
      await app.submit('crash', podManifest('crash', 'exit 1'));
      // A crashed container is an Error until the first sync in its back-off, then CrashLoopBackOff.
      await expect(app.pod('crash')).toHaveAccessibleName(/(Error|CrashLoopBackOff), 0\/1 ready, [1-9]/);
      // The wait begins with the sync after the second exit, and on a busy engine each start takes seconds.
      await expect(page.getByText(/next attempt in \d/).first()).toBeVisible();
      await expect(app.onTimeline(/^app, back-off \d+s/).first()).toBeAttached();
      await expect((await app.tab('Results')).getByText('CrashLoopBackOff').first()).toBeVisible();
    });

    testPage('says in place what is wrong with a manifest, and applies nothing', async ({ page }) => {
      const app = new PodscopePage(page);
      await app.open(podscope.url);
      await app.write(
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: broken\nspec:\n  containers:\n    - name: app\n      ' +
          'imagee: busybox\n',
      );
      const errors = app.dialog.getByRole('region', { name: 'Errors in the manifest' });
      await expect(errors.getByText(/spec\.containers\[0\]\.imagee/).first()).toBeVisible();
      await expect(errors.getByText(/spec\.containers\[0\]\.image\b/).first()).toBeVisible();
      await expect(app.dialog.locator('.cm-lintRange, .cm-lint-marker').first()).toBeVisible();
      expect(await podscope.api.getPod({ name: 'broken' })).toBeUndefined();
    });

    testPage('goes on without a gap after the connection was cut', async ({ page }) => {
      const sockets: { close: () => Promise<void> }[] = [];
      const numbers: number[] = [];
      let cut = 0;
      await page.routeWebSocket(/\/stream$/, (socket) => {
        const server = socket.connectToServer();
        const line = sockets.push(socket);
        server.onMessage((message) => {
          // Drop the last line, which is incomplete.
          if (line <= cut) return;
          const said = JSON.parse(String(message)) as {
            readonly events?: readonly { readonly seq: number }[];
            /** Number of the first event; only in a message of packed events. */
            readonly firstSeq?: number;
            readonly rows?: readonly unknown[];
          };
          numbers.push(...(said.events ?? []).map(({ seq }) => seq));
          numbers.push(...(said.rows ?? []).map((_, index) => (said.firstSeq ?? 0) + index));
          socket.send(message);
        });
      });
      await podscope.api.createPod('there-before', {
        restartPolicy: 'Never',
        containers: [{ name: 'app', image: 'busybox:1.36', command: ['true'] }],
      });
      const app = new PodscopePage(page);
      await app.open(podscope.url);
      await expect(app.pod('there-before')).toBeVisible();
      // Start again: a page that was loaded twice has received the numbers twice.
      numbers.length = 0;
      cut = sockets.length;
      await sockets.at(-1)?.close();
      await podscope.api.createPod('while-away', {
        restartPolicy: 'Never',
        containers: [{ name: 'app', image: 'busybox:1.36', command: ['true'] }],
      });
      await expect(app.pod('while-away')).toBeVisible();
      await expect(app.connection).toHaveAccessibleName(/Live/);
      expect(sockets.length).toBeGreaterThan(1);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    });

    // The runtime makes no difference to axe.
    if (runtime === 'sim') {
      test('has nothing for axe to find, light and dark, with every rule', async ({ page }) => {
        // Each analysis of the whole page takes seconds.
        const app = new PodscopePage(page);
        const findings = async (colorScheme: 'light' | 'dark', part = 'html'): Promise<readonly string[]> => {
          const builder = axe(page).include(isLong ? 'html' : part);
          // The themes differ only in colors.
          const { violations } = await (colorScheme === 'light'
            ? builder
            : builder.withRules('color-contrast')
          ).analyze();
          return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html}`);
        };
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme });
          await app.open(podscope.url);
          await app.pod('crash').click();
          for (const name of ['Steps', 'Results', 'Events', 'Logs', 'Spec'] as const) {
            await expect(await app.tab(name)).toBeVisible();
            const part = name === 'Steps' ? 'html' : '[role=tabpanel]';
            expect(await findings(colorScheme, part), `${colorScheme}: ${name}`).toEqual([]);
          }
          await app.write('kind: Pod\nspec:\n  containerz: []\n');
          await expect(app.dialog.getByRole('region', { name: 'Errors in the manifest' })).toBeVisible();
          expect(await findings(colorScheme, '[role=dialog]'), `${colorScheme}: the editor`).toEqual([]);
        }
      });
    }
  });
}
