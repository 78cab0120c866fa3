/** Tests the pod list, the timeline, logs, the inspector and the layout of the page. */
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { PodscopePage } from '../../support/page/page.ts';
import { sharedServer } from '../../support/shared-server.ts';

const podscope = sharedServer({ runtime: 'sim' });

const sh = (name: string, script: string, more: Record<string, unknown> = {}) => ({
  name,
  image: 'busybox:1.36',
  command: ['sh', '-c', script],
  ...more,
});

const services = ['auth', 'billing', 'cart', 'ledger', 'mailer', 'orders', 'proxy', 'quota', 'risk', 'stock', 'tax'];

/** A pod as a Deployment makes it: a long name and namespace, and two of thirteen containers crash. */
const real = {
  namespace: 'payments-production-eu-west-1',
  name: (suffix: string): string => `checkout-payment-gateway-worker-6d8f7b9c45-${suffix}`,
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      ...services.map((service) => sh(`service-${service}`, 'sleep 3600')),
      sh('fluentbit-log-shipper', 'sleep 1; exit 3'),
      sh('payment-gateway-main', 'echo "panic: cannot connect to db:5432" >&2; exit 2'),
    ],
  },
};

/** A pod of a cluster with containerd, as `kubectl get -o yaml` prints it. */
const outOfMemory = `apiVersion: v1
kind: Pod
metadata: {name: graph, namespace: bi, uid: 219f3ffc-9dd5-4c98-a030-2c2e96e92434}
spec:
  nodeName: worker-3
  containers: [{name: graph, image: registry.example.com/bi/graph:4.4, resources: {limits: {memory: 4Gi}}}]
status:
  phase: Running
  startTime: "2026-03-01T10:00:00Z"
  containerStatuses:
    - name: graph
      ready: false
      restartCount: 5
      image: registry.example.com/bi/graph:4.4
      imageID: registry.example.com/bi/graph@sha256:${'1'.repeat(64)}
      containerID: containerd://abc
      state: {waiting: {reason: CrashLoopBackOff, message: back-off 2m40s restarting failed container=graph}}
      lastState:
        terminated:
          exitCode: 137
          reason: OOMKilled
          startedAt: "2026-03-01T10:04:50Z"
          finishedAt: "2026-03-01T10:05:00Z"
`;

const create = (name: string, spec: Record<string, unknown>): Promise<unknown> =>
  podscope().api.createPod(name, { terminationGracePeriodSeconds: 1, ...spec });

async function open(page: Page, query = ''): Promise<PodscopePage> {
  const app = new PodscopePage(page);
  await app.open(`${podscope().url}${query}`);
  return app;
}

/** Returns true if the whole text of an element is visible. */
const isWhole = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.scrollWidth <= node.clientWidth + 1);

test('the back-off bar, the container and the pod offer to skip the wait (finding 2)', async ({ page }) => {
  await create('waits', { containers: [sh('app', 'exit 1')] });
  const app = await open(page);
  await app.select('waits');
  // Time is paused, because the wait may end before a slow page has been read.
  await app.pauseWhile('waits', /CrashLoopBackOff/);
  const bar = app.onTimeline(/^app, back-off \d+/).last();
  await expect(bar).toBeAttached();
  const skip = app.inspector.getByRole('button', { name: 'Skip the wait' });
  await expect(skip).toBeVisible();
  await app.inspector.getByRole('button', { name: /^app/ }).first().click();
  await expect(app.inspector.getByText(/^Container, attempt/).first()).toBeVisible();
  await expect(skip).toBeVisible();
  await bar.dispatchEvent('click');
  await expect(app.inspector.getByText('Restart back-off')).toBeVisible();
  await expect(skip).toBeVisible();
  await skip.click();
  await page.getByRole('button', { name: 'Resume time' }).click();
  await expect(app.inspector.getByText(/ended by/i)).toBeVisible();
});

