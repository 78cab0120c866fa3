import type { ConfigMap, Pod, Volume } from '@podscope/k8s';
import { MemoryOS } from '@podscope/kuberuntime';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { PodDirectories } from '../container/pod-directories.ts';
import { FakeApi, newPod } from '../testing/kubelet-harness.ts';
import { TaskGroup } from '../util/task-group.ts';
import { validatePath } from './plugins/atomic-writer.ts';
import { ServiceAccountTokens } from './plugins/service-account-tokens.ts';
import { volumesV120 } from './v1-20/volume-profile.ts';
import { VolumeManager } from './volume-manager.ts';
import { volumesV136 } from './volume-profile.ts';

const podWith = (...volumes: Volume[]): Pod =>
  newPod('web', {
    volumes,
    containers: [
      { name: 'app', image: 'busybox', volumeMounts: volumes.map(({ name }) => ({ name, mountPath: `/${name}` })) },
    ],
  });

const configMap = (name: string, data: Record<string, string>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: name },
  data,
});

describe('VolumeManager', () => {
  let clock: VirtualClock;
  let os: MemoryOS;
  let api: FakeApi;
  let manager: VolumeManager;
  let events: string[];
  let recordEvent: (text: string) => void;
  const ctx = () => background(clock, new Tracer());
  const volumes = '/var/lib/kubelet/pods/uid-web/volumes';

  beforeEach(() => {
    clock = new VirtualClock();
    os = new MemoryOS();
    api = new FakeApi();
    events = [];
    recordEvent = (text) => void events.push(text);
    manager = makeManager();
  });

  const makeManager = (profile = volumesV136): VolumeManager => {
    const tasks = new TaskGroup((error) => events.push(String(error)));
    const made = new VolumeManager({
      profile,
      tasks,
      os,
      directories: new PodDirectories(os, '/var/lib/kubelet', '/var/log/pods'),
      recorder: {
        event: (_ctx, _pod, type, reason, message) => recordEvent(`${type} ${reason} ${message}`),
        nodeEvent: () => undefined,
      },
      random: () => 0.25,
      sources: {
        client: api,
        tokens: new ServiceAccountTokens(api, () => 0),
        downwardValue: (pod, { fieldRef }) => (fieldRef?.fieldPath === 'metadata.name' ? pod.metadata.name : '?'),
      },
    });
    tasks.start(() => made.run(ctx()));
    return made;
  };

  it('needs no time for a pod without volumes', async () => {
    await manager.waitForAttachAndMount(ctx(), newPod('web'));
    expect(os.paths()).toEqual(['/']);
  });

  it('creates an emptyDir that every user can write to', async () => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    expect(os.mode(`${volumes}/kubernetes.io~empty-dir/data`)).toBe(0o777);
    expect(manager.mountedVolumes('uid-web').get('data')).toMatchObject({
      hostPath: `${volumes}/kubernetes.io~empty-dir/data`,
      readOnly: false,
    });
  });

  it('keeps changes of containers in an emptyDir over syncs and a restart', async () => {
    const path = `${volumes}/kubernetes.io~empty-dir/data`;
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    await os.chmod(path, 0o700);
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    expect(os.mode(path)).toBe(0o700);
    const restarted = makeManager();
    await restarted.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    expect(os.mode(path)).toBe(0o700);
    expect(restarted.hasVolume('uid-web', 'data')).toBe(true);
  });

  it('creates a removed emptyDir again only after a restart of the kubelet', async () => {
    const path = `${volumes}/kubernetes.io~empty-dir/data`;
    const pod = podWith({ name: 'data', emptyDir: {} });
    await manager.waitForAttachAndMount(ctx(), pod);
    await os.removeAll(path);
    await manager.waitForAttachAndMount(ctx(), pod);
    expect(await os.exists(path)).toBe(false);
    await makeManager().waitForAttachAndMount(ctx(), pod);
    expect(os.mode(path)).toBe(0o777);
  });

  it('publishes a config map through ..data, and its change in one step', async () => {
    const path = `${volumes}/kubernetes.io~configmap/cfg`;
    const pod = podWith({ name: 'cfg', configMap: { name: 'cfg' } });
    api.configMaps.set('cfg', configMap('cfg', { 'a.conf': 'one', 'b.conf': 'two' }));
    await manager.waitForAttachAndMount(ctx(), pod);
    expect(await os.readDir(path)).toEqual(['..2026_01_01_00_00_00.250000000', '..data', 'a.conf', 'b.conf']);
    expect(os.text(`${path}/a.conf`)).toBe('one');
    api.configMaps.set('cfg', configMap('cfg', { 'a.conf': 'changed' }));
    await clock.advance(60_000);
    await manager.waitForAttachAndMount(ctx(), pod);
    expect(await os.readDir(path)).toEqual(['..2026_01_01_00_01_00.250000000', '..data', 'a.conf']);
    expect(os.text(`${path}/a.conf`)).toBe('changed');
  });

  it('writes nothing when the content is the same', async () => {
    const pod = podWith({ name: 'cfg', configMap: { name: 'cfg' } });
    api.configMaps.set('cfg', configMap('cfg', { a: 'one' }));
    await manager.waitForAttachAndMount(ctx(), pod);
    await clock.advance(60_000);
    await manager.waitForAttachAndMount(ctx(), pod);
    expect(await os.readDir(`${volumes}/kubernetes.io~configmap/cfg`)).toContain('..2026_01_01_00_00_00.250000000');
  });

  it('decodes secrets, projects chosen keys with their modes, and reads the downward API', async () => {
    api.secrets.set('key', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', uid: 'key' },
      data: { password: btoa('hunter2') },
    });
    api.configMaps.set('cfg', configMap('cfg', { a: 'one' }));
    await manager.waitForAttachAndMount(
      ctx(),
      podWith(
        { name: 'secret', secret: { secretName: 'key', items: [{ key: 'password', path: 'deep/pw', mode: 0o400 }] } },
        {
          name: 'all',
          projected: {
            sources: [
              { configMap: { name: 'cfg' } },
              { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
            ],
          },
        },
      ),
    );
    expect(os.text(`${volumes}/kubernetes.io~secret/secret/deep/pw`)).toBe('hunter2');
    const stored = `${volumes}/kubernetes.io~secret/secret/..2026_01_01_00_00_00.250000000/deep/pw`;
    expect(os.mode(stored)).toBe(0o400);
    expect(os.text(`${volumes}/kubernetes.io~projected/all/name`)).toBe('web');
    expect(os.text(`${volumes}/kubernetes.io~projected/all/a`)).toBe('one');
  });

  it('mounts a config map that appears later', async () => {
    const waiting = manager.waitForAttachAndMount(ctx(), podWith({ name: 'cfg', configMap: { name: 'cfg' } }));
    await clock.advance(700);
    expect(events).toEqual([
      'Warning FailedMount MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found',
      'Warning FailedMount MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found',
    ]);
    api.configMaps.set('cfg', configMap('cfg', { a: 'one' }));
    await clock.advance(2000);
    await waiting;
    expect(events).toHaveLength(2);
  });

  it('keeps a mounted volume without its config map, and refreshes it when the config map is back', async () => {
    const pod = podWith({ name: 'cfg', configMap: { name: 'cfg' } });
    const path = `${volumes}/kubernetes.io~configmap/cfg/a`;
    api.configMaps.set('cfg', configMap('cfg', { a: 'one' }));
    await manager.waitForAttachAndMount(ctx(), pod);
    api.configMaps.delete('cfg');
    const before = clock.now();
    await manager.waitForAttachAndMount(ctx(), pod);
    expect(clock.now()).toBe(before);
    expect(events).toEqual([
      'Warning FailedMount MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found',
    ]);
    expect(os.text(path)).toBe('one');
    expect(manager.hasVolume('uid-web', 'cfg')).toBe(true);
    api.configMaps.set('cfg', configMap('cfg', { a: 'two' }));
    await clock.advance(60_000);
    await manager.waitForAttachAndMount(ctx(), pod);
    expect(os.text(path)).toBe('two');
  });

  it('fails the wait after two minutes and three seconds', async () => {
    const waiting = manager
      .waitForAttachAndMount(ctx(), podWith({ name: 'cfg', configMap: { name: 'cfg' } }))
      .catch((error: unknown) => error);
    await clock.advance(130_000);
    expect(String(await waiting)).toContain(
      'unmounted volumes=[cfg], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
    );
  });

  it('omits missing optional references', async () => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'cfg', configMap: { name: 'cfg', optional: true } }));
    expect(events).toEqual([]);
  });

  it('reports the kind of a volume that it can’t mount', async () => {
    const waiting = manager.waitForAttachAndMount(
      ctx(),
      podWith({ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }),
    );
    await expect(waiting).rejects.toThrow(
      'volume "disk" is of a kind this node can\'t mount (persistentVolumeClaim); supported kinds: emptyDir,',
    );
  });

  it.each([
    ['v1.36', volumesV136, 'unattached volumes=[], failed to process volumes=[disk]'],
    ['v1.20', volumesV120, 'unattached volumes=[data disk]'],
  ])('fails the wait for a volume it can’t mount, and mounts the others, in %s', async (_, profile, lists) => {
    manager = makeManager(profile);
    const pod = podWith({ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }, { name: 'data', emptyDir: {} });
    await expect(manager.waitForAttachAndMount(ctx(), pod)).rejects.toThrow(
      `unmounted volumes=[disk], ${lists}: volume "disk" is of a kind this node can't mount`,
    );
    expect([...manager.mountedVolumes('uid-web').keys()]).toEqual(['data']);
  });

  it('lists a volume that is not mounted yet when another one can’t be mounted, after 300 ms', async () => {
    const { promise: never } = Promise.withResolvers<undefined>();
    api.getConfigMap = () => never;
    const start = clock.now();
    const failed = manager
      .waitForAttachAndMount(
        ctx(),
        podWith(
          { name: 'disk', persistentVolumeClaim: { claimName: 'disk' } },
          { name: 'cfg', configMap: { name: 'cfg' } },
        ),
      )
      .catch((error: unknown) => [clock.now() - start, String(error)]);
    await clock.advance(1000);
    expect(await failed).toEqual([300, expect.stringContaining('unmounted volumes=[cfg disk], ')]);
  });

  it('fails the wait for a block device, and mounts the other volumes', async () => {
    const volumeDevices = [{ name: 'disk', devicePath: '/dev/x' }];
    const { spec } = podWith({ name: 'data', emptyDir: {} });
    const pod = newPod('web', {
      volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }, ...(spec.volumes ?? [])],
      containers: spec.containers.map((container) => ({ ...container, volumeDevices })),
    });
    await expect(manager.waitForAttachAndMount(ctx(), pod)).rejects.toThrow(
      'unmounted volumes=[disk], unattached volumes=[], failed to process volumes=[disk]: ' +
        'container "app": volumeDevices: this node does not support block volumes: mount a volume of files instead',
    );
    expect([...manager.mountedVolumes('uid-web').keys()]).toEqual(['data']);
  });

  it.each([
    ['DirectoryOrCreate', '/made', 'directory'],
    ['FileOrCreate', '/made', 'file'],
  ] as const)('creates a host path of type %s', async (type, path, kind) => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'host', hostPath: { path, type } }));
    expect(await os.fileType(path)).toBe(kind);
  });

  it('rejects a missing host path', async () => {
    const waiting = manager
      .waitForAttachAndMount(ctx(), podWith({ name: 'host', hostPath: { path: '/none', type: 'Directory' } }))
      .catch(() => undefined);
    await clock.settle();
    expect(events[0]).toContain('hostPath type check failed: /none is not a directory');
    await clock.advance(130_000);
    await waiting;
  });

  it('retries a failed mount after 0.5, 1, 2, 4 and 8 seconds, also across syncs of the pod', async () => {
    const pod = podWith({ name: 'h', hostPath: { path: '/none', type: 'Directory' } });
    const start = clock.now();
    const attempts: number[] = [];
    recordEvent = () => void attempts.push((clock.now() - start) / 1000);
    for (let syncs = 0; syncs < 2; syncs++) {
      const controller = new AbortController();
      const sync = manager
        .waitForAttachAndMount({ ...ctx(), signal: controller.signal }, pod)
        .catch((error: unknown) => error);
      await clock.advance(8000);
      controller.abort(new Error('the next sync begins'));
      expect(String(await sync)).toContain('the next sync begins');
    }
    expect(attempts).toEqual([0, 0.5, 1.5, 3.5, 7.5, 15.5]);
  });

  it('emits a decision with kind, attempt and path for each volume', async () => {
    const log = new EventLog(clock);
    const traced = background(clock, new Tracer(log));
    const pod = podWith({ name: 'data', emptyDir: {} }, { name: 'cfg', configMap: { name: 'cfg' } });
    const waiting = manager.waitForAttachAndMount(traced, pod);
    await clock.advance(400);
    api.configMaps.set('cfg', configMap('cfg', { a: 'one' }));
    await clock.advance(200);
    await waiting;
    const decisions = log
      .after(0)
      .flatMap((event) => (event.type === 'decision' && event.rule === 'volumes.mount' ? [event] : []));
    expect(
      decisions
        .map(
          ({ facts, outcome }) =>
            `${String(facts['volume'])} ${String(facts['kind'])} ${String(facts['attempt'])} ${String(outcome)}`,
        )
        .toSorted(),
    ).toEqual([
      'cfg configMap 1 failed: configmap "cfg" not found',
      'cfg configMap 2 mounted',
      'data emptyDir 1 mounted',
    ]);
  });

  it('removes the emptyDir of a finished pod with its ready file and keeps the directories above', async () => {
    const pod = podWith({ name: 'data', emptyDir: {} });
    const directories = new PodDirectories(os, '/var/lib/kubelet', '/var/log/pods');
    await directories.makePodDataDirs('uid-web');
    await manager.waitForAttachAndMount(ctx(), pod);
    const marker = '/var/lib/kubelet/pods/uid-web/plugins/kubernetes.io~empty-dir';
    expect(await os.exists(`${marker}/data/ready`)).toBe(true);
    await manager.waitForUnmount(ctx(), pod);
    expect(os.mode(volumes)).toBe(0o750);
    expect(os.mode(`${volumes}/kubernetes.io~empty-dir`)).toBe(0o755);
    expect(await os.readDir(`${volumes}/kubernetes.io~empty-dir`)).toEqual([]);
    expect(await os.readDir(marker)).toEqual([]);
    expect(manager.podsWithVolumes()).toEqual([]);
  });

  it('retries an unmount that fails, and ends the wait once it succeeds', async () => {
    const pod = podWith({ name: 'data', emptyDir: {} });
    await manager.waitForAttachAndMount(ctx(), pod);
    const removeAll = os.removeAll.bind(os);
    let failures = 2;
    os.removeAll = (path) =>
      path.endsWith('/data') && failures-- > 0 ? Promise.reject(new Error('device busy')) : removeAll(path);
    const waiting = manager.waitForUnmount(ctx(), pod);
    await clock.advance(500);
    expect(manager.hasVolumes('uid-web')).toBe(true);
    await clock.advance(1000);
    await waiting;
    expect(manager.hasVolumes('uid-web')).toBe(false);
  });

  it('unmounts volumes of an earlier kubelet once their pod is known to be gone', async () => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    const restarted = makeManager();
    await restarted.reconstructVolumes();
    await clock.settle();
    expect(restarted.podsWithVolumes()).toEqual(['uid-web']);
    expect(await os.exists(`${volumes}/kubernetes.io~empty-dir/data`)).toBe(true);
    restarted.removeDeletedPods(() => true);
    await clock.settle();
    expect(restarted.podsWithVolumes()).toEqual([]);
    expect(await os.exists(`${volumes}/kubernetes.io~empty-dir/data`)).toBe(false);
  });

  it('unmounts every volume of a pod at the end of a run', async () => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    await manager.tearDown('uid-web');
    expect(await os.exists(`${volumes}/kubernetes.io~empty-dir/data`)).toBe(false);
    expect(manager.mountedVolumes('uid-web').size).toBe(0);
  });
});

describe('validatePath', () => {
  it.each(['', '/abs', 'a/../b', '..data', 'x'.repeat(256), 'y/'.repeat(2100)])('rejects %.10j…', (path) => {
    expect(validatePath(path)).toContain('invalid path');
  });
  it('accepts nested names', () => {
    expect(validatePath('a/b..c/.d')).toBeUndefined();
  });
});
