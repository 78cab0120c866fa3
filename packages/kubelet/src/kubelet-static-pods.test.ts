import type { Pod } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from './testing/kubelet-harness.ts';

let harness: KubeletHarness;

const manifest = (uid: string, image = 'busybox:1.36'): Pod =>
  newPod(
    'web-node-1',
    { containers: [{ name: 'app', image }] },
    { uid, annotations: { 'kubernetes.io/config.hash': uid }, creationTimestamp: null },
  );

async function start(...pods: Pod[]): Promise<void> {
  harness = new KubeletHarness({ sources: ['api', 'file'] });
  harness.kubelet.podConfig.set('file', pods);
  await harness.start();
}

afterEach(() => harness.stop());

/** Starts a kubelet with a static pod on a node that is registered after five seconds. */
async function startUnregistered(profile: 'v1.36' | 'v1.20'): Promise<void> {
  harness = new KubeletHarness({ sources: ['api', 'file'], profile });
  const { node } = harness.api;
  harness.api.node = undefined;
  harness.kubelet.podConfig.set('file', [manifest('hash-1')]);
  await harness.start();
  await harness.until(5);
  harness.api.node = node;
}

const registrations = (): readonly unknown[] =>
  harness.ofType('spanStarted').filter(({ point }) => point === 'kubelet.fastStaticPodsRegistration');

describe('a static pod on a node that isn’t registered yet', () => {
  it('gets its mirror pod as soon as the node is registered in v1.36', async () => {
    await startUnregistered('v1.36');
    expect(harness.api.pods.size).toBe(0);
    await harness.until(5.2);
    expect(harness.api.pods.get('web-node-1')?.metadata.ownerReferences).toMatchObject([{ uid: 'node-uid' }]);
    await harness.until(30);
    expect(registrations()).toHaveLength(1);
  });

  it('gets its mirror pod at its next sync in v1.20', async () => {
    await startUnregistered('v1.20');
    await harness.until(30);
    expect(harness.api.pods.size).toBe(0);
    await harness.until(100);
    expect(harness.api.pods.size).toBe(1);
    expect(registrations()).toEqual([]);
  });
});

describe('a static pod', () => {
  it('runs, and shows in the API as its mirror', async () => {
    await start(manifest('hash-1'));
    await harness.until(15);
    const mirror = harness.api.pods.get('web-node-1');
    expect(mirror?.metadata).toMatchObject({
      uid: 'mirror-web-node-1',
      annotations: {
        'kubernetes.io/config.mirror': 'hash-1',
        'kubernetes.io/config.hash': 'hash-1',
        'kubernetes.io/config.source': 'file',
      },
      ownerReferences: [{ kind: 'Node', name: 'node-1', controller: true }],
    });
    expect(mirror?.status).toMatchObject({ phase: 'Running', containerStatuses: [{ ready: true }] });
    expect(harness.runtime.calls).toEqual(['0.0 sandbox web-node-1', '0.0 start app']);
  });

  it('continues to run when its mirror pod is deleted, and the mirror pod is created again', async () => {
    await start(manifest('hash-1'));
    await harness.until(5);
    harness.api.delete('web-node-1', 0);
    expect(harness.api.pods.size).toBe(0);
    await harness.until(8);
    expect(harness.api.pods.has('web-node-1')).toBe(true);
    expect(harness.runtime.calls.filter((call) => call.includes('kill'))).toEqual([]);
  });

  it('starts with its edited manifest only after the previous pod has stopped', async () => {
    await start(manifest('hash-1'));
    harness.runtime.scripts.set('app', { stopAfterMs: 3000 });
    await harness.until(5);
    harness.kubelet.podConfig.set('file', [manifest('hash-2', 'busybox:1.37')]);
    await harness.until(30);
    const starts = harness.runtime.calls
      .filter((call) => call.endsWith('start app'))
      .map((call) => Number(call.split(' ')[0]));
    expect(starts).toHaveLength(2);
    // The old pod takes 3 s to stop. The waiting static pod is checked again only after 10 s.
    expect(starts[1]).toBeGreaterThanOrEqual(15);
    expect(starts[1]).toBeLessThanOrEqual(17);
    await harness.until(45);
    expect(harness.api.pods.get('web-node-1')?.metadata.annotations?.['kubernetes.io/config.mirror']).toBe('hash-2');
  });

  // A worker reads a status that is newer than its last sync. Upstream: podCache.GetNewerThan (v1.36 and v1.20).
  it.each([
    ['its manifest', 0.5, 1],
    ['its manifest', 5.5, 5.5],
    ['its object in the API', 0.5, 1],
    ['its object in the API', 5.5, 5.5],
  ])(
    '%s is killed after %f s when removed after %f s: after the first relist since its start',
    async (what, at, killed) => {
      const isStatic = what === 'its manifest';
      await start(...(isStatic ? [manifest('hash-1')] : []));
      if (!isStatic) harness.api.apply(manifest('hash-1'));
      await harness.until(at);
      if (isStatic) harness.kubelet.podConfig.set('file', []);
      else harness.api.delete('web-node-1');
      await harness.until(10);
      const kills = harness.runtime.calls.filter((call) => call.includes('kill'));
      expect(kills.map((call) => Number(call.split(' ')[0]))).toEqual([killed]);
    },
  );

  it('is killed, and its mirror pod deleted, when its manifest is removed', async () => {
    await start(manifest('hash-1'));
    await harness.until(5);
    harness.kubelet.podConfig.set('file', []);
    await harness.until(10);
    expect(harness.runtime.calls.filter((call) => call.includes('kill'))).toEqual([
      '5.0 kill web-node-1_default grace=30',
    ]);
    expect(harness.api.pods.size).toBe(0);
  });
});