test('a tab is not taller than the available space (finding 4)', async ({ page }) => {
  await create('chatty', { containers: [sh('app', 'for i in $(seq 60); do echo line $i; done; sleep 3600')] });
  const app = await open(page);
  await app.select('chatty');
  for (const name of ['Steps', 'Code', 'Logs', 'Spec'] as const) {
    const panel = await app.tab(name);
    await expect(panel).toBeVisible();
    const room = page.locator('#details');
    await expect
      .poll(() => room.evaluate((node) => node.scrollHeight - node.clientHeight), { message: name })
      .toBeLessThanOrEqual(0);
  }
  await app.tab('Logs');
  await expect(page.getByRole('log').getByText('line 60')).toBeInViewport({ ratio: 1 });
});

test('a long log is loaded, searched and downloaded as a whole, also of all containers (finding 5)', async ({
  page,
}) => {
  await create('long-log', {
    containers: [sh('app', 'seq 6000; sleep 3600'), sh('side', 'echo from the side; sleep 3600')],
  });
  const app = await open(page);
  await app.select('long-log');
  const logs = await app.tab('Logs');
  const log = logs.getByRole('log');
  await logs.getByRole('combobox', { name: 'Container' }).selectOption('app');
  await expect(log.getByText('6000', { exact: true })).toBeVisible();

  // The page hasn't loaded the oldest lines yet, so the node searches them.
  await logs.getByRole('searchbox', { name: 'Search log' }).fill('17');
  await expect(
    logs.getByText(
      `${[...Array(6000).keys()].filter((line) => String(line + 1).includes('17')).length} lines match of 6,000`,
    ),
  ).toBeVisible();
  await logs.getByRole('searchbox', { name: 'Search log' }).fill('4999');
  await expect(log.getByText('4999', { exact: true })).toBeVisible();
  await logs.getByRole('searchbox', { name: 'Search log' }).fill('');

  await expect(log.getByText('4,000 earlier lines.')).toBeAttached();
  await log.hover();
  await log.press('Home');
  // Each arrival at the top loads a page of lines, above those in view; the second one completes the log.
  await expect(async () => {
    await log.evaluate((list) => list.scrollTo(0, 0));
    await expect(log.getByText(/earlier lines/)).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await log.evaluate((list) => list.scrollTo(0, 0));
  await expect(log.getByText('1', { exact: true })).toBeVisible();

  await logs.getByRole('combobox', { name: 'Container' }).selectOption('All containers');
  await logs.getByRole('searchbox', { name: 'Search log' }).fill('from the side');
  await expect(log.getByText('side', { exact: true }).first()).toBeVisible();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    logs.getByRole('button', { name: 'Download the whole log' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('long-log.log');
  const text = await readFile(await saved.path(), 'utf8');
  expect(text.split('\n')).toHaveLength(6002);
  expect(text).toContain('[app] 1\n');
  expect(text).toContain('[side] from the side\n');
});

test('another pod is shown from the top of the inspector (finding 13)', async ({ page }) => {
  await create('first-of-two', { containers: [sh('app', 'exit 1')] });
  await create('second-of-two', { containers: [sh('app', 'exit 1')] });
  const app = await open(page);
  await app.select('first-of-two');
  const top = (): Promise<number> => app.inspector.evaluate((panel) => panel.scrollTop);
  await expect(app.inspector.getByRole('region', { name: 'Why', exact: true })).toBeVisible();
  // The panel may still be short when the reasons appear, so scroll again.
  await expect(async () => {
    await app.inspector.evaluate((panel) => panel.scrollTo(0, 400));
    expect(await top()).toBeGreaterThan(0);
  }).toPass();
  await app.select('second-of-two');
  await expect.poll(top).toBe(0);
});

test('names of pods and containers are distinguishable in narrow columns (finding 17)', async ({ page }) => {
  await podscope().api.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: real.namespace },
  });
  for (const suffix of ['x2k4f', 'x2k9q']) {
    await podscope().api.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: real.name(suffix), namespace: real.namespace },
      spec: real.spec,
    });
  }
  const app = await open(page);
  const row = app.pod(real.name('x2k4f'));
  await expect(row).toBeVisible();
  // The end of the name is visible, and so is the beginning of the name and of the namespace.
  await expect(row.getByText('b9c45-x2k4f', { exact: true })).toBeInViewport({ ratio: 1 });
  expect(await isWhole(row.getByText('b9c45-x2k4f', { exact: true }))).toBe(true);
  await expect(row.getByText('n-eu-west-1', { exact: true })).toBeInViewport({ ratio: 1 });
  await app.select(real.name('x2k4f'));
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading.getByText('b9c45-x2k4f', { exact: true })).toBeInViewport({ ratio: 1 });

  // Sort the list, and show one namespace.
  await page.getByRole('button', { name: 'Sort and filter' }).click();
  const options = page.getByRole('listbox', { name: 'Pods' }).getByRole('option');
  await page.getByRole('combobox', { name: 'Namespace' }).selectOption(real.namespace);
  await expect(options).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Namespace' }).selectOption('All namespaces');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Newest first');
  await expect(options.first()).toHaveAccessibleName(/^checkout-payment/);
});

