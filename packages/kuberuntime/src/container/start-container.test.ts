import { describe, expect, it } from 'vitest';
import { type InternalContainerLifecycle, noResourceManagers } from '../lifecycle/internal-lifecycle.ts';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import { profileV136 } from '../profiles/v1-36/profile.ts';
import { ActionError } from '../sync/action-error.ts';
import { fakeRulesV120, fakeRulesV136 } from '../testing/fake-rules.ts';
import { type TestStage, testPod, testPodStatus, testStage } from '../testing/test-stage.ts';
import { startContainer } from './start-container.ts';

/** Returns the name and the message of the error with which a start failed. */
const errorName = (error: unknown): string =>
  error instanceof ActionError ? `${error.reason}: ${error.message}` : String(error);

async function start(release: 'v1.36' | 'v1.20', lifecycle: Partial<InternalContainerLifecycle>): Promise<TestStage> {
  const [profile, rules] = release === 'v1.36' ? [profileV136, fakeRulesV136] : [profileV120, fakeRulesV120];
  const internalLifecycle = { ...noResourceManagers, ...lifecycle };
  const stage = testStage({ images: ['busybox:1.36'], rules, dependencies: { profile, internalLifecycle } });
  const pod = testPod();
  const sandboxConfig = {
    metadata: { name: 'web', namespace: 'default', uid: 'uid-1', attempt: 0 },
    labels: {},
    annotations: {},
  };
  const { podSandboxId } = await stage.dependencies.runtime.runPodSandbox(stage.ctx, {
    config: sandboxConfig,
    runtimeHandler: '',
  });
  const [container] = pod.spec.containers;
  if (!container) throw new Error('the pod has no container');
  stage.fake.recording = true;
  await startContainer(stage.ctx, stage.dependencies, {
    sandboxID: podSandboxId,
    sandboxConfig,
    pod,
    container,
    podStatus: testPodStatus(),
    pullSecrets: [],
    podIPs: [],
    imageVolumes: {},
  }).catch((error: unknown) =>
    stage.events.push({ type: 'Error', reason: errorName(error), message: '', container: '' }),
  );
  return stage;
}

describe.each(['v1.36', 'v1.20'] as const)('PreStartContainer, %s', (release) => {
  it('registers the created container before its event Created', async () => {
    const calls: string[] = [];
    const { events } = await start(release, {
      preStartContainer: async (_ctx, pod, { name }) => void calls.push(`${pod.metadata.name}/${name}`),
    });
    expect(calls).toEqual(['web/app']);
    expect(events.map(({ reason }) => reason)).toEqual(['Pulled', 'Created', 'Started']);
  });

  it('fails the start with PreStartHookError and doesn’t start the container', async () => {
    const { events, dependencies, ctx } = await start(release, {
      preStartContainer: () => Promise.reject(new Error('no CPUs left')),
    });
    expect(events.map(({ reason, message }) => `${reason} ${message}`)).toEqual([
      expect.stringContaining('Pulled'),
      'Failed Internal PreStartContainer hook failed: no CPUs left',
      expect.stringContaining('PreStartHookError'),
    ]);
    const { containers } = await dependencies.runtime.listContainers(ctx, {});
    expect(containers.map(({ state }) => state)).toEqual(['CONTAINER_CREATED']);
  });
});

describe('PreCreateContainer', () => {
  it('adds the assigned CPUs to the configuration with which v1.36 creates the container', async () => {
    const { ctx, dependencies, events } = await start('v1.36', {
      preCreateContainer: async (_ctx, _pod, _container, config) => ({
        ...config,
        annotations: { ...config.annotations, cpus: '2-3' },
      }),
    });
    const { containers } = await dependencies.runtime.listContainers(ctx, {});
    expect(containers.map(({ annotations }) => annotations?.['cpus'])).toEqual(['2-3']);
    expect(events.map(({ reason }) => reason)).toEqual(['Pulled', 'Created', 'Started']);
  });

  it('fails the start with PreCreateHookError in v1.36 and doesn’t create the container', async () => {
    const { events, dependencies, ctx } = await start('v1.36', {
      preCreateContainer: () => Promise.reject(new Error('no CPUs left')),
    });
    expect(events.map(({ reason, message }) => `${reason} ${message}`)).toEqual([
      expect.stringContaining('Pulled'),
      'Failed Internal PreCreateContainer hook failed: no CPUs left',
      expect.stringContaining('PreCreateHookError'),
    ]);
    expect((await dependencies.runtime.listContainers(ctx, {})).containers).toEqual([]);
  });

  it('doesn’t run in v1.20', async () => {
    const { events } = await start('v1.20', {
      preCreateContainer: () => Promise.reject(new Error('no CPUs left')),
    });
    expect(events.map(({ reason }) => reason)).toEqual(['Pulled', 'Created', 'Started']);
  });
});
