import { describe, expect, it } from 'vitest';
import { newContainerLabels } from '../labels.ts';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import { profileV136 } from '../profiles/v1-36/profile.ts';
import type { GCPolicy } from '../runtime.ts';
import { type TestStage, type TestStageOptions, testPod, testStage } from '../testing/test-stage.ts';
import { garbageCollect } from './garbage-collect.ts';

const defaults: GCPolicy = { minAge: 0, maxPerPodContainer: 1, maxContainers: -1 };

/** Creates a node with dead containers named `pod/container`, the oldest first. Each is in a sandbox of its pod. */
async function nodeWith(containers: readonly string[], options: TestStageOptions = {}): Promise<TestStage> {
  const stage = testStage(options);
  await stage.os.mkdirAll('/var/log/pods', 0o750);
  const attempts = new Map<string, number>();
  for (const entry of containers) {
    const [uid = '', name = ''] = entry.split('/');
    const pod = testPod({}, { uid, name: uid });
    const attempt = attempts.get(entry) ?? 0;
    attempts.set(entry, attempt + 1);
    const labels = newContainerLabels({ name }, pod);
    const config = { metadata: { name: uid, uid, namespace: 'default', attempt: 0 }, labels };
    const { podSandboxId } = await stage.dependencies.runtime.runPodSandbox(stage.ctx, { config });
    const { containerId } = await stage.dependencies.runtime.createContainer(stage.ctx, {
      podSandboxId,
      config: { metadata: { name, attempt }, image: { image: '' }, labels, annotations: {}, logPath: '' },
      sandboxConfig: config,
    });
    await stage.dependencies.runtime.startContainer(stage.ctx, { containerId });
    await stage.dependencies.runtime.stopContainer(stage.ctx, { containerId, timeout: 0 });
    await stage.dependencies.runtime.stopPodSandbox(stage.ctx, { podSandboxId });
    await stage.clock.advance(1000);
  }
  return stage;
}

/** Returns the containers that remain, as `pod/container#attempt`. */
const left = ({ fake }: TestStage): string[] =>
  [...fake.containers.values()]
    .map(
      ({ config }) =>
        `${config.labels['io.kubernetes.pod.uid'] ?? ''}/${config.metadata.name}#${config.metadata.attempt}`,
    )
    .toSorted();

const collect = (
  { ctx, dependencies }: TestStage,
  policy: Partial<GCPolicy> = {},
  allSourcesReady = true,
): Promise<void> =>
  garbageCollect(ctx, dependencies, {
    policy: { ...defaults, ...policy },
    allSourcesReady,
    evictNonDeletedPods: false,
  });