test('healthy containers collapse; lanes are pinned, hidden, and shown for all pods (finding 17)', async ({ page }) => {
  const app = await open(page);
  await app.select(real.name('x2k9q'));
  const healthy = app.onTimeline(/^11 healthy containers, service-auth: running/);
  await expect(healthy).toBeAttached();
  await expect(app.onTimeline(/^fluentbit-log-shipper, /).first()).toBeAttached();
  await expect(app.onTimeline(/^service-auth, /)).toHaveCount(0);

  const menu = page.getByRole('dialog', { name: 'Lanes' });
  await page.getByRole('button', { name: 'Lanes' }).click();
  await menu.getByRole('switch', { name: 'Collapse healthy containers' }).press('Space');
  await expect(app.onTimeline(/^service-auth, running/)).toBeAttached();
  await menu.getByRole('button', { name: 'Show service-auth', exact: true }).click();
  await expect(app.onTimeline(/^service-auth, /)).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'All pods' }).click();
  await expect(app.onTimeline(/^checkout-payment-gateway-worker-6d8f7b9c45-x2k4f, Running/)).toBeAttached();
  await app.onTimeline(/^checkout-payment-gateway-worker-6d8f7b9c45-x2k4f, Running/).dispatchEvent('click');
  await expect(page.getByRole('heading', { level: 1, name: /x2k4f$/ })).toBeVisible();
  await page.getByRole('button', { name: 'All pods' }).click();
  await expect(app.onTimeline(/^Pod worker, /).first()).toBeAttached();
});

test('the wheel zooms at the pointer while the timeline follows (finding 19)', async ({ page }) => {
  await create('wheel', { containers: [sh('app', 'sleep 3600')] });
  const app = await open(page);
  await app.select('wheel');
  await expect(app.onTimeline(/^app, running/)).toBeAttached();
  const follow = page.getByRole('button', { name: 'Follow', exact: true });
  await expect(follow).toHaveAttribute('aria-pressed', 'true');
  const canvas = page.getByRole('application', { name: /^Timeline of/ });
  const box = await canvas.boundingBox();
  if (!box) throw new Error('the timeline has no size');
  // At the pod's start, which is in view at any age of the pod.
  await page.mouse.move(box.x + 186, box.y + 120);
  await page.keyboard.down('Control');
  for (let turn = 0; turn < 4; turn++) await page.mouse.wheel(0, -240);
  await page.keyboard.up('Control');
  await expect(follow).toHaveAttribute('aria-pressed', 'false');
  await expect(app.onTimeline(/^Sandbox, create|^app, create|^Pod, Pending/).first()).toBeAttached();
});

