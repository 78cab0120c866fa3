/** Tests the cases of a resize that few recordings cover. */
import { errorMessage } from '@podscope/base';
import type { Container } from '@podscope/k8s';
import { describe, expect, it, vi } from 'vitest';
import { newPodActions } from '../compute-pod-actions/pod-actions.ts';
import { MemoryOS } from '../memory-os.ts';
import { runtimeGatesV136 } from '../profiles/gates.ts';
import { testPod, testPodStatus, testStage, testStatus } from '../testing/test-stage.ts';
import { ActuatedResources, actuatedAtStart, isPodResizeInProgress } from './actuated-resources.ts';
import { doPodResizeAction } from './do-pod-resize-action.ts';
import type { PodCgroups } from './pod-cgroups.ts';
import { resourceConfigForPod, sandboxUpdate } from './pod-resource-config.ts';

const { node } = testStage().dependencies;
const facts = { node, gates: runtimeGatesV136 };

const container = (
  name: string,
  limits: Record<string, string>,
  requests: Record<string, string> = limits,
): Container => ({
  name,
  resources: { limits, requests },
});

describe('resourceConfigForPod', () => {
  it.each([
    [
      'Guaranteed',
      [container('a', { cpu: '1', memory: '1Gi' })],
      { cpuShares: 1024, cpuQuota: 100_000, cpuPeriod: 100_000, memory: 1024 ** 3 },
    ],
    [
      'Burstable with a missing limit',
      [container('a', { cpu: '1' }), container('b', { memory: '1Gi' }, {})],
      { cpuShares: 1024 },
    ],
    ['BestEffort', [{ name: 'a' }], { cpuShares: 2 }],
  ])('returns the cgroup values of a pod: %s', (_qos, containers, config) => {
    expect(resourceConfigForPod(testPod({ containers }), facts)).toEqual(config);
  });

  it('omits the quota without CPU limit enforcement and uses the pod’s own limit if declared', () => {
    const pod = testPod({
      containers: [container('a', { cpu: '1' }, {}), { name: 'b' }],
      resources: { limits: { cpu: '2' } },
    });
    expect(resourceConfigForPod(pod, facts)).toMatchObject({ cpuQuota: 200_000 });
    expect(resourceConfigForPod(pod, { ...facts, node: { ...node, cpuCFSQuota: false } })).toMatchObject({
      cpuQuota: -1,
    });
  });
});

describe('sandboxUpdate', () => {
  it('reports overhead and container resources separately', () => {
    const pod = testPod({ overhead: { cpu: '250m', memory: '100Mi' } });
    expect(
      sandboxUpdate(facts, pod, { cpuShares: 1280, cpuQuota: 125_000, cpuPeriod: 100_000, memory: 200 * 1024 ** 2 }),
    ).toMatchObject({
      overhead: { cpuShares: 256, cpuQuota: 25_000, memoryLimitInBytes: 100 * 1024 ** 2 },
      resources: { cpuShares: 1024, cpuQuota: 100_000, memoryLimitInBytes: 100 * 1024 ** 2 },
    });
  });
});

describe('actuated resources', () => {
  it('include the pod’s limits when the container has none', () => {
    const pod = testPod({ resources: { limits: { cpu: '2', memory: '1Gi' } } });
    const own = container('a', { cpu: '1' });
    expect(actuatedAtStart(pod, own, true).limits).toEqual({ cpu: '1', memory: '1Gi' });
    expect(actuatedAtStart(pod, own, false)).toBe(own.resources);
  });

  it('are removed with their pod', () => {
    const actuated = new ActuatedResources();
    actuated.setContainer('a', 'app', {});
    actuated.setPod('b', {});
    actuated.retain((uid) => uid === 'b');
    expect([actuated.container('a', 'app'), actuated.pod('b')]).toEqual([undefined, {}]);
  });

  it('survive a kubelet restart in a file, unless the file is truncated', async () => {
    const os = new MemoryOS();
    await os.mkdirAll('/var/lib/kubelet', 0o755);
    const file = { os, path: '/var/lib/kubelet/actuated_pods_state' };
    const first = new ActuatedResources(file);
    const { resources = {} } = container('app', { cpu: '1' });
    first.setContainer('a', 'app', resources);
    first.setPod('a', resources);
    first.setContainer('b', 'app', resources);
    first.retain((uid) => uid === 'a');
    const next = await vi.waitFor(
      async () => {
        const loaded = new ActuatedResources(file);
        await loaded.load();
        expect(loaded.pod('a')).toEqual(resources);
        return loaded;
      },
      { timeout: 120_000 },
    );
    expect([next.container('a', 'app'), next.container('b', 'app')]).toEqual([resources, undefined]);
    await os.writeFile(file.path, '{"a":{"containers"', 0o600);
    const broken = new ActuatedResources(file);
    await broken.load();
    expect(broken.container('a', 'app')).toBeUndefined();
  });
});

