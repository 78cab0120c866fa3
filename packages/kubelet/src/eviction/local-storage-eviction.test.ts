import type { Container, Pod } from '@podscope/k8s';
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
    await harness.until(75);
    const message = 'Usage of EmptyDir volume "cache" exceeds the limit "1Ki". ';
    expect(harness.status('large')).toMatchObject({ phase: 'Failed', reason: 'Evicted', message });
    expect(
      harness.events.filter(({ reason }) => reason === 'Evicted').map((event) => `${event.pod}: ${event.message}`),
    ).toEqual([`large: ${message}`]);
    expect([harness.status('small').phase, harness.status('critical').phase]).toEqual(['Running', 'Running']);
  });

  it('is exceeded, so the pod loses its container statuses only in v1.20', async () => {
    harness = new KubeletHarness({ profile, simulator: { latencies: {} } });
    await harness.start();
    harness.api.apply(pod('large'));
    await harness.until(5);
    await fill('large', 1025);
    await harness.until(75);
    const verdict = {
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Usage of EmptyDir volume "cache" exceeds the limit "1Ki". ',
      startTime: '2026-01-01T00:00:00Z',
    };
    const killed = expect.objectContaining({ exitCode: 137 }) as unknown;
    const expected: Readonly<Record<typeof profile, unknown>> = {
      'v1.36': expect.objectContaining({
        ...verdict,
        containerStatuses: [expect.objectContaining({ state: { terminated: killed } })],
      }),
      'v1.20': { ...verdict, conditions: [] },
    };
    expect(harness.status('large')).toEqual(expected[profile]);
    expect(harness.status('large').conditions?.map(({ type }) => type)).not.toContain('DisruptionTarget');
  });
});

describe.each(['v1.36', 'v1.20'] as const)('a limit of ephemeral storage (%s)', (profile) => {
  let harness: KubeletHarness;
  afterEach(() => harness.stop());

  const container = (name: string, limit?: string, written = 0): Container => ({
    name,
    image: 'busybox:1.36',
    command: ['sh', '-c', `echo ${'x'.repeat(written)} > /data; sleep 3600`],
    ...(limit === undefined ? {} : { resources: { limits: { 'ephemeral-storage': limit } } }),
  });

  async function run(spec: Partial<Pod['spec']>, files: Readonly<Record<string, number>> = {}) {
    harness = new KubeletHarness({ profile, simulator: { latencies: {} } });
    await harness.start();
    harness.api.apply(newPod('web', spec));
    await harness.until(5);
    for (const [path, bytes] of Object.entries(files)) await harness.os.writeFile(path, 'x'.repeat(bytes), 0o644);
    await harness.until(75);
    return harness.status('web');
  }

  const evictedWith = (message: string) => ({ phase: 'Failed', reason: 'Evicted', message });

  it("is exceeded by the writable layer of a container, while the pod's total is not", async () => {
    const containers = [container('app', '1Ki', 1100), container('other', '1Mi')];
    const message = 'Container app exceeded its local ephemeral storage limit "1Ki". ';
    expect(await run({ containers })).toMatchObject(evictedWith(message));
  });

  it('is exceeded by the logs of a container', async () => {
    const containers = [container('app', '1Ki'), container('other', '1Mi')];
    const message = 'Container app exceeded its local ephemeral storage limit "1Ki". ';
    const log = '/var/log/pods/default_web_uid-web/app/0.log.20260101-000000';
    expect(await run({ containers }, { [log]: 1100 })).toMatchObject(evictedWith(message));
  });

  it('is exceeded by containers and volumes together', async () => {
    const volumes = [{ name: 'cache', emptyDir: {} }];
    const volumeMounts = [{ name: 'cache', mountPath: '/cache' }];
    const containers = [{ ...container('app', '1Ki', 600), volumeMounts }, container('other', '1Ki', 600)];
    const message = 'Pod ephemeral local storage usage exceeds the total limit of containers 2Ki. ';
    const file = '/var/lib/kubelet/pods/uid-web/volumes/kubernetes.io~empty-dir/cache/data';
    expect(await run({ volumes, containers }, { [file]: 1000 })).toMatchObject(evictedWith(message));
  });

  it('is not exceeded by a container without a limit beside a small one', async () => {
    const containers = [container('app', '4Ki', 600), container('other', undefined, 600)];
    expect((await run({ containers })).phase).toBe('Running');
  });
});
