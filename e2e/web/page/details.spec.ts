/** Tests the content of the tabs and the editor: states during a resize, search in a log, completion, long values. */
import { expect, type Page, test } from '@playwright/test';
import { complaints } from '../../support/page/complaints.ts';
import { PodscopePage } from '../../support/page/page.ts';
import { sharedServer } from '../../support/shared-server.ts';

const podscope = sharedServer({ runtime: 'sim' });

async function openPod(page: Page, name: string, spec: Record<string, unknown>): Promise<PodscopePage> {
  await podscope().api.createPod(name, { terminationGracePeriodSeconds: 1, ...spec });
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  await app.pod(name).click();
  return app;
}

const command = (body: Record<string, unknown>): Promise<unknown> =>
  podscope().api.request('POST', '/debug/v1/commands', body);

test('shows desired, allocated and observed values during a resize, and a resize that is deferred', async ({
  page,
}) => {
  const found = complaints(page);
  await command({
    command: 'setBreakpoints',
    breakpoints: [{ point: 'syncPod.resizePodInPlace', pod: 'resized', oneShot: true }],
  });
  const requests = { cpu: '100m', memory: '64Mi' };
  const app = await openPod(page, 'resized', {
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'], resources: { requests } }],
  });
  await expect(app.pod('resized')).toHaveAccessibleName(/Running/);
  const spec = await app.tab('Spec');
  await spec.getByRole('radio', { name: 'Desired, allocated, observed' }).check({ force: true });
  const cpu = spec.getByRole('row', { name: /^resources\.requests\.cpu/ }).last();
  await expect(cpu).toHaveAccessibleName('resources.requests.cpu 100m 100m 100m same');

  const resize = (value: string): Promise<unknown> =>
    podscope().api.request(
      'PATCH',
      '/api/v1/namespaces/default/pods/resized/resize',
      { spec: { containers: [{ name: 'app', resources: { requests: { cpu: value } } }] } },
      { 'content-type': 'application/strategic-merge-patch+json' },
    );
  await resize('150m');
  await expect(
    page.getByRole('complementary', { name: 'Inspector' }).getByRole('heading', { name: 'Stopped before' }),
  ).toBeVisible();
  await expect(cpu).toHaveAccessibleName('resources.requests.cpu 150m 150m 100m not observed yet');
  await page.keyboard.press('F8');
  await expect(cpu).toHaveAccessibleName('resources.requests.cpu 150m 150m 150m same');

  // Request all CPUs of the node, of which another pod has some, so that the resize stays pending.
  await podscope().api.createPod('neighbor', {
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'], resources: { requests } }],
  });
  const node = await podscope().api.request('GET', '/api/v1/nodes/podscope');
  const { cpu: all } = ((await node.json()) as { status: { allocatable: { cpu: string } } }).status.allocatable;
  await resize(all);
  await expect(cpu).toHaveAccessibleName(`resources.requests.cpu ${all} 150m 150m not allocated yet`);
  await spec.getByRole('button', { name: 'Differences only' }).click();
  await expect(spec.getByRole('row', { name: /^image/ })).toHaveCount(0);
  await expect(cpu).toBeVisible();
  await cpu.getByRole('button').click();
  await expect(spec.locator('.cm-activeLine')).toContainText(`cpu: "${all}"`);

  const metrics = await app.tab('Metrics');
  await expect(metrics.getByRole('row', { name: /^update_container 1 0 / })).toBeVisible();
  await expect(metrics.getByRole('row', { name: /^kubelet_started_pods_total [1-9]/ })).toBeVisible();
  expect(found()).toEqual([]);
});

