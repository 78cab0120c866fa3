/** Tests the whole engine on the simulated runtime, from the API object to the CRI calls and back to the status. */
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, type KubeletHarnessOptions, newPod } from './testing/kubelet-harness.ts';

let harness: KubeletHarness;

async function start(options: KubeletHarnessOptions = {}): Promise<void> {
  harness = new KubeletHarness({ simulator: { latencies: {} }, ...options });
  await harness.start();
}

afterEach(() => harness.stop());

const container = (command: string, more: object = {}) => ({
  name: 'app',
  image: 'busybox:1.36',
  command: ['sh', '-c', command],
  ...more,
});
const init = (name: string) => ({ name, image: 'busybox:1.36', command: ['sh', '-c', 'sleep 2'] });
const app = () => harness.status('web').containerStatuses?.[0];
const reasons = (): string[] => harness.events.map(({ reason }) => reason);
const criCalls = (): string[] =>
  harness
    .ofType('spanStarted')
    .filter(({ kind }) => kind === 'cri')
    .map(({ point }) => point.replace('cri.', ''));

describe('a pod', () => {
  it('gets a sandbox, an image and a running container, with the events Pulled, Created and Started', async () => {
    await start();
    harness.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await harness.until(2);
    expect(harness.status('web').phase).toBe('Running');
    expect(app()).toMatchObject({
      ready: true,
      started: true,
      restartCount: 0,
      image: 'busybox:1.36',
      state: { running: {} },
    });
    expect(reasons()).toEqual(expect.arrayContaining(['Pulled', 'Created', 'Started']));
    expect(criCalls().filter((call) => ['RunPodSandbox', 'CreateContainer', 'StartContainer'].includes(call))).toEqual([
      'RunPodSandbox',
      'CreateContainer',
      'StartContainer',
    ]);
  });

  it('has a link to its log in /var/log/containers, which the garbage collection removes after the pod', async () => {
    await start();
    harness.api.apply(newPod('web', { containers: [container('echo hello; sleep 3600')] }));
    await harness.until(2);
    const [name = ''] = await harness.os.readDir('/var/log/containers');
    expect(name).toMatch(/^web_default_app-[0-9a-f]{64}\.log$/);
    expect(harness.os.text(`/var/log/containers/${name}`)).toContain('stdout F hello');
    harness.api.delete('web', 0);
    await harness.until(130);
    expect(await harness.os.readDir('/var/log/containers')).toEqual([]);
  });

  it('gives its containers environment, hosts file and volumes', async () => {
    await start();
    harness.api.configMaps.set('cfg', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cfg', uid: 'c' },
      data: { greeting: 'hello' },
    });
    harness.api.apply(
      newPod('web', {
        restartPolicy: 'Never',
        volumes: [{ name: 'cfg', configMap: { name: 'cfg' } }],
        containers: [
          container('cat /cfg/greeting /etc/hosts; echo $WHO', {
            env: [{ name: 'WHO', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            volumeMounts: [{ name: 'cfg', mountPath: '/cfg' }],
          }),
        ],
      }),
    );
    await harness.until(3);
    const lines: string[] = [];
    const { background, Tracer } = await import('@podscope/trace');
    for await (const { text } of harness.kubelet.containerLogs(
      background(harness.clock, new Tracer()),
      'default',
      'web',
      'app',
    ))
      lines.push(text);
    const log = lines.join('\n');
    expect(log).toContain('hello# Kubernetes-managed hosts file.');
    expect(log).toContain(`${harness.status('web').podIP}\tweb`);
    expect(log).toMatch(/web$/);
  });

  it.each(['v1.36', 'v1.20'] as const)(
    'is restarted although the config map of a mounted volume was deleted (%s)',
    async (profile) => {
      await start({ profile });
      harness.api.configMaps.set('cfg', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'cfg', uid: 'c' },
        data: { greeting: 'hello' },
      });
      harness.api.apply(
        newPod('web', {
          volumes: [{ name: 'cfg', configMap: { name: 'cfg' } }],
          containers: [
            container('cat /cfg/greeting; sleep 5; exit 1', { volumeMounts: [{ name: 'cfg', mountPath: '/cfg' }] }),
          ],
        }),
      );
      await harness.until(3);
      expect(app()).toMatchObject({ restartCount: 0, state: { running: {} } });
      harness.api.configMaps.delete('cfg');
      await harness.until(9);
      expect(app()).toMatchObject({ restartCount: 1, state: { running: {} } });
      expect(harness.events.map(({ message }) => message)).toContain(
        'MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found',
      );
    },
  );

  it('runs init containers one after another before its app container', async () => {
    await start();
    harness.api.apply(
      newPod('web', { initContainers: [init('first'), init('second')], containers: [container('sleep 3600')] }),
    );
    await harness.until(1);
    expect(harness.status('web')).toMatchObject({
      phase: 'Pending',
      initContainerStatuses: [{ state: { running: {} } }, { state: { waiting: {} } }],
    });
    await harness.until(12);
    expect(harness.status('web')).toMatchObject({
      phase: 'Running',
      initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { terminated: { exitCode: 0 } } }],
    });
  });

  it('is restarted after 0, 10, 20, 40 … seconds when its container exits with an error', async () => {
    await start();
    harness.api.apply(newPod('web', { containers: [container('exit 1')] }));
    // The sync that finds the back-off doesn't report it in the status. The next sync, within a minute, does.
    await harness.until(230);
    const starts = harness.ofType('spanStarted').filter(({ point }) => point === 'cri.StartContainer');
    const at = starts.map(({ time }) => (time - (starts[0]?.time ?? 0)) / 1000);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(gaps[0]).toBeLessThanOrEqual(1.1);
    for (const [index, seconds] of [10, 20, 40, 80].entries()) {
      expect(gaps[index + 1]).toBeGreaterThanOrEqual(seconds);
      expect(gaps[index + 1]).toBeLessThanOrEqual(seconds + 2);
    }
    expect(app()).toMatchObject({
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    });
    expect(reasons()).toContain('BackOff');
    // The newest dead instance of each container is kept.
    const dead = new Set(
      harness
        .ofType('runtimeStateChanged')
        .filter(({ object, to }) => object === 'container' && to === 'nonexistent')
        .map(({ id }) => id),
    );
    expect(dead.size).toBeGreaterThanOrEqual(3);
  });

  it('waits with ErrImagePull, then ImagePullBackOff, when its image does not exist', async () => {
    await start();
    harness.api.apply(
      newPod('web', { containers: [{ name: 'app', image: 'no-such-image:1', imagePullPolicy: 'Always' }] }),
    );
    await harness.until(40);
    const seen = harness
      .ofType('podStatus')
      .map(
        ({ status }) => (status as ReturnType<KubeletHarness['status']>).containerStatuses?.[0]?.state?.waiting?.reason,
      );
    expect(seen).toEqual(expect.arrayContaining(['ContainerCreating', 'ErrImagePull', 'ImagePullBackOff']));
    expect(harness.status('web').phase).toBe('Pending');
  });

  it('gets a new sandbox when the old one is killed', async () => {
    await start();
    harness.api.apply(newPod('web', { containers: [container('sleep 3600', { lifecycle: {} })] }));
    await harness.until(3);
    const sandbox = harness.ofType('runtimeStateChanged').find(({ object }) => object === 'sandbox')?.id ?? '';
    await harness.simulator?.stopSandboxFromOutside(sandbox);
    await harness.until(60);
    expect(reasons()).toContain('SandboxChanged');
    const sandboxes = harness
      .ofType('runtimeStateChanged')
      .filter(({ object, to }) => object === 'sandbox' && to === 'running');
    expect(sandboxes.map(({ attempt }) => attempt)).toEqual([0, 1]);
    expect(harness.status('web')).toMatchObject({ phase: 'Running', containerStatuses: [{ ready: true }] });
  });

  it('runs its preStop hook within the grace period, and leaves only what the next collection removes', async () => {
    await start();
    const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'sleep 2'] } } };
    harness.api.apply(
      newPod('web', { terminationGracePeriodSeconds: 10, containers: [container('sleep 3600', { lifecycle })] }),
    );
    await harness.until(3);
    harness.api.delete('web');
    await harness.until(30);
    expect(harness.api.pods.size).toBe(0);
    expect(reasons().filter((reason) => reason === 'Killing')).toHaveLength(1);
    await harness.until(130);
    const left = harness.ofType('runtimeStateChanged').filter(({ to }) => to === 'nonexistent');
    expect(left.map(({ object }) => object).toSorted()).toEqual(['container', 'sandbox']);
    expect(await harness.os.readDir('/var/lib/kubelet/pods')).toEqual([]);
  });

  it('is listed alone when the kubelet verifies that it has stopped', async () => {
    await start();
    harness.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    harness.api.apply(newPod('other', { containers: [container('sleep 3600')] }));
    await harness.until(3);
    harness.api.delete('web', 1);
    await harness.until(6);
    const spans = harness.ofType('spanStarted');
    const verify = spans.find(({ point }) => point === 'kubelet.syncTerminatingPod.verifyStopped');
    const calls = spans.filter(({ parent, kind }) => kind === 'cri' && parent === verify?.span);
    const filter = { labelSelector: { 'io.kubernetes.pod.uid': 'uid-web' } };
    expect(calls.map(({ point, attributes }) => [point, attributes['request']]).slice(0, 2)).toEqual([
      ['cri.ListPodSandbox', { filter }],
      ['cri.ListContainers', { filter }],
    ]);
    expect(calls.map(({ point }) => point).slice(2)).toEqual(['cri.PodSandboxStatus', 'cri.ContainerStatus']);
  });

  it('is restarted when its liveness probe fails, and is unready while its readiness probe fails', async () => {
    await start();
    const probes = {
      livenessProbe: {
        exec: { command: ['test', '-f', '/tmp/alive'] },
        periodSeconds: 5,
        failureThreshold: 2,
        timeoutSeconds: 1,
        successThreshold: 1,
      },
      readinessProbe: {
        exec: { command: ['test', '-f', '/tmp/ready'] },
        periodSeconds: 5,
        failureThreshold: 1,
        timeoutSeconds: 1,
        successThreshold: 1,
      },
    };
    harness.api.apply(
      newPod('web', {
        terminationGracePeriodSeconds: 1,
        containers: [
          container(
            'touch /tmp/alive /tmp/ready; sleep 20; rm /tmp/ready; sleep 20; rm /tmp/alive; sleep 3600',
            probes,
          ),
        ],
      }),
    );
    await harness.until(12);
    expect(app()).toMatchObject({ ready: true });
    await harness.until(30);
    expect(app()).toMatchObject({ ready: false, restartCount: 0 });
    await harness.until(70);
    expect(app()).toMatchObject({ restartCount: 1 });
    const killing = harness.events.find(({ reason }) => reason === 'Killing');
    expect(killing?.message).toBe('Container app failed liveness probe, will be restarted');
    expect(reasons()).toContain('Unhealthy');
  });

  it('keeps its container without a start or stop call when the kubelet restarts', async () => {
    await start();
    harness.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await harness.until(5);
    const first = harness;
    await first.stop();
    harness = new KubeletHarness({
      simulatedRuntime: first.simulator,
      clock: first.clock,
      api: first.api,
      os: first.os,
    });
    await harness.start();
    await harness.until(20);
    expect(app()).toMatchObject({ restartCount: 0, ready: true });
    expect(criCalls()).not.toContain('StartContainer');
    expect(criCalls()).not.toContain('StopContainer');
  });

  it('keeps its container over a restart of the kubelet when its resize policy is RestartContainer', async () => {
    await start();
    const resources = { requests: { cpu: '500m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } };
    const resizePolicy = ['cpu', 'memory'].map((resourceName) => ({
      resourceName,
      restartPolicy: 'RestartContainer' as const,
    }));
    harness.api.apply(newPod('web', { containers: [container('sleep 3600', { resources, resizePolicy })] }));
    await harness.until(5);
    const first = harness;
    await first.stop();
    harness = new KubeletHarness({
      simulatedRuntime: first.simulator,
      clock: first.clock,
      api: first.api,
      os: first.os,
    });
    await harness.start();
    await harness.until(20);
    expect(app()).toMatchObject({ restartCount: 0, ready: true });
    for (const call of ['StartContainer', 'StopContainer', 'UpdateContainerResources'])
      expect(criCalls()).not.toContain(call);
    expect(reasons()).not.toContain('Killing');
    expect(harness.status('web').conditions?.map(({ type }) => type)).not.toContain('PodResizeInProgress');
  });
});

