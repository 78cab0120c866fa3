/** Tests a server that continues the run of a pod from another cluster: `--snapshot FILE`. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

const corpus = join(import.meta.dirname, '../../../lab/why/first-ten');

it('continues the pod of the file at its time, with its restarts', async () => {
  const server = await startTestServer(['--snapshot', join(corpus, '16-exit1-stacktrace.yaml')]);
  try {
    await vi.waitFor(
      async () => {
        const { status, json } = await server.request('GET', '/api/v1/namespaces/shop/pods/orders-6c8d7f9b5-4n6tr');
        expect(status).toBe(200);
        expect(json).toMatchObject({
          metadata: { ownerReferences: [{ kind: 'ReplicaSet' }] },
          status: { containerStatuses: [{ name: 'orders', restartCount: expect.any(Number) as number }] },
        });
        const { status: pod } = json as { status: { containerStatuses: { restartCount: number }[] } };
        expect(pod.containerStatuses[0]?.restartCount).toBeGreaterThanOrEqual(10);
      },
      { timeout: 120_000 },
    );
  } finally {
    await server.dispose();
  }
});

it('rejects a file without a pod, and another runtime than the simulator', async () => {
  await expect(startTestServer(['--snapshot', join(corpus, 'nowhere.yaml')])).rejects.toThrow(/cannot be read/);
  await expect(startTestServer(['--snapshot', 'x.yaml', '--runtime', 'docker'])).rejects.toThrow(
    /--snapshot is for the simulator/,
  );
});
