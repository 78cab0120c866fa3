import type { Container, Pod } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import { fakeRulesV120 } from '../testing/fake-rules.ts';
import { type TestStage, type TestStageOptions, testPod, testStage } from '../testing/test-stage.ts';
import { gracePeriodV136, podGracePeriod } from './grace-period.ts';
import { type KillRequest, killContainer } from './kill-container.ts';
import { killPodWithSyncResult } from './kill-pod.ts';

const probe = { terminationGracePeriodSeconds: 7 };

describe('gracePeriod', () => {
  const container: Container = {
    name: 'app',
    livenessProbe: probe,
    startupProbe: { terminationGracePeriodSeconds: 9 },
  };

  it.each([
    [testPod(), '', 2],
    [testPod({ terminationGracePeriodSeconds: 30 }), '', 30],
    [testPod({ terminationGracePeriodSeconds: 30 }), 'LivenessProbe', 7],
    [testPod({ terminationGracePeriodSeconds: 30 }), 'StartupProbe', 9],
    [testPod(), 'LivenessProbe', 2],
    [testPod({ terminationGracePeriodSeconds: 30 }, { deletionGracePeriodSeconds: 5 }), 'LivenessProbe', 5],
    [testPod({ terminationGracePeriodSeconds: 0 }), '', 0],
  ] as const)('v1.36 %#', (pod, reason, seconds) => {
    expect(gracePeriodV136(pod, container, reason)).toBe(seconds);
  });

  it('ignores the grace periods of probes in v1.20', () => {
    expect(podGracePeriod(testPod({ terminationGracePeriodSeconds: 30 }))).toBe(30);
  });
});

const v120: TestStageOptions = { dependencies: { profile: profileV120 }, rules: fakeRulesV120 };

/** Creates a test environment in which containers of a pod run. */
async function running(pod: Pod, names: readonly string[], options: TestStageOptions = {}): Promise<TestStage> {
  const stage = testStage(options);
  for (const name of names) {
    const config = {
      metadata: { name, attempt: 0 },
      image: { image: '' },
      labels: { 'io.kubernetes.container.name': name },
      annotations: {},
      logPath: '',
    };
    const sandboxConfig = {
      metadata: { name: pod.metadata.name, uid: pod.metadata.uid, namespace: 'default', attempt: 0 },
    };
    const { containerId } = await stage.dependencies.runtime.createContainer(stage.ctx, {
      podSandboxId: 'sandbox',
      config,
      sandboxConfig,
    });
    await stage.dependencies.runtime.startContainer(stage.ctx, { containerId });
  }
  stage.fake.calls = [];
  return stage;
}

const kill = ({ ctx, dependencies }: TestStage, pod: Pod, more: Partial<KillRequest> = {}): Promise<void> =>
  killContainer(ctx, dependencies, {
    pod,
    id: { type: 'fake', id: 'sandbox_app_0' },
    name: 'app',
    message: '',
    reason: 'Unknown',
    ...more,
  });

const timeouts = ({ fake }: TestStage): unknown[] =>
  fake.calls.filter(({ method }) => method === 'StopContainer').map(({ timeout }) => timeout);

const sleeping = (seconds: number): Container => ({ name: 'app', lifecycle: { preStop: { sleep: { seconds } } } });

