/** The whole engine, from the API object to CRI and back, on the simulated runtime. */
import { afterEach, describe, expect, it } from 'vitest';
import { Bench, type BenchOptions, newPod } from './testing/bench.ts';

let bench: Bench;

async function start(options: BenchOptions = {}): Promise<void> {
  bench = new Bench({ simulator: { latencies: {} }, ...options });
  await bench.start();
}

afterEach(() => bench.stop());

const container = (command: string, more: object = {}) => ({ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', command], ...more });
const init = (name: string) => ({ name, image: 'busybox:1.36', command: ['sh', '-c', 'sleep 2'] });
const app = () => bench.status('web').containerStatuses?.[0];
const reasons = (): string[] => bench.events.map(({ reason }) => reason);
const criCalls = (): string[] =>
  bench
    .ofType('spanStarted')
    .filter(({ kind }) => kind === 'cri')
    .map(({ point }) => point.replace('cri.', ''));

describe('a pod', () => {
  it('runs: sandbox, image, container; the kubelet says so in its events', async () => {
    await start();
    bench.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await bench.until(2);
    expect(bench.status('web').phase).toBe('Running');
    expect(app()).toMatchObject({ ready: true, started: true, restartCount: 0, image: 'busybox:1.36', state: { running: {} } });
    expect(reasons()).toEqual(expect.arrayContaining(['Pulled', 'Created', 'Started']));
    expect(criCalls().filter((call) => ['RunPodSandbox', 'CreateContainer', 'StartContainer'].includes(call))).toEqual([
      'RunPodSandbox',
      'CreateContainer',
      'StartContainer',
    ]);
  });

  it('gives its containers environment, hosts file and volumes', async () => {
    await start();
    bench.api.configMaps.set('cfg', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cfg', uid: 'c' }, data: { greeting: 'hello' } });
    bench.api.apply(
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
    await bench.until(3);
    const lines: string[] = [];
    const { background, Tracer } = await import('@podscope/trace');
    for await (const { text } of bench.kubelet.containerLogs(background(bench.clock, new Tracer()), 'default', 'web', 'app')) lines.push(text);
    const log = lines.join('\n');
    expect(log).toContain('hello# Kubernetes-managed hosts file.');
    expect(log).toContain(`${bench.status('web').podIP}\tweb`);
    expect(log).toMatch(/web$/);
  });

  it.each(['v1.36', 'v1.20'] as const)('is restarted though the config map of a volume it has is gone (%s)', async (profile) => {
    await start({ profile });
    bench.api.configMaps.set('cfg', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cfg', uid: 'c' }, data: { greeting: 'hello' } });
    bench.api.apply(
      newPod('web', {
        volumes: [{ name: 'cfg', configMap: { name: 'cfg' } }],
        containers: [container('cat /cfg/greeting; sleep 5; exit 1', { volumeMounts: [{ name: 'cfg', mountPath: '/cfg' }] })],
      }),
    );
    await bench.until(3);
    expect(app()).toMatchObject({ restartCount: 0, state: { running: {} } });
    bench.api.configMaps.delete('cfg');
    await bench.until(9);
    expect(app()).toMatchObject({ restartCount: 1, state: { running: {} } });
    expect(bench.events.map(({ message }) => message)).toContain('MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found');
  });

  it('runs init containers one after another before it runs itself', async () => {
    await start();
    bench.api.apply(newPod('web', { initContainers: [init('first'), init('second')], containers: [container('sleep 3600')] }));
    await bench.until(1);
    expect(bench.status('web')).toMatchObject({ phase: 'Pending', initContainerStatuses: [{ state: { running: {} } }, { state: { waiting: {} } }] });
    await bench.until(12);
    expect(bench.status('web')).toMatchObject({
      phase: 'Running',
      initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { terminated: { exitCode: 0 } } }],
    });
  });

  it('that crashes is restarted after 0, 10, 20, 40 … seconds', async () => {
    await start();
    bench.api.apply(newPod('web', { containers: [container('exit 1')] }));
    // The wait shows as such from the look after the one that found it: within a minute.
    await bench.until(230);
    const starts = bench.ofType('spanStarted').filter(({ point }) => point === 'cri.StartContainer');
    const at = starts.map(({ time }) => (time - (starts[0]?.time ?? 0)) / 1000);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(gaps[0]).toBeLessThanOrEqual(1.1);
    for (const [index, seconds] of [10, 20, 40, 80].entries()) {
      expect(gaps[index + 1]).toBeGreaterThanOrEqual(seconds);
      expect(gaps[index + 1]).toBeLessThanOrEqual(seconds + 2);
    }
    expect(app()).toMatchObject({ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1, reason: 'Error' } } });
    expect(reasons()).toContain('BackOff');
    // Of each container the newest dead instance stays.
    const dead = new Set(
      bench
        .ofType('runtimeStateChanged')
        .filter(({ object, to }) => object === 'container' && to === 'nonexistent')
        .map(({ id }) => id),
    );
    expect(dead.size).toBeGreaterThanOrEqual(3);
  });

  it('whose image is missing waits with ErrImagePull, then ImagePullBackOff', async () => {
    await start();
    bench.api.apply(newPod('web', { containers: [{ name: 'app', image: 'no-such-image:1', imagePullPolicy: 'Always' }] }));
    await bench.until(40);
    const seen = bench.ofType('podStatus').map(({ status }) => (status as ReturnType<Bench['status']>).containerStatuses?.[0]?.state?.waiting?.reason);
    expect(seen).toEqual(expect.arrayContaining(['ContainerCreating', 'ErrImagePull', 'ImagePullBackOff']));
    expect(bench.status('web').phase).toBe('Pending');
  });

  it('gets a new sandbox when somebody kills the old one', async () => {
    await start();
    bench.api.apply(newPod('web', { containers: [container('sleep 3600', { lifecycle: {} })] }));
    await bench.until(3);
    const sandbox = bench.ofType('runtimeStateChanged').find(({ object }) => object === 'sandbox')?.id ?? '';
    await bench.simulator?.stopSandboxFromOutside(sandbox);
    await bench.until(60);
    expect(reasons()).toContain('SandboxChanged');
    const sandboxes = bench.ofType('runtimeStateChanged').filter(({ object, to }) => object === 'sandbox' && to === 'running');
    expect(sandboxes.map(({ attempt }) => attempt)).toEqual([0, 1]);
    expect(bench.status('web')).toMatchObject({ phase: 'Running', containerStatuses: [{ ready: true }] });
  });

  it('ends with its preStop hook within its grace period, and leaves nothing but what the next collection removes', async () => {
    await start();
    const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'sleep 2'] } } };
    bench.api.apply(newPod('web', { terminationGracePeriodSeconds: 10, containers: [container('sleep 3600', { lifecycle })] }));
    await bench.until(3);
    bench.api.delete('web');
    await bench.until(30);
    expect(bench.api.pods.size).toBe(0);
    expect(reasons().filter((reason) => reason === 'Killing')).toHaveLength(1);
    await bench.until(130);
    const left = bench.ofType('runtimeStateChanged').filter(({ to }) => to === 'nonexistent');
    expect(left.map(({ object }) => object).toSorted()).toEqual(['container', 'sandbox']);
    expect(await bench.os.readDir('/var/lib/kubelet/pods')).toEqual([]);
  });

  it('is restarted when its liveness probe fails, and taken out of service when its readiness probe does', async () => {
    await start();
    const probes = {
      livenessProbe: { exec: { command: ['test', '-f', '/tmp/alive'] }, periodSeconds: 5, failureThreshold: 2, timeoutSeconds: 1, successThreshold: 1 },
      readinessProbe: { exec: { command: ['test', '-f', '/tmp/ready'] }, periodSeconds: 5, failureThreshold: 1, timeoutSeconds: 1, successThreshold: 1 },
    };
    bench.api.apply(
      newPod('web', {
        terminationGracePeriodSeconds: 1,
        containers: [container('touch /tmp/alive /tmp/ready; sleep 20; rm /tmp/ready; sleep 20; rm /tmp/alive; sleep 3600', probes)],
      }),
    );
    await bench.until(12);
    expect(app()).toMatchObject({ ready: true });
    await bench.until(30);
    expect(app()).toMatchObject({ ready: false, restartCount: 0 });
    await bench.until(70);
    expect(app()).toMatchObject({ restartCount: 1 });
    const killing = bench.events.find(({ reason }) => reason === 'Killing');
    expect(killing?.message).toBe('Container app failed liveness probe, will be restarted');
    expect(reasons()).toContain('Unhealthy');
  });

  it('is adopted by the next kubelet', async () => {
    await start();
    bench.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await bench.until(5);
    const first = bench;
    await first.stop();
    bench = new Bench({ simulatedRuntime: first.simulator, clock: first.clock, api: first.api, os: first.os });
    await bench.start();
    await bench.until(20);
    expect(app()).toMatchObject({ restartCount: 0, ready: true });
    expect(criCalls()).not.toContain('StartContainer');
    expect(criCalls()).not.toContain('StopContainer');
  });

  it('is adopted untouched when a resize would restart it: the next kubelet knows what it last got', async () => {
    await start();
    const resources = { requests: { cpu: '500m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } };
    const resizePolicy = ['cpu', 'memory'].map((resourceName) => ({ resourceName, restartPolicy: 'RestartContainer' as const }));
    bench.api.apply(newPod('web', { containers: [container('sleep 3600', { resources, resizePolicy })] }));
    await bench.until(5);
    const first = bench;
    await first.stop();
    bench = new Bench({ simulatedRuntime: first.simulator, clock: first.clock, api: first.api, os: first.os });
    await bench.start();
    await bench.until(20);
    expect(app()).toMatchObject({ restartCount: 0, ready: true });
    for (const call of ['StartContainer', 'StopContainer', 'UpdateContainerResources']) expect(criCalls()).not.toContain(call);
    expect(reasons()).not.toContain('Killing');
    expect(bench.status('web').conditions?.map(({ type }) => type)).not.toContain('PodResizeInProgress');
  });
});

it('an idle node writes nothing for an hour but the re-syncs of its pods', async () => {
  await start();
  bench.api.apply(newPod('web', { containers: [container('sleep 36000')] }));
  await bench.until(10);
  const before = bench.log.lastSeq;
  await bench.until(55);
  expect(bench.log.lastSeq).toBe(before);
  await bench.until(3610);
  const points = new Set(bench.log.after(before).map((event) => (event.type === 'spanStarted' ? event.point : '')));
  expect([...points].some((point) => point.startsWith('cri.') || point === 'kuberuntime.GarbageCollect')).toBe(false);
});

it('everything can be stopped and removed at the end', async () => {
  await start();
  bench.api.apply(newPod('web', { containers: [container('trap "" TERM; sleep 3600')] }));
  await bench.until(5);
  await bench.stop();
  const { background, Tracer } = await import('@podscope/trace');
  const ctx = background(bench.clock, new Tracer());
  const stopping = bench.kubelet.stopAllPods(ctx, 3);
  await bench.clock.advance(30_000);
  await stopping;
  expect((await bench.simulator?.runtime.listContainers(ctx, {}))?.containers).toEqual([]);
  expect((await bench.simulator?.runtime.listPodSandbox(ctx, {}))?.items).toEqual([]);
});
