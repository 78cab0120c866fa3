import { background, Tracer } from '@podscope/trace';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, type KubeletHarnessOptions, newPod } from './testing/kubelet-harness.ts';

let harness: KubeletHarness | undefined;

async function startBench(
  options: KubeletHarnessOptions = {},
  prepare: (harness: KubeletHarness) => void = () => undefined,
): Promise<KubeletHarness> {
  harness = new KubeletHarness(options);
  prepare(harness);
  await harness.start();
  return harness;
}

afterEach(async () => {
  await harness?.stop();
  harness = undefined;
});

describe('a pod that runs', () => {
  it('gets a sandbox and a container at once, and shows Running and Ready', async () => {
    const { api, runtime, clock } = await startBench();
    api.apply(newPod('web'));
    await clock.settle();
    expect(runtime.calls).toEqual(['0.0 sandbox web', '0.0 start app']);
    await harness?.until(0.1);
    const status = harness?.status('web');
    expect(status).toMatchObject({
      phase: 'Running',
      podIP: '10.0.0.7',
      hostIP: '192.0.2.10',
      qosClass: 'BestEffort',
      startTime: '2026-01-01T00:00:00Z',
    });
    expect(status?.conditions?.filter(({ status: value }) => value === 'True').map(({ type }) => type)).toEqual([
      'PodReadyToStartContainers',
      'Initialized',
      'Ready',
      'ContainersReady',
      'PodScheduled',
    ]);
  });

  it('emits runtimeStateChanged for its container and its sandbox', async () => {
    const { api } = await startBench();
    api.apply(newPod('web'));
    await harness?.until(3);
    expect(
      harness
        ?.ofType('runtimeStateChanged')
        .map(({ object, name, from, to, attempt, containerType }) => [object, name, from, to, attempt, containerType]),
    ).toEqual([
      ['container', 'app', 'nonexistent', 'running', 0, 'container'],
      ['sandbox', 'POD', 'nonexistent', 'running', 0, undefined],
    ]);
  });

  it('emits no events for idle loops', async () => {
    const { api, log } = await startBench();
    api.apply(newPod('web'));
    await harness?.until(3);
    const before = log.lastSeq;
    await harness?.until(50);
    expect(log.lastSeq).toBe(before);
  });

  it('is synced again after the re-sync interval', async () => {
    const { api } = await startBench();
    api.apply(newPod('web'));
    await harness?.until(5);
    const count = (): number =>
      harness?.ofType('spanStarted').filter(({ point }) => point === 'kubelet.SyncPod').length ?? 0;
    const before = count();
    await harness?.until(59);
    expect(count()).toBe(before);
    await harness?.until(62);
    expect(count()).toBe(before + 1);
  });
});

const reasons = (name: string): (string | undefined)[] =>
  (harness?.ofType('podStatus') ?? [])
    .filter(({ pod }) => pod === `uid-${name}`)
    .map(({ status }) => {
      const containers = status['containerStatuses'] as
        | { state?: { waiting?: { reason?: string }; running?: object; terminated?: object } }[]
        | undefined;
      const state = containers?.[0]?.state;
      return state?.waiting?.reason ?? Object.keys(state ?? {})[0];
    });

