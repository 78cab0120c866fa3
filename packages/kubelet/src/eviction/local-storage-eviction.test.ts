import type { Pod } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';

describe.each(['v1.36', 'v1.20'] as const)('an emptyDir with a limit (%s)', (profile) => {
  let harness: KubeletHarness;
  afterEach(() => harness.stop());

  const pod = (name: string, metadata: Partial<Pod['metadata']> = {}, spec: Partial<Pod['spec']> = {}): Pod =>
    newPod(
      name,
      {
        volumes: [{ name: 'cache', emptyDir: { sizeLimit: '1.0Ki' } }],
        containers: [
          {
            name: 'app',
            image: 'busybox:1.36',
            command: ['sleep', '3600'],
            volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
          },
        ],
        ...spec,
      },
      metadata,
    );
  const fill = (name: string, bytes: number): Promise<void> =>
    harness.os.writeFile(
      `/var/lib/kubelet/pods/uid-${name}/volumes/kubernetes.io~empty-dir/cache/data`,
      'x'.repeat(bytes),
      0o644,
    );

  it('is exceeded, so the pod is evicted', async () => {
    harness = new KubeletHarness({ profile, simulator: { latencies: {} } });
    await harness.start();
    for (const name of ['small', 'large']) harness.api.apply(pod(name));
    harness.api.apply(pod('critical', {}, { priority: 2_000_000_001 }));
    await harness.until(5);
    await fill('small', 1024);
    await fill('large', 1025);
    await fill('critical', 5000);
    await harness.until(30);
    const message = 'Usage of EmptyDir volume "cache" exceeds the limit "1Ki". ';
    expect(harness.status('large')).toMatchObject({ phase: 'Failed', reason: 'Evicted', message });
    expect(
      harness.events.filter(({ reason }) => reason === 'Evicted').map((event) => `${event.pod}: ${event.message}`),
    ).toEqual([`large: ${message}`]);
    expect([harness.status('small').phase, harness.status('critical').phase]).toEqual(['Running', 'Running']);
  });
});