test('searches and wraps a log, shows times, selects the instant of a line, and shows the previous instance', async ({
  page,
}) => {
  const found = complaints(page);
  const app = await openPod(page, 'wordy', {
    containers: [
      {
        name: 'app',
        image: 'busybox:1.36',
        command: [
          'sh',
          '-c',
          `echo "attempt of $HOSTNAME"; echo apple; echo pear; echo Apple pie; echo ${'long '.repeat(200)}; ` +
            // The second instance keeps running, because a third one would remove the first one's log.
            'if [ -e /data/crashed ]; then sleep 3600; fi; touch /data/crashed; sleep 1; exit 1',
        ],
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
  });
  await expect(app.pod('wordy')).toHaveAccessibleName(/1\/1 ready, 1 restart/);
  const logs = await app.tab('Logs');
  const log = logs.getByRole('log');
  await expect(log).toContainText('apple');

  const search = logs.getByRole('searchbox', { name: 'Search log' });
  await search.fill('APPLE');
  await expect(logs.getByText(/^\d+ lines match of \d+$/)).toBeVisible();
  await expect(log.locator('mark').first()).toHaveText(/^apple$/i);
  await expect(log).not.toContainText('pear');
  await search.fill('quince');
  await expect(logs.getByText('No matching lines')).toBeVisible();
  await search.fill('');

  const isCut = (): Promise<boolean> => log.evaluate((element) => element.scrollWidth > element.clientWidth);
  expect(await isCut()).toBe(false);
  await logs.getByRole('button', { name: 'Wrap' }).click();
  await expect.poll(isCut).toBe(true);
  await logs.getByRole('button', { name: 'Wrap' }).click();

  await logs.getByRole('combobox', { name: 'Instance' }).selectOption('Previous');
  await expect(log).toContainText('Apple pie');
  await logs.getByRole('button', { name: 'Timestamps' }).click();
  const time = log.getByTitle(/^Show the run at \d\d:\d\d:\d\d/).first();
  await expect(time).toHaveText(/^\d\d:\d\d:\d\d/);
  await time.click();
  await expect(page.getByRole('button', { name: 'Back to live' })).toBeVisible();
  await expect(logs.getByText(/^Log up to \d\d:\d\d:\d\d/)).toBeVisible();
  expect(found()).toEqual([]);
});

test('completes a manifest, marks its errors, checks the policy, and shows its defaults', async ({ page }) => {
  const app = new PodscopePage(page);
  await app.open(podscope().url);
  const { dialog } = app;
  await app.write(
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: written\nspec:\n  containers:\n    - name: app\n      ' +
      'image: busybox:1.36\n      ',
  );
  await page.keyboard.type('imagePullP');
  await dialog.getByRole('option', { name: /^imagePullPolicy/ }).click();
  // The possible next words are offered immediately.
  await dialog.getByRole('option', { name: 'IfNotPresent' }).click();
  await expect(dialog.locator('.cm-content')).toContainText('imagePullPolicy: IfNotPresent');
  await expect(dialog.getByText('1 object, valid.')).toBeVisible();
  await dialog.getByRole('button', { name: /^Defaulting adds \d+ fields/ }).click();
  await expect(dialog.getByLabel('Added to written')).toContainText(/spec\.restartPolicy\s*Always/);

  const errors = dialog.getByRole('region', { name: 'Errors in the manifest' });
  await page.keyboard.press('Escape');
  await app.write(
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: written\nspec:\n  containers:\n    - name: app\n      ' +
      'image: busybox:1.36\n      ports: 80\n',
  );
  await errors.getByRole('button', { name: /^9:\d+.*ports/ }).click();
  await expect(dialog.locator('.cm-activeLine')).toHaveText(/ports: 80/);
  await expect(dialog.locator('.cm-lint-marker-error')).toHaveCount(1);

  await page.keyboard.press('Escape');
  await app.write(
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: written\nspec:\n  hostNetwork: true\n  containers:\n    - ' +
      'name: app\n      image: busybox:1.36\n',
  );
  await expect(errors.getByRole('button', { name: /policy.*hostNetwork/i }).first()).toBeVisible();
  await expect(dialog.locator('.cm-lint-marker-warning')).toHaveCount(1);
  await expect(dialog.locator('.cm-lintRange-warning')).toHaveText(/hostNetwork/);
});

test('shows long values page by page: two hundred variables of a stopped pod and of its next call', async ({
  page,
}) => {
  const found = complaints(page);
  await command({
    command: 'setBreakpoints',
    breakpoints: [{ point: 'cri.CreateContainer', pod: 'many-values', oneShot: true }],
  });
  const app = await openPod(page, 'many-values', {
    containers: [
      {
        name: 'app',
        image: 'busybox:1.36',
        command: ['sleep', '3600'],
        env: Array.from({ length: 200 }, (_, index) => ({
          name: `VALUE_${index}`,
          value: 'x'.repeat(index === 199 ? 2_000 : 5),
        })),
      },
    ],
  });
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByRole('heading', { name: 'Stopped before' })).toBeVisible();
  const variables = inspector.getByRole('region', { name: 'Variables' });
  for (const name of [/^Container$/, /^env/]) await variables.getByRole('button', { name }).first().click();
  await variables.getByRole('button', { name: '100 more of 200' }).click();
  await expect(variables.getByRole('button', { name: /^199/ })).toBeVisible();
  await expect(variables.getByRole('button', { name: /more of 200/ })).toHaveCount(0);

  // Select the call itself: it has its own tree, which every recording also contains.
  await page.getByTitle('Show the stopped location').click();
  const request = inspector.getByRole('region', { name: 'Request' });
  const more = request.getByRole('button', { name: /^\d+ more of 2\d\d$/ });
  await expect(more).toHaveText(/^50 more of/);
  while ((await more.count()) > 0) await more.click();
  await request.getByRole('button', { name: /key: VALUE_199\b/ }).click();
  await request.getByRole('button', { name: 'all 2,000 characters' }).click();
  await expect(request.getByRole('button', { name: 'less' })).toBeVisible();
  await page.keyboard.press('F8');
  await expect(app.pod('many-values')).toHaveAccessibleName(/Running/);
  expect(found()).toEqual([]);
});