describe('a container that fails repeatedly', () => {
  it('restarts at once, then after 10, 20, 40 … s since its exit, on the next tick', async () => {
    const { api, runtime } = await startBench({}, ({ runtime: { scripts } }) =>
      scripts.set('app', { exitAfterMs: 0, exitCode: 1 }),
    );
    api.apply(newPod('crash'));
    await harness?.until(400);
    const starts = runtime.calls.filter((call) => call.endsWith('start app')).map((call) => Number(call.split(' ')[0]));
    // The relist after the first sync reports the first exit. Each back-off counts from the exit, and the loop checks
    // for due syncs once a second.
    const waits = starts.slice(1).map((at, index) => Math.round(at - (starts[index] ?? 0)));
    expect(waits.slice(1, 6).every((wait, index) => wait >= 10 * 2 ** index && wait <= 10 * 2 ** index + 2)).toBe(true);
    expect(waits[0]).toBeLessThanOrEqual(1);
  });

  it('shows terminated after each exit, and CrashLoopBackOff later in its back-off', async () => {
    const { api } = await startBench({}, ({ runtime: { scripts } }) =>
      scripts.set('app', { exitAfterMs: 100, exitCode: 1 }),
    );
    api.apply(newPod('crash'));
    await harness?.until(30);
    const seen = reasons('crash').filter((reason, index, all) => reason !== all[index - 1]);
    expect(seen.slice(0, 5)).toEqual(['ContainerCreating', 'running', 'terminated', 'running', 'terminated']);
    expect(seen).toContain('CrashLoopBackOff');
    expect(harness?.status('crash')).toMatchObject({ phase: 'Running', containerStatuses: [{ restartCount: 2 }] });
  });

  it('is not restarted when the restart policy is Never, and the pod fails', async () => {
    const { api, runtime } = await startBench({}, ({ runtime: { scripts } }) =>
      scripts.set('app', { exitAfterMs: 500, exitCode: 3 }),
    );
    api.apply(newPod('job', { restartPolicy: 'Never' }));
    await harness?.until(10);
    expect(harness?.status('job')).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 3, reason: 'Error' } } }],
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'Ready', status: 'False', reason: 'PodFailed' }),
      ]),
    });
    expect(runtime.calls.filter((call) => call.includes('start'))).toHaveLength(1);
    expect(runtime.calls.some((call) => call.includes('kill job_default'))).toBe(true);
  });

  it('shows why a start failed', async () => {
    const startError = { error: 'ErrImagePull', message: 'manifest unknown' };
    const { api } = await startBench({}, ({ runtime: { scripts } }) => scripts.set('app', { startError }));
    api.apply(newPod('web'));
    await harness?.until(15);
    expect(harness?.status('web')).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull', message: 'manifest unknown' } } }],
    });
  });
});

describe('deletion', () => {
  it('stops the pod within its grace period, keeps the exit code and then removes the API object', async () => {
    const { api, runtime } = await startBench({}, ({ runtime: { scripts } }) =>
      scripts.set('app', { stopAfterMs: 3000 }),
    );
    api.apply(newPod('web'));
    await harness?.until(5);
    api.delete('web');
    await harness?.until(7);
    expect(harness?.status('web').phase).toBe('Running');
    expect(runtime.calls).toContain('5.0 kill web_default grace=30');
    await harness?.until(8.5);
    expect(api.pods.has('web')).toBe(false);
    const last = harness?.ofType('podStatus').at(-1)?.status;
    expect(last).toMatchObject({ phase: 'Succeeded', containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] });
    await harness?.until(12);
    expect(await harness?.os.readDir('/var/lib/kubelet/pods')).toEqual([]);
  });

  it('kills the pod with its full grace period even if the deletion is forced', async () => {
    const { api, runtime } = await startBench();
    api.apply(newPod('web'));
    await harness?.until(5);
    api.delete('web', 0);
    await harness?.until(9);
    expect(runtime.calls.filter((call) => call.includes('kill'))).toEqual(['5.0 kill web_default grace=30']);
    expect(runtime.pods.get('uid-web')?.sandboxes[0]?.state).toBe('SANDBOX_NOTREADY');
  });

  it('applies a shorter grace period from the next sync on', async () => {
    const { api, runtime } = await startBench({}, ({ runtime: { scripts } }) =>
      scripts.set('app', { stopAfterMs: 60_000 }),
    );
    api.apply(newPod('web'));
    await harness?.until(5);
    api.delete('web');
    await harness?.until(6);
    api.delete('web', 4);
    await harness?.until(40);
    expect(runtime.calls.filter((call) => call.includes('kill'))[0]).toBe('5.0 kill web_default grace=30');
    expect(api.pods.has('web')).toBe(false);
  });

  it('lets a new pod of the same name start while the old one is still stopping', async () => {
    const { api, runtime } = await startBench({}, ({ runtime: { scripts } }) =>
      scripts.set('app', { stopAfterMs: 10_000 }),
    );
    api.apply(newPod('web'));
    await harness?.until(3);
    api.delete('web', 0);
    api.apply(newPod('web', {}, { uid: 'uid-web-2' }));
    await harness?.until(4);
    expect(runtime.pods.get('uid-web-2')?.containers[0]?.state).toBe('running');
    await harness?.until(20);
    expect(runtime.pods.get('uid-web')?.containers.some(({ state }) => state === 'running')).toBe(false);
    expect(harness?.status('web').phase).toBe('Running');
  });

  it('removes the API object within 11 s when the pod has already succeeded', async () => {
    const { api } = await startBench({}, ({ runtime: { scripts } }) => scripts.set('app', { exitAfterMs: 500 }));
    api.apply(newPod('job', { restartPolicy: 'Never' }));
    await harness?.until(10);
    expect(harness?.status('job').phase).toBe('Succeeded');
    api.delete('job');
    await harness?.until(21);
    expect(api.pods.has('job')).toBe(false);
  });
});

