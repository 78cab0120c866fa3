import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from './testing/kubelet-harness.ts';

let harness: KubeletHarness;

afterEach(() => harness.stop());

const podWithMissingHostPath = () =>
  newPod('web', {
    volumes: [{ name: 'h', hostPath: { path: '/none', type: 'Directory' } }],
    containers: [{ name: 'app', image: 'busybox:1.36', volumeMounts: [{ name: 'h', mountPath: '/h' }] }],
  });

const volumeEvents = () =>
  harness.events.filter(({ reason }) => reason === 'FailedMount').map(({ at, message }) => [at, message]);

const setUpFailure = 'MountVolume.SetUp failed for volume "h" : hostPath type check failed: /none is not a directory';

describe('a pod whose volume cannot be mounted', () => {
  it('emits a FailedMount event per attempt and after 2 min 3 s one for the whole wait, in v1.20', async () => {
    harness = new KubeletHarness({ profile: 'v1.20' });
    harness.api.apply(podWithMissingHostPath());
    await harness.start();
    await harness.until(124);
    expect(volumeEvents()).toEqual([
      ...[0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 63.5].map((at) => [at, setUpFailure]),
      [
        123,
        'Unable to attach or mount volumes: unmounted volumes=[h], unattached volumes=[h]: ' +
          'timed out waiting for the condition',
      ],
    ]);
  });

  it('lists every volume of the pod as unattached after 2 min 3 s, in v1.20', async () => {
    harness = new KubeletHarness({ profile: 'v1.20' });
    const pod = podWithMissingHostPath();
    const volumeMounts = ['tls', 'h'].map((name) => ({ name, mountPath: `/${name}` }));
    harness.api.apply({
      ...pod,
      spec: {
        ...pod.spec,
        volumes: [{ name: 'tls', emptyDir: {} }, ...(pod.spec.volumes ?? [])],
        containers: pod.spec.containers.map((container) => ({ ...container, volumeMounts })),
      },
    });
    await harness.start();
    await harness.until(124);
    expect(volumeEvents().at(-1)).toEqual([
      123,
      'Unable to attach or mount volumes: unmounted volumes=[h], unattached volumes=[h tls]: ' +
        'timed out waiting for the condition',
    ]);
  });

  it('fails the sync in v1.36 without an event, because upstream takes the timeout for a cancellation', async () => {
    harness = new KubeletHarness({ profile: 'v1.36' });
    harness.api.apply(podWithMissingHostPath());
    await harness.start();
    await harness.until(124);
    expect(volumeEvents().map(([, message]) => message)).toEqual(Array.from({ length: 8 }, () => setUpFailure));
    const failed = harness.ofType('spanEnded').find(({ error }) => error?.message.includes('unmounted volumes'));
    expect(failed?.error?.message).toBe(
      'unmounted volumes=[h], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
    );
  });

  it('starts as soon as the volume can be mounted, without another sync', async () => {
    harness = new KubeletHarness({ simulator: { latencies: {} } });
    harness.api.apply(podWithMissingHostPath());
    await harness.start();
    await harness.until(5);
    await harness.os.mkdirAll('/none', 0o755);
    await harness.until(9);
    expect(harness.status('web').phase).toBe('Running');
  });
});