describe('isPodResizeInProgress', () => {
  const limits = { cpu: '1', memory: '1Gi' };
  const pod = testPod({ containers: [container('app', limits)] });
  const asked = (last: Record<string, string>, state: 'running' | 'exited'): boolean => {
    const actuated = new ActuatedResources();
    actuated.setContainer(pod.metadata.uid, 'app', container('app', last).resources ?? {});
    return isPodResizeInProgress(
      { gates: runtimeGatesV136, actuated },
      pod,
      testPodStatus([testStatus('app', { state })]),
    );
  };

  it.each([
    ['a running container has other resources', { cpu: '2', memory: '1Gi' }, 'running', true],
    ['a running container has the same resources', { cpu: '1000m', memory: '1024Mi' }, 'running', false],
    ['the container does not run', { cpu: '2', memory: '1Gi' }, 'exited', false],
  ] as const)('%s', (_case, last, state, expected) => {
    expect(asked(last, state)).toBe(expected);
  });

  it.each([true, false])('an init container runs, with the gate for init containers %s', (isOn) => {
    const initContainers = [container('setup', { cpu: '2' })];
    const actuated = new ActuatedResources();
    actuated.setContainer('uid-1', 'setup', { limits: { cpu: '1' } });
    const gates = { ...runtimeGatesV136, InPlacePodVerticalScalingInitContainers: isOn };
    const status = testPodStatus([testStatus('setup')]);
    expect(isPodResizeInProgress({ gates, actuated }, testPod({ initContainers }), status)).toBe(isOn);
  });
});