describe('admission', () => {
  it('rejects a pod that does not fit, without a worker, and lets it be deleted', async () => {
    const { api, runtime } = await startBench();
    await harness?.until(3);
    api.apply(
      newPod('big', { containers: [{ name: 'app', image: 'busybox', resources: { requests: { cpu: '100' } } }] }),
    );
    await harness?.until(4);
    expect(harness?.status('big')).toMatchObject({
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 100000, used: 0, capacity: 4000",
    });
    expect(harness?.events.map(({ type, reason }) => [type, reason])).toEqual([['Warning', 'OutOfcpu']]);
    expect(runtime.calls).toEqual([]);
    api.delete('big');
    await harness?.until(20);
    expect(api.pods.has('big')).toBe(false);
  });

  it('rejects a pod whose host port another pod uses', async () => {
    const port = { containers: [{ name: 'app', image: 'busybox', ports: [{ containerPort: 80, hostPort: 8080 }] }] };
    const { api } = await startBench();
    await harness?.until(3);
    api.apply(newPod('first', port));
    api.apply(newPod('second', port));
    await harness?.until(4);
    expect(harness?.status('first').phase).toBe('Running');
    expect(harness?.status('second')).toMatchObject({
      reason: 'NodePorts',
      message:
        "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
    });
  });

  it('keeps pods without host network waiting while the runtime has no network', async () => {
    const { api, runtime, events } = await startBench({}, ({ runtime: fake }) => {
      fake.conditions = fake.conditions.map((condition) =>
        condition.type === 'NetworkReady'
          ? { ...condition, status: false, reason: 'NetworkPluginNotReady', message: 'cni config uninitialized' }
          : condition,
      );
    });
    api.apply(newPod('web'));
    api.apply(newPod('host', { hostNetwork: true }));
    await harness?.until(3.5);
    expect(runtime.calls.filter((call) => call.includes('sandbox'))).toEqual(['0.0 sandbox host']);
    const message =
      'network is not ready: container runtime network not ready: NetworkReady=false ' +
      'reason:NetworkPluginNotReady message:cni config uninitialized';
    expect(events[0]).toMatchObject({ reason: 'NetworkNotReady', message });
    expect(events.length).toBeGreaterThan(1);
    expect(harness?.status('host')).toMatchObject({ podIP: '10.0.0.7' });
    runtime.conditions = runtime.conditions.map((condition) => ({ ...condition, status: true }));
    await harness?.until(8);
    expect(harness?.status('web').phase).toBe('Running');
  });
});

