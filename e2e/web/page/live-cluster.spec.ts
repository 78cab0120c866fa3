/**
 * Tests `start --kubeconfig`, which shows an existing cluster. Podscope's own node, with its Kubernetes API, is the
 * cluster.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, Podscope, test } from '@podscope/playwright';
import { startPodscope } from '../../support/podscope.ts';
import { sharedServer } from '../../support/shared-server.ts';

const cluster = sharedServer({ runtime: 'sim', args: ['--no-build'] });
const secret = 'hunter2-hunter2';

/**
 * Returns the cluster's kubeconfig with a second context. The second context is the current one, but its cluster
 * doesn't exist.
 */
async function kubeconfigOf(): Promise<string> {
  const { kubeconfig, stateDir } = cluster();
  const text = await readFile(kubeconfig, 'utf8');
  const elsewhere = text
    .replace(/^clusters:$/m, 'clusters:\n  - name: elsewhere\n    cluster: {server: "https://127.0.0.1:9"}')
    .replace(/^contexts:$/m, 'contexts:\n  - name: elsewhere\n    context: {cluster: elsewhere, user: podscope}')
    .replace(/^current-context: .*$/m, 'current-context: elsewhere');
  expect(elsewhere.match(/elsewhere/g)).toHaveLength(4);
  const file = join(stateDir, 'two-contexts');
  await writeFile(file, elsewhere);
  return file;
}

test('draws the pods of a cluster, marks them as reconstructed, and changes nothing', async ({ page }) => {
  const { api } = cluster();
  await api.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { password: secret } });
  await api.createPod('crash', {
    containers: [
      {
        name: 'app',
        image: 'busybox:1.36',
        command: ['sh', '-c', 'sleep 1; exit 3'],
        env: [
          { name: 'DB_PASSWORD', value: secret },
          { name: 'MODE', value: 'teaching' },
        ],
      },
    ],
  });
  const podscope = await startPodscope({
    runtime: 'sim',
    args: ['--kubeconfig', await kubeconfigOf(), '--context', 'podscope', '--namespace', 'default'],
  });
  try {
    const live = new Podscope(page, podscope.url);
    await live.open();
    const pod = live.pod('crash');
    const app = live.ui;
    await app.select('crash');
    await expect(pod).toHaveRestarted(1);
    await expect(app.onTimeline(/^app, .*exit(ed)?.* 3/).first()).toBeAttached();
    await expect(pod).toHaveEvent({ reason: 'BackOff', type: 'Warning' });
    await expect(page.getByText('Read-only', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: /notice/i }).click();
    await expect(page.getByText(/Read-only view of the cluster of context podscope .* reconstructed/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(await app.tab('Events')).toContainText('Started');
    const spec = await app.tab('Spec');
    await expect(spec).toContainText('DB_PASSWORD');
    await expect(spec).toContainText('teaching');
    expect(await page.content()).not.toContain(secret);

    await expect(live.command({ command: 'deletePod', namespace: 'default', name: 'crash' })).rejects.toThrow(
      'looked at, not changed',
    );
    expect((await api.getPod({ name: 'crash' }))?.metadata).not.toHaveProperty('deletionTimestamp');

    await api.deletePod({ name: 'crash' }, 0);
    await expect(pod).toBeGone();
    for (const entry of await readdir(podscope.stateDir, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) expect(await readFile(join(entry.parentPath, entry.name), 'utf8')).not.toContain(secret);
    expect(podscope.output()).not.toContain(secret);
  } finally {
    expect(await podscope.stop()).toBe(0);
  }
});

test('lists the available contexts when the requested one does not exist', async () => {
  const start = startPodscope({
    runtime: 'sim',
    args: ['--no-build', '--kubeconfig', await kubeconfigOf(), '--context', 'production'],
  });
  await expect(start).rejects.toThrow(/--context "production": .* has elsewhere, podscope/);
});
