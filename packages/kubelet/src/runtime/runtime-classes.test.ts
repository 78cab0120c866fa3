/** Tests recursively read-only mounts, which depend on the handler of the pod's runtime class. */
import type { Pod } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';
import { RuntimeClasses } from './runtime-classes.ts';

describe('RuntimeClasses', () => {
  const handlers = [
    { name: '', features: { recursiveReadOnlyMounts: true } },
    { name: 'runsc', features: { recursiveReadOnlyMounts: false } },
    { name: 'kata', features: { recursiveReadOnlyMounts: true } },
    { name: 'plain' },
  ];
  const classes = new RuntimeClasses({
    getRuntimeClass: async (name) => {
      if (name === 'broken') throw new Error('forbidden');
      return handlers.some((handler) => handler.name === name)
        ? { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name, uid: name }, handler: name }
        : undefined;
    },
  });

  it.each([
    ['no class', undefined, true],
    ['a class whose handler has the feature', 'kata', true],
    ['a class whose handler lacks the feature', 'runsc', false],
    ['a class whose handler reports no features', 'plain', false],
    ['a class that does not exist', 'none', false],
    ['a class that cannot be read', 'broken', false],
  ])('returns whether recursively read-only mounts are supported for a pod with %s', async (_case, name, expected) => {
    const pod = newPod('web', name === undefined ? {} : { runtimeClassName: name });
    await classes.learn([pod]);
    expect(classes.supportsRecursiveReadOnly(pod, handlers)).toBe(expected);
    expect(classes.supportsRecursiveReadOnly(pod, [])).toBe(false);
  });
});

describe('RuntimeClasses without an API server', () => {
  it('uses the default handler, and supports no recursively read-only mounts', async () => {
    const classes = new RuntimeClasses({ getRuntimeClass: () => Promise.resolve(undefined) }, true);
    expect(await classes.lookupRuntimeHandler('kata')).toBe('');
    const handlers = [{ name: '', features: { recursiveReadOnlyMounts: true } }];
    expect(classes.supportsRecursiveReadOnly(newPod('web'), handlers)).toBe(false);
  });
});

describe.each(['v1.36', 'v1.20'] as const)('a recursively read-only mount (%s)', (profile) => {
  let harness: KubeletHarness;
  afterEach(() => harness.stop());

  const pod = (recursiveReadOnly: 'Enabled' | 'IfPossible' | 'Disabled', runtimeClassName?: string): Pod =>
    newPod('web', {
      ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
      volumes: [{ name: 'data', emptyDir: {} }],
      containers: [
        {
          name: 'app',
          image: 'busybox:1.36',
          command: ['sleep', '3600'],
          volumeMounts: [{ name: 'data', mountPath: '/data', readOnly: true, recursiveReadOnly }],
        },
      ],
    });

  it.each([
    ['Enabled', 'Enabled'],
    ['IfPossible', 'Enabled'],
    ['Disabled', 'Disabled'],
  ] as const)('with the mode %s runs, and its status has the mode of v1.36', async (mode, reported) => {
    harness = new KubeletHarness({ profile, simulator: { latencies: {} } });
    await harness.start();
    harness.api.apply(pod(mode));
    await harness.until(5);
    const [container] = harness.status('web').containerStatuses ?? [];
    expect(container?.state?.running).toBeDefined();
    expect(container?.volumeMounts).toEqual(
      profile === 'v1.36'
        ? [{ name: 'data', mountPath: '/data', readOnly: true, recursiveReadOnly: reported }]
        : undefined,
    );
  });

  it('with the mode Enabled fails in v1.36 when the runtime reports no handlers', async () => {
    harness = new KubeletHarness({ profile, simulator: { latencies: {}, release: 'v1.20' } });
    await harness.start();
    harness.api.apply(pod('Enabled'));
    await harness.until(5);
    const [container] = harness.status('web').containerStatuses ?? [];
    const message =
      'failed to resolve recursive read-only mode: ' +
      'volume "data" requested recursive read-only mode, but it is not supported by the runtime';
    const expected: Readonly<Record<typeof profile, unknown>> = {
      'v1.36': [{ reason: 'CreateContainerConfigError', message }, ['Disabled']],
      'v1.20': [undefined, undefined],
    };
    expect([
      container?.state?.waiting,
      container?.volumeMounts?.map(({ recursiveReadOnly }) => recursiveReadOnly),
    ]).toEqual(expected[profile]);
  });
});