test('deleted pods can be hidden, and count as deleted (finding 18)', async ({ page }) => {
  await create('gone-soon', { containers: [sh('app', 'exit 1')] });
  const app = await open(page);
  await app.select('gone-soon');
  await expect(app.onTimeline(/^app, back-off/).first()).toBeAttached();
  await podscope().api.deletePod({ name: 'gone-soon' }, 0);
  await expect(app.pod('gone-soon')).toHaveAccessibleName(/Deleted/);
  // No container is started again, so the back-off has ended.
  await expect(app.onTimeline(/^app, back-off/).last()).not.toHaveAccessibleName(/left/);
  await expect(page.getByText('1 deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Hide deleted pods' }).click();
  await expect(app.pod('gone-soon')).toHaveCount(0);
  await page.getByRole('button', { name: 'Show deleted pods' }).click();
  await expect(app.pod('gone-soon')).toBeVisible();
});

test('the end of a deleted pod is in view, also in a presentation at 1024×768 (finding 10)', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const app = new PodscopePage(page);
  await app.open(`${podscope().url}&lesson=termination&step=stubborn&present=yes`);
  await app.lesson.getByRole('radio').first().check();
  await app.lesson.getByRole('button', { name: 'Run it' }).click();
  await expect(app.lesson.getByRole('status')).toContainText('Right');
  await expect(app.onTimeline(/^stubborn, exit 137/).first()).toBeAttached();
});

test('events without a pod create no pod (finding 11)', async ({ page }) => {
  await page.routeWebSocket(/\/stream$/, (socket) => {
    const server = socket.connectToServer();
    // The backlog is changed below, so it must not be packed.
    socket.onMessage((message) => server.send(String(message).replace('"packed":true,', '')));
    // A sandbox that is known only from its checkpoint has no UID, so old logs contain events without one.
    server.onMessage((message) => {
      const said = JSON.parse(String(message)) as { type: string; events?: { thread: string; pod?: string }[] };
      for (const event of said.events ?? []) if (event.thread === 'pleg') event.pod ??= '';
      socket.send(JSON.stringify(said));
    });
  });
  await create('after-force', { containers: [sh('app', 'sleep 3600')] });
  const app = await open(page);
  await expect(app.pod('after-force')).toHaveAccessibleName(/Running/);
  await expect(app.pod('')).toHaveCount(0);
});

test('the diagnosis contains log lines, the output of a failed hook and the actual limit (finding 12)', async ({
  page,
}) => {
  await create('panics', { containers: [sh('app', 'echo "panic: cannot connect to db:5432" >&2; exit 2')] });
  await create('hooked', {
    containers: [
      sh('app', 'sleep 3600', {
        lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo no such host; exit 7'] } } },
      }),
    ],
  });
  const app = await open(page);
  const why = app.inspector.getByRole('region', { name: 'Why', exact: true });
  await app.select('panics');
  await expect(why.getByLabel('Last log lines of app')).toHaveText('panic: cannot connect to db:5432');
  await app.select('hooked');
  await expect(why.getByText(/exited with 7.*no such host/s)).toBeVisible();
  // The advice contains the pod's own limit, and the commands of the runtime that it names.
  await page.keyboard.press('y');
  const explain = page.getByRole('dialog', { name: 'Explain a pod from another cluster' });
  await explain.getByRole('textbox').fill(outOfMemory);
  const cause = explain.getByRole('article').first();
  await expect(cause).toContainText('memory limit of 4Gi');
  await expect(cause).toContainText('from 4Gi to 6Gi');
  await expect(cause).not.toContainText(/docker|256Mi|somebody/);
});