it('records no CRI call in an hour when all pods are idle', async () => {
  await start();
  harness.api.apply(newPod('web', { containers: [container('sleep 36000')] }));
  await harness.until(10);
  const before = harness.log.lastSeq;
  await harness.until(55);
  expect(harness.log.lastSeq).toBe(before);
  await harness.until(3610);
  const points = new Set(harness.log.after(before).map((event) => (event.type === 'spanStarted' ? event.point : '')));
  expect([...points].some((point) => point.startsWith('cri.') || point === 'kuberuntime.GarbageCollect')).toBe(false);
});

it('leaves no container or sandbox after stopAllPods, even if a container ignores SIGTERM', async () => {
  await start();
  harness.api.apply(newPod('web', { containers: [container('trap "" TERM; sleep 3600')] }));
  await harness.until(5);
  await harness.stop();
  const { background, Tracer } = await import('@podscope/trace');
  const ctx = background(harness.clock, new Tracer());
  const stopping = harness.kubelet.stopAllPods(ctx, 3);
  await harness.clock.advance(30_000);
  await stopping;
  expect((await harness.simulator?.runtime.listContainers(ctx, {}))?.containers).toEqual([]);
  expect((await harness.simulator?.runtime.listPodSandbox(ctx, {}))?.items).toEqual([]);
});
