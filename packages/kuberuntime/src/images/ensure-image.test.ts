/** Tests image pulls that the recordings don't cover: disabled gates, rate limits and back-off events. */
import { encodeBase64 } from '@podscope/k8s';
import { EventLog, type TraceEventOf, Tracer } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { type TestStage, testPod, testStage } from '../testing/test-stage.ts';
import { type EnsureImageRequest, ensureImageExistsV136 } from './ensure-image.ts';
import { ImageManager } from './image-manager.ts';

const pod = testPod();
const [container] = pod.spec.containers;

const request = (more: Partial<EnsureImageRequest> = {}): EnsureImageRequest => ({
  pod,
  container,
  image: 'busybox:1.36',
  pullPolicy: 'IfNotPresent',
  pullSecrets: [],
  sandboxConfig: { metadata: { name: 'web', uid: 'uid-1', namespace: 'default', attempt: 0 } },
  ...more,
});

const ensure = ({ ctx, dependencies }: TestStage, more?: Partial<EnsureImageRequest>): Promise<string> =>
  ensureImageExistsV136(ctx, dependencies.imageManager, request(more));

describe('ensureImageExistsV136', () => {
  it('uses a present image without checking credentials when the gate is off', async () => {
    const stage = testStage({ images: ['busybox:1.36'], gates: { KubeletEnsureSecretPulledImages: false } });
    await expect(ensure(stage)).resolves.toBe('busybox:1.36');
    expect(stage.events.map(({ message }) => message)).toEqual([
      'Container image "busybox:1.36" already present on machine',
    ]);
  });

  describe('with an invalid pull secret', () => {
    const pullSecrets = [
      {
        apiVersion: 'v1' as const,
        kind: 'Secret' as const,
        metadata: { name: 'broken', namespace: 'default', uid: 'uid-broken' },
        type: 'kubernetes.io/dockerconfigjson',
        data: { '.dockerconfigjson': encodeBase64('{') },
      },
    ];

    it.each(['IfNotPresent', 'Never'] as const)('uses a present image under %s', async (pullPolicy) => {
      const stage = testStage({ images: ['busybox:1.36'] });
      await expect(ensure(stage, { pullSecrets, pullPolicy })).resolves.toBe('busybox:1.36');
    });

    it('uses an image that another pod pulled without credentials', async () => {
      const stage = testStage();
      await ensure(stage);
      await expect(ensure(stage, { pullSecrets })).resolves.toBe('busybox:1.36');
    });

    it('fails a pull with the error of the secret, without an event about a pull', async () => {
      const stage = testStage();
      await expect(ensure(stage, { pullSecrets })).rejects.toThrow(/JSON/);
      expect(stage.events).toEqual([]);
    });
  });

  it('includes the waiting time in the event when pulls wait for each other', async () => {
    const stage = testStage();
    for (const image of ['slow:1', 'next:1'])
      stage.fake.faults.delay({ method: 'PullImage', container: image, seconds: 2 });
    stage.fake.call = (
      (original) => (ctx, method, detail, work) =>
        original(ctx, method, detail, work, String(detail.image))
    )(stage.fake.call.bind(stage.fake));
    const both = Promise.all([ensure(stage, { image: 'slow:1' }), ensure(stage, { image: 'next:1' })]);
    await stage.clock.advance(4000);
    await both;
    expect(stage.events.filter(({ reason }) => reason === 'Pulled').map(({ message }) => message)).toEqual([
      'Successfully pulled image "slow:1" in 2s (2s including waiting). Image size: 1000 bytes.',
      'Successfully pulled image "next:1" in 2s (4s including waiting). Image size: 1000 bytes.',
    ]);
  });

  it('fails a pull that exceeds the node’s rate limit', async () => {
    const stage = testStage();
    const { images, recorder, gates } = stage.dependencies;
    const manager = new ImageManager({ images, recorder, gates, pulls: { qps: 1, burst: 1 } });
    await ensureImageExistsV136(stage.ctx, manager, request({ image: 'a:1' }));
    await expect(ensureImageExistsV136(stage.ctx, manager, request({ image: 'b:1' }))).rejects.toMatchObject({
      reason: 'ErrImagePull',
      message: 'pull QPS exceeded',
    });
  });

  it('emits back-off events when a back-off is armed and when it delays a pull', async () => {
    const stage = testStage();
    const log = new EventLog(stage.clock);
    const ctx = { ...stage.ctx, tracer: new Tracer(log) };
    stage.fake.faults.fail({ method: 'PullImage', error: 'no such host' });
    const again = (): Promise<string> => ensureImageExistsV136(ctx, stage.dependencies.imageManager, request());
    await expect(again()).rejects.toMatchObject({ reason: 'ErrImagePull', message: 'no such host' });
    await stage.clock.advance(4000);
    await expect(again()).rejects.toMatchObject({
      reason: 'ImagePullBackOff',
      message: 'Back-off pulling image "busybox:1.36": ErrImagePull: no such host',
    });
    await stage.clock.advance(6000);
    await expect(again()).resolves.toBe('busybox:1.36');
    const reported = log.after(0).filter((event): event is TraceEventOf<'backOff'> => event.type === 'backOff');
    expect(reported.map(({ state, seconds, since, until }) => [state, seconds, until - since])).toEqual([
      ['armed', 10, 10_000],
      ['waiting', 10, 10_000],
    ]);
  });
});