describe('a running kubelet', () => {
  it('keeps containers of pods it knows over a restart', async () => {
    const first = await startBench();
    first.api.apply(newPod('web'));
    await first.until(5);
    await first.stop();
    const { api, runtime, clock, os } = first;
    harness = undefined;
    const second = await startBench({ api, runtime, clock, os });
    await second.until(10);
    expect(runtime.calls).toEqual(['0.0 sandbox web', '0.0 start app']);
    expect(second.status('web').containerStatuses?.[0]).toMatchObject({ restartCount: 0, ready: true });
  });

  it('kills pods of the runtime that no source has', async () => {
    const { runtime } = await startBench({}, ({ runtime: fake }) =>
      fake.addRunningContainer('uid-old', 'old', 'default', 'app'),
    );
    await harness?.until(5);
    expect(runtime.calls.slice(1)).toEqual(['2.0 kill old_default grace=1', '3.0 remove old-app-0-1']);
  });

  it('kills no unknown pod until every source has sent its pods', async () => {
    const { runtime } = await startBench({ sources: ['api', 'file'] }, ({ runtime: fake }) =>
      fake.addRunningContainer('uid-old', 'old', 'default', 'app'),
    );
    await harness?.until(10);
    expect(runtime.calls).toHaveLength(1);
    harness?.kubelet.podConfig.set('file', []);
    await harness?.until(13);
    expect(runtime.calls[1]).toContain('kill old_default');
  });

  it('counts the replacement of a removed container as a restart', async () => {
    const { api, runtime } = await startBench();
    api.apply(newPod('web'));
    await harness?.until(3);
    runtime.removeExternally(runtime.pods.get('uid-web')?.containers[0]?.id.id ?? '');
    await harness?.until(5);
    expect(harness?.status('web').containerStatuses?.[0]).toMatchObject({ restartCount: 1, state: { running: {} } });
  });
});

describe('time limits', () => {
  it('ends a pod after its active deadline', async () => {
    const { api, events } = await startBench();
    api.apply(newPod('job', { activeDeadlineSeconds: 5 }));
    await harness?.until(10);
    expect(harness?.status('job')).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
    expect(harness?.status('job').containerStatuses?.[0]?.state?.terminated).toBeDefined();
    expect(events.filter(({ reason }) => reason === 'DeadlineExceeded').length).toBeLessThanOrEqual(4);
    const before = harness?.log.lastSeq;
    await harness?.until(40);
    expect(harness?.log.lastSeq).toBe(before);
  });
});

describe("the end of a kubelet's run", () => {
  it('stops all loops without touching containers', async () => {
    const { api, runtime, clock } = await startBench();
    api.apply(newPod('web'));
    await harness?.until(3);
    await harness?.stop();
    const { length } = runtime.calls;
    await clock.advance(10_000);
    expect(runtime.calls).toHaveLength(length);
    expect(clock.nextDue()).toBeUndefined();
  });

  const left = ({ runtime }: KubeletHarness): readonly object[] =>
    [...runtime.pods.values()].flatMap(({ containers, sandboxes }) => [...containers, ...sandboxes]);

  /** Starts a pod, stops the kubelet, and then all pods. `ended` is the error, or undefined. */
  async function stopAll(busyCollections: number): Promise<{ bench: KubeletHarness; ended: Promise<unknown> }> {
    const bench = await startBench();
    bench.api.apply(newPod('web'));
    await bench.until(3);
    await bench.stop();
    bench.runtime.busyCollections = busyCollections;
    const stopping = bench.kubelet.stopAllPods(background(bench.clock, new Tracer(bench.log)), 2);
    return { bench, ended: stopping.catch((error: unknown) => error) };
  }

  it('removes all containers and sandboxes with stopAllPods', async () => {
    const { bench, ended } = await stopAll(0);
    expect(await ended).toBeUndefined();
    expect(bench.runtime.calls.at(-1)).toContain('kill web_default grace=2');
    expect(left(bench)).toEqual([]);
  });

  it('removes containers again that were busy', async () => {
    const { bench, ended } = await stopAll(4);
    await bench.clock.advance(4_000);
    expect(await ended).toBeUndefined();
    expect(left(bench)).toEqual([]);
  });

  it('warns of the pods whose containers stay busy', async () => {
    const { bench, ended } = await stopAll(5);
    await bench.clock.advance(4_000);
    expect(await ended).toBeUndefined();
    expect(bench.ofType('output').at(-1)).toMatchObject({
      level: 'warning',
      message: 'Containers are left of the pods default/web.',
    });
    expect(left(bench)).toHaveLength(2);
  });
});