describe('doPodResizeAction', () => {
  const actions = {
    ...newPodActions(false, 0, 'sandbox'),
    containersToUpdate: { cpu: [], memory: [] },
    updatePodResources: true,
  };
  const pod = testPod({ containers: [container('app', { cpu: '1', memory: '1Gi' })] });
  const current = { cpuShares: 512, cpuQuota: 50_000, cpuPeriod: 100_000, memory: 2 * 1024 ** 3 };

  const cgroups = (more: Partial<PodCgroups> = {}): PodCgroups & { readonly written: unknown[] } => {
    const written: unknown[] = [];
    return {
      written,
      getPodCgroupConfig: () => Promise.resolve(current),
      setPodCgroupConfig: (_ctx, _pod, config) => Promise.resolve(void written.push(config)),
      memoryUsage: () => Promise.resolve({ pod: 1024, containers: { app: 1024 } }),
      ...more,
    };
  };

  it('applies memory decreases last and increases first', async () => {
    const own = cgroups();
    const reinspected: string[] = [];
    const { ctx, dependencies } = testStage({
      dependencies: { cgroups: own, requestReinspect: (uid) => reinspected.push(uid) },
    });
    await doPodResizeAction(ctx, dependencies, pod, actions);
    expect(own.written).toEqual([
      { memory: 1024 ** 3 },
      { cpuPeriod: 100_000, cpuQuota: 100_000 },
      { cpuShares: 1024 },
    ]);
    expect(reinspected).toEqual(['uid-1']);
  });

  it.each<[string, Partial<PodCgroups>, string]>([
    [
      'unreadable',
      { getPodCgroupConfig: () => Promise.reject(new Error('gone')) },
      'unable to get pod cgroup memory config for pod "web_default(uid-1)"',
    ],
    [
      'unknown usage',
      { memoryUsage: () => Promise.reject(new Error('gone')) },
      'unable to read memory usage for pod "web_default(uid-1)"',
    ],
    [
      'missing usage',
      { memoryUsage: () => Promise.resolve({ pod: undefined, containers: {} }) },
      'cannot decrease memory limits: missing pod memory usage',
    ],
  ])('fails with the reason: %s', async (_why, more, message) => {
    const { ctx, dependencies } = testStage({ dependencies: { cgroups: cgroups(more) } });
    await expect(doPodResizeAction(ctx, dependencies, pod, actions)).rejects.toThrow(message);
  });

  describe('on a node without pod cgroups', () => {
    const app = { type: 'containerd', id: 'app-1' };
    const [wanted] = pod.spec.containers;
    const numbers = (memoryLimit: number) => ({ cpuRequest: 1000, cpuLimit: 1000, memoryRequest: 0, memoryLimit });
    const shrinking = {
      ...newPodActions(false, 0, 'sandbox'),
      containersToUpdate: {
        cpu: [],
        memory: [
          {
            id: app,
            container: wanted ?? { name: 'app' },
            desired: numbers(1024 ** 3),
            current: numbers(2 * 1024 ** 3),
          },
        ],
      },
    };
    const usage = (bytes: number) => ({
      listContainerStats: () =>
        Promise.resolve({
          stats: [
            {
              attributes: {
                id: app.id,
                metadata: { name: 'app', attempt: 0 },
                labels: { 'io.kubernetes.container.name': 'app' },
                annotations: {},
              },
              memory: { timestamp: 0n, usageBytes: { value: bytes } },
            },
          ],
        }),
    });

    it('updates the containers and writes no cgroup of the pod', async () => {
      const { ctx, dependencies } = testStage();
      const updated: unknown[] = [];
      const runtime = Object.assign(Object.create(dependencies.runtime) as typeof dependencies.runtime, usage(1024), {
        updateContainerResources: (_ctx: unknown, { linux }: { linux?: { memoryLimitInBytes?: number } }) =>
          Promise.resolve(updated.push(linux?.memoryLimitInBytes)),
      });
      await doPodResizeAction(ctx, { ...dependencies, runtime, cgroups: undefined }, pod, shrinking);
      expect(updated).toEqual([1024 ** 3]);
      expect(dependencies.actuated.container('uid-1', 'app')?.limits).toEqual({ cpu: '1', memory: '1Gi' });
    });

    it('rejects a limit below the usage that the runtime reports', async () => {
      const { ctx, dependencies } = testStage();
      const runtime = Object.assign(
        Object.create(dependencies.runtime) as typeof dependencies.runtime,
        usage(1024 ** 3),
      );
      await expect(
        doPodResizeAction(ctx, { ...dependencies, runtime, cgroups: undefined }, pod, shrinking),
      ).rejects.toThrow(
        'cannot decrease memory limits: attempting to set container "app" memory limit (1073741824) below ' +
          'current usage (1073741824)',
      );
    });
  });

  it('prints the usage of the pod when a container uses too much, as upstream does', async () => {
    const limit = 512 * 1024 ** 2;
    const own = cgroups({
      getPodCgroupConfig: () => Promise.resolve({ ...current, memory: 1024 ** 3 }),
      memoryUsage: () => Promise.resolve({ pod: 900 * 1024 ** 2, containers: { app: 600 * 1024 ** 2 } }),
    });
    const { ctx, dependencies } = testStage({ dependencies: { cgroups: own } });
    const [app] = pod.spec.containers;
    const numbers = (memoryLimit: number) => ({ cpuRequest: 0, cpuLimit: 0, memoryRequest: 0, memoryLimit });
    const update = {
      id: { type: 'containerd', id: 'app-1' },
      container: app ?? { name: 'app' },
      desired: numbers(limit),
      current: numbers(1024 ** 3),
    };
    await expect(
      doPodResizeAction(ctx, dependencies, pod, { ...actions, containersToUpdate: { cpu: [], memory: [update] } }),
    ).rejects.toThrow(
      `cannot decrease memory limits: attempting to set container "app" memory limit (${limit}) below ` +
        `current usage (${900 * 1024 ** 2})`,
    );
  });

  it.each([
    {
      outcome: 'records both resources of the pod as applied',
      fails: undefined,
      actuated: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1' } },
    },
    {
      outcome: 'records only the memory as applied when the CPU is rejected',
      fails: 'busy',
      actuated: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '500m' } },
    },
  ])('$outcome', async ({ fails, actuated }) => {
    const own = cgroups({
      setPodCgroupConfig: (_ctx, _pod, config) =>
        fails !== undefined && config.cpuQuota !== undefined ? Promise.reject(new Error(fails)) : Promise.resolve(),
    });
    const { ctx, dependencies } = testStage({ dependencies: { cgroups: own } });
    dependencies.actuated.setPod('uid-1', { limits: { cpu: '500m', memory: '2Gi' }, requests: { cpu: '500m' } });
    const ofPod = testPod({
      containers: [{ name: 'app' }],
      resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1' } },
    });
    const resized = doPodResizeAction(ctx, dependencies, ofPod, { ...actions, updatePodLevelResources: true });
    const error = await resized.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error === undefined ? '' : errorMessage(error)).toContain(fails ?? '');
    expect(error === undefined).toBe(fails === undefined);
    expect(dependencies.actuated.pod('uid-1')).toEqual(actuated);
  });

  it.each(['cpu', 'memory'] as const)(
    'fails with a message that names the resource when the runtime rejects %s',
    async (resource) => {
      const now = resource === 'cpu' ? { ...current, memory: 1024 ** 3 } : { ...current, memory: 1024 };
      const { ctx, dependencies } = testStage({
        dependencies: { cgroups: cgroups({ getPodCgroupConfig: () => Promise.resolve(now) }) },
      });
      dependencies.runtime.updatePodSandboxResources = () => Promise.reject(new Error('no'));
      await expect(doPodResizeAction(ctx, dependencies, pod, actions)).rejects.toThrow(
        `failed to notify runtime for UpdatePodSandboxResources (resource=${resource}); resize rejected: ` +
          'updatePodSandboxResources failed for sanboxID "sandbox": no',
      );
    },
  );

  it('asks the runtime to restore the previous values when the cgroup can not be written', async () => {
    const own = cgroups({ setPodCgroupConfig: () => Promise.reject(new Error('busy')) });
    const { ctx, dependencies, fake } = testStage({ dependencies: { cgroups: own } });
    await expect(doPodResizeAction(ctx, dependencies, pod, actions)).rejects.toThrow('busy');
    const reported = fake.calls.map(
      ({ resources }) => (resources as { memoryLimitInBytes: number }).memoryLimitInBytes / 1024 ** 3,
    );
    expect(reported).toEqual([1, 2]);
  });
});