test('header and inspector agree while a page loads (finding 20)', async ({ page }) => {
  await create('reloaded', { containers: [sh('app', 'exit 2')] });
  const app = await open(page);
  await app.select('reloaded');
  await page.reload();
  const seen = await page.evaluate(async () => {
    const pairs: string[] = [];
    // Watch for four seconds after both are shown for the first time, no matter how slow the page loads.
    let ends = Number.POSITIVE_INFINITY;
    while (performance.now() < ends) {
      await new Promise(requestAnimationFrame);
      const header = document.querySelector('main h1 + *')?.textContent;
      const inspector = document.querySelector('main aside header h2 + p > :first-child')?.textContent;
      if (!header || !inspector) continue;
      pairs.push(`${header} ${inspector}`);
      ends = Math.min(ends, performance.now() + 4_000);
    }
    return [...new Set(pairs)];
  });
  expect(seen.length).toBeGreaterThan(0);
  for (const pair of seen) {
    const [header, inspector] = pair.split(' ');
    expect(inspector).toBe(header);
  }
});

test('the table shows short numbers, the kubelet’s errors, and steps in their order (finding 25)', async ({ page }) => {
  await create('tabled', { containers: [sh('app', 'exit 1')] });
  const app = await open(page);
  await app.select('tabled');
  await page.getByRole('button', { name: 'Show as table' }).click();
  const table = page.getByRole('grid', { name: 'Timeline as table' });
  await expect(table.getByRole('row').nth(3)).toBeVisible();
  await expect(table.getByText(/failed to "StartContainer"/).first()).toBeAttached();
  const items = await table
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)),
    );
  const worker = items.filter((cells) => cells.includes('Pod worker')).map((cells) => cells.join(' '));
  const at = worker.findIndex((text) => text.includes('kuberuntime SyncPod'));
  expect(worker[at + 1]).toContain('Compute sandbox and container changes');
  await expect(table.getByRole('gridcell', { name: /\d\.\d{4,}|AggregateError/ })).toHaveCount(0);
});

test('the list shows its focus on the selected pod (finding 28)', async ({ page }) => {
  await create('focused', { containers: [sh('app', 'sleep 3600')] });
  const app = await open(page);
  await app.select('focused');
  const list = page.getByRole('listbox', { name: 'Pods' });
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(list).toHaveCSS('outline-style', 'none');
  await expect(list.getByRole('option', { selected: true })).toHaveCSS('outline-style', 'solid');
});

for (const [width, height] of [
  [360, 740],
  [720, 450],
] as const) {
  test(`every tab and button is reachable at ${width}×${height} (finding 29)`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await create(`narrow-${width}`, { containers: [sh('app', 'sleep 3600')] });
    const app = await open(page, `&pod=default/narrow-${width}`);
    for (const name of ['Steps', 'Code', 'Results', 'Events', 'Logs', 'Spec', 'Metrics', 'Compare'])
      await expect(page.getByRole('tab', { name })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(`narrow-${width}$`) })).toBeInViewport({
      ratio: 1,
    });
    await expect(page.getByRole('button', { name: 'Show as table' })).toBeInViewport({ ratio: 1 });
    const events = await app.tab('Events');
    await expect(events.getByRole('row').first()).toBeInViewport();
    // Selecting a tab scrolls its panel into view where the window is too small for both.
    await expect(events).toBeInViewport({ ratio: 0.9 });
    expect((await events.boundingBox())?.height).toBeGreaterThan(200);
    // The page isn't wider than the window.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}

test('the list shows a volume that cannot be mounted; a refused pod waits for nothing (finding 30)', async ({
  page,
}) => {
  await create('unmountable', {
    containers: [sh('app', 'sleep 3600', { volumeMounts: [{ name: 'settings', mountPath: '/settings' }] })],
    volumes: [{ name: 'settings', configMap: { name: 'missing-settings' } }],
  });
  const app = await open(page);
  await expect(app.pod('unmountable')).toHaveAttribute('title', /missing-settings/);
  await create('refused', { nodeName: 'podscope', nodeSelector: { disk: 'ssd' }, containers: [sh('app', 'true')] });
  await expect(app.pod('refused')).toHaveAccessibleName(/NodeAffinity/);
  await app.select('refused');
  await expect(page.getByText('The kubelet refused this pod, so no sync runs for it.')).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /pending$/ })).toHaveCount(0);
  await expect(app.onTimeline(/^app, /)).toHaveCount(0);
});
