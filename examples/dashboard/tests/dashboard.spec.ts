/** Tests the dashboard with pods in trouble. */
import { expect, test } from './dashboard-test.ts';

const web = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'app', image: 'nginx:1.27' }] },
};

test('a crash loop has a badge', async ({ page, node }) => {
  await node.apply({
    ...web,
    spec: { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 2; exit 1'] }] },
  });
  await page.goto('/');
  const row = page.getByRole('row', { name: 'web' });

  await node.runUntil({ pod: 'web', ready: true });
  await expect(row).toContainText('Running');
  await expect(row.getByRole('status')).toBeHidden();

  await node.runUntil({ pod: 'web', status: 'CrashLoopBackOff' });
  await expect(row.getByRole('status')).toHaveText('Keeps crashing');
});

test('an image that does not exist shows the message of the registry', async ({ page, node }) => {
  await node.apply({ ...web, spec: { containers: [{ name: 'app', image: 'registry.example.com/shop/checkout:2' }] } });
  await page.goto('/');
  await node.runUntil({ pod: 'web', status: 'ErrImagePull' });
  const row = page.getByRole('row', { name: 'web' });
  await expect(row.getByRole('status')).toHaveText('Image not available');
  await expect(row).toContainText('pull access denied for registry.example.com/shop/checkout');
});

test('a registry that fails once leaves no badge', async ({ page, node, faults }) => {
  await faults.set({ at: 'cri.PullImage', times: 1, fail: { grpc: 'Unavailable', message: 'registry is down' } });
  await node.apply(web);
  await page.goto('/');
  const row = page.getByRole('row', { name: 'web' });
  await node.runUntil({ pod: 'web', status: 'ErrImagePull' });
  await expect(row).toContainText('registry is down');
  await node.runUntil({ pod: 'web', ready: true });
  await expect(row.getByRole('status')).toBeHidden();
  expect(await faults.list()).toMatchObject([{ applied: 1 }]);
});

test('a rollout shows each pod while it is not ready', async ({ page, node, breakpoints }) => {
  const pods = ['web-1', 'web-2'].map((name) => ({ ...web, metadata: { name } }));
  await breakpoints.set({ point: 'cri.StartContainer', pod: 'web-2' });
  await node.apply(pods);
  await page.goto('/');
  await node.runUntil({ pod: 'web-2', stoppedAt: 'cri.StartContainer' });
  await node.runUntil({ pod: 'web-1', ready: true });
  await expect(page.getByRole('row', { name: 'web-1' })).toContainText('1/1');
  await expect(page.getByRole('row', { name: 'web-2' })).toContainText('ContainerCreating');

  await node.continue();
  await node.runUntil({ pod: 'web-2', ready: true });
  await expect(page.getByRole('row', { name: 'web-2' })).toContainText('1/1');
});

test('a deleted pod is Terminating until its containers have stopped', async ({ page, node }) => {
  await node.apply(web);
  await page.goto('/');
  const row = page.getByRole('row', { name: 'web' });
  await node.runUntil({ pod: 'web', ready: true });
  await node.delete('web');
  await expect(row).toContainText('Terminating');
  await node.runUntil({ pod: 'web', gone: true });
  await expect(row).toBeHidden();
});