describe('killContainer', () => {
  it('subtracts the preStop hook from the grace period and leaves at least two seconds', async () => {
    const pod = testPod({ containers: [sleeping(4)], terminationGracePeriodSeconds: 10 });
    const stage = await running(pod, ['app']);
    const killed = kill(stage, pod);
    await stage.clock.advance(4000);
    await killed;
    expect(timeouts(stage)).toEqual([6]);
  });

  it('waits for a hook no longer than the grace period', async () => {
    const pod = testPod({ containers: [sleeping(3600)], terminationGracePeriodSeconds: 5 });
    const stage = await running(pod, ['app']);
    const killed = kill(stage, pod);
    await stage.clock.advance(5000);
    await killed;
    expect(timeouts(stage)).toEqual([2]);
  });

  it('skips the hook for an override of 0, and uses the minimum grace period in v1.36', async () => {
    const pod = testPod({ containers: [sleeping(4)], terminationGracePeriodSeconds: 10 });
    const stage = await running(pod, ['app']);
    await kill(stage, pod, { gracePeriodOverride: 0 });
    expect(timeouts(stage)).toEqual([2]);
  });

  it('uses the override unchanged after the hook in v1.20', async () => {
    const pod = testPod({ containers: [sleeping(4)], terminationGracePeriodSeconds: 10 });
    const stage = await running(pod, ['app'], v120);
    const killed = kill(stage, pod, { gracePeriodOverride: 0 });
    await stage.clock.advance(4000);
    await killed;
    expect(timeouts(stage)).toEqual([0]);
  });

  it('fails with the name of a container that the pod does not have', async () => {
    const stage = await running(testPod(), ['app']);
    await expect(kill(stage, testPod(), { name: 'gone', message: 'because' })).rejects.toThrow(
      'failed to get containerSpec "gone" (id="fake://sandbox_app_0") in pod "web_default(uid-1)" when ' +
        'killing container for reason "because"',
    );
  });

  it('restores the spec of a deleted pod from the container’s labels and annotations', async () => {
    const stage = await running(testPod(), ['app']);
    const container = stage.fake.containers.get('sandbox_app_0');
    Object.assign(container?.config.annotations ?? {}, {
      'io.kubernetes.pod.terminationGracePeriod': '20',
      'io.kubernetes.container.preStopHandler': JSON.stringify({ sleep: { seconds: 3 } }),
    });
    const killed = killContainer(stage.ctx, stage.dependencies, {
      pod: undefined,
      id: { type: 'fake', id: 'sandbox_app_0' },
      name: 'app',
      message: '',
      reason: 'Unknown',
    });
    await stage.clock.advance(3000);
    await killed;
    expect(timeouts(stage)).toEqual([17]);
  });

  it('treats a missing container as stopped in v1.36 and as an error in v1.20', async () => {
    const gone = { id: { type: 'fake', id: 'nobody' } };
    await expect(kill(await running(testPod(), []), testPod(), gone)).resolves.toBeUndefined();
    await expect(kill(await running(testPod(), [], v120), testPod(), gone)).rejects.toThrow('nobody not found');
  });
});

describe('killPodWithSyncResult', () => {
  const pod = testPod({
    initContainers: [
      { name: 'first', restartPolicy: 'Always' },
      { name: 'second', restartPolicy: 'Always' },
    ],
    containers: [sleeping(4)],
    terminationGracePeriodSeconds: 30,
  });

  const stop = async (stage: TestStage, ms: number): Promise<void> => {
    const containers = ['first', 'second', 'app'].map((name) => ({
      id: { type: 'fake', id: `sandbox_${name}_0` },
      name,
      image: '',
      imageID: '',
      hash: 0,
      state: 'running' as const,
      createdAt: stage.clock.now(),
      podSandboxID: 'sandbox',
    }));
    const killed = killPodWithSyncResult(
      stage.ctx,
      stage.dependencies,
      pod,
      { id: 'uid-1', name: 'web', namespace: 'default', createdAt: stage.clock.now(), containers, sandboxes: [] },
      undefined,
    );
    await stage.clock.advance(ms);
    await killed;
  };

  const stopped = ({ fake }: TestStage): unknown[] =>
    fake.calls
      .filter(({ method }) => method === 'StopContainer')
      .map(({ id, timeout }) => [String(id).split('_')[1], timeout]);

  it('stops sidecars after the containers they serve, in reverse order, in the remaining time', async () => {
    const stage = await running(pod, ['first', 'second', 'app']);
    await stop(stage, 4000);
    expect(stopped(stage)).toEqual([
      ['app', 26],
      ['second', 26],
      ['first', 26],
    ]);
  });

  it('limits the wait of a sidecar for an unresponsive container to its grace period', async () => {
    const stage = await running(pod, ['first', 'second', 'app']);
    stage.fake.faults.fail({ method: 'StopContainer', error: 'busy', container: 'app' });
    await stop(stage, 30_000);
    expect(stopped(stage)).toEqual([
      ['app', 26],
      ['first', 2],
      ['second', 2],
    ]);
  });
});