describe('garbageCollect', () => {
  it('keeps the newest dead instance of each container', async () => {
    const stage = await nodeWith(['a/app', 'a/app', 'a/app', 'a/db', 'b/app']);
    await collect(stage);
    expect(left(stage)).toEqual(['a/app#2', 'a/db#0', 'b/app#0']);
  });

  it('keeps containers younger than the minimum age', async () => {
    const stage = await nodeWith(['a/app', 'a/app', 'a/app']);
    await collect(stage, { minAge: 1.5 });
    expect(left(stage)).toEqual(['a/app#1', 'a/app#2']);
  });

  it('divides a node-wide limit among containers, then removes the oldest', async () => {
    const stage = await nodeWith(['a/app', 'b/app', 'c/app', 'c/app']);
    await collect(stage, { maxPerPodContainer: -1, maxContainers: 2 });
    expect(left(stage)).toEqual(['b/app#0', 'c/app#1']);
  });

  it('removes everything of deleted pods once all sources are ready', async () => {
    const podState = { shouldPodContentBeRemoved: (uid: string) => uid === 'b' };
    const stage = await nodeWith(['a/app', 'b/app'], { podState });
    await collect(stage, {}, false);
    expect(left(stage)).toEqual(['a/app#0', 'b/app#0']);
    await collect(stage);
    expect(left(stage)).toEqual(['a/app#0']);
    expect([...stage.fake.sandboxes.keys()]).toEqual(['a_default_a_0']);
  });

  it('kills containers in an unknown state before removing them', async () => {
    const stage = await nodeWith(['a/app', 'a/app']);
    const [oldest] = stage.fake.containers.values();
    if (oldest) oldest.state = 'CONTAINER_UNKNOWN';
    stage.fake.calls = [];
    await collect(stage);
    const calls = stage.fake.calls
      .map(({ method }) => method)
      .filter((method) => method === 'StopContainer' || method === 'RemoveContainer');
    expect(calls).toEqual(['StopContainer', 'RemoveContainer']);
  });

  it('removes the logs of deleted pods and dangling links', async () => {
    const podState = { shouldPodContentBeRemoved: (uid: string) => uid === 'gone' };
    const stage = testStage({ podState, dependencies: { legacyLogDir: '/var/log/containers' } });
    const { os } = stage;
    for (const path of [
      '/var/log/pods/default_web_gone/app',
      '/var/log/pods/default_web_here/app',
      '/var/log/containers',
    ])
      await os.mkdirAll(path, 0o755);
    await os.writeFile('/var/log/pods/default_web_here/app/0.log', '', 0o644);
    await os.symlink('/var/log/pods/default_web_gone/app/0.log', '/var/log/containers/web_default_app-aaaaaa.log');
    await os.symlink('/var/log/pods/default_web_here/app/0.log', '/var/log/containers/web_default_app-bbbbbb.log');
    await collect(stage);
    expect(await os.readDir('/var/log/pods')).toEqual(['default_web_here']);
    expect(await os.readDir('/var/log/containers')).toEqual(['web_default_app-bbbbbb.log']);
  });

  it('removes the oldest first and continues after a path that can not be removed', async () => {
    const podState = { shouldPodContentBeRemoved: (uid: string) => uid.startsWith('gone') };
    const stage = await nodeWith(['a/app', 'a/app', 'a/app', 'a/app'], { podState });
    stage.fake.calls = [];
    await collect(stage);
    const removed = stage.fake.calls.filter(({ method }) => method === 'RemoveContainer');
    expect(removed.map(({ id }) => String(id).at(-1))).toEqual(['0', '1', '2']);
    const { os } = stage;
    for (const uid of ['gone1', 'gone2']) await os.mkdirAll(`/var/log/pods/default_web_${uid}`, 0o755);
    const removeAll = os.removeAll.bind(os);
    os.removeAll = (path) => (path.endsWith('gone1') ? Promise.reject(new Error('busy')) : removeAll(path));
    await collect(stage);
    expect((await os.readDir('/var/log/pods')).filter((name) => name.includes('gone'))).toEqual(['default_web_gone1']);
  });

  it('removes the containers of a deleted pod backwards', async () => {
    const podState = { shouldPodContentBeRemoved: (uid: string) => uid === 'gone' };
    const stage = await nodeWith(['gone/app', 'gone/app', 'gone/app'], { podState });
    stage.fake.calls = [];
    await collect(stage);
    const removed = stage.fake.calls.filter(({ method }) => method === 'RemoveContainer');
    expect(removed.map(({ id }) => String(id).at(-1))).toEqual(['2', '1', '0']);
  });

  it('removes the oldest sandboxes of a pod first, and all of a deleted pod backwards', async () => {
    const podState = { shouldPodContentBeRemoved: (uid: string) => uid === 'gone' };
    const stage = await nodeWith([], { podState });
    for (const [uid, attempts] of Object.entries({ here: 3, gone: 2 })) {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const config = { metadata: { name: uid, uid, namespace: 'default', attempt } };
        const { podSandboxId } = await stage.dependencies.runtime.runPodSandbox(stage.ctx, { config });
        await stage.dependencies.runtime.stopPodSandbox(stage.ctx, { podSandboxId });
        await stage.clock.advance(1000);
      }
    }
    stage.fake.calls = [];
    await collect(stage);
    const removed = stage.fake.calls.filter(({ method }) => method === 'RemovePodSandbox').map(({ id }) => id);
    const ofPod = (uid: string) => removed.filter((id) => String(id).startsWith(uid));
    expect(ofPod('here')).toEqual(['here_default_here_0', 'here_default_here_1']);
    expect(ofPod('gone')).toEqual(['gone_default_gone_1', 'gone_default_gone_0']);
  });

  it.each([
    { profile: profileV136, directory: 'podLogsDirectory' },
    { profile: profileV120, directory: 'podLogsRootDirectory' },
  ])('reports an unreadable directory of logs as $profile.name does', async ({ profile, directory }) => {
    const stage = testStage({ dependencies: { profile } });
    stage.os.readDir = (path) => Promise.reject(new Error(`open ${path}: permission denied`));
    const message = `failed to read ${directory} "/var/log/pods": open /var/log/pods: permission denied`;
    await expect(collect(stage)).rejects.toThrow(message);
  });

  it('reports a missing directory of logs once all sources are ready', async () => {
    const stage = testStage();
    await collect(stage, {}, false);
    const message = 'failed to read podLogsDirectory "/var/log/pods": open /var/log/pods: no such file or directory';
    await expect(collect(stage)).rejects.toThrow(message);
  });

  it.each([profileV136, profileV120])('ignores an unreadable directory of links in $name', async (profile) => {
    const stage = await nodeWith([], { dependencies: { profile, legacyLogDir: '/var/log/containers' } });
    stage.os.readDir = (path) =>
      path === '/var/log/containers' ? Promise.reject(new Error('permission denied')) : Promise.resolve([]);
    await collect(stage);
    expect(stage.fake.calls.map(({ method }) => method)).not.toContain('ContainerStatus');
  });

  it('runs all parts and reports those that failed', async () => {
    const stage = await nodeWith(['a/app', 'a/app']);
    stage.dependencies.runtime.listPodSandbox = () => Promise.reject(new Error('no list'));
    await expect(collect(stage)).rejects.toThrow('no list');
    expect(left(stage)).toEqual(['a/app#1']);
  });
});
