import type { ConfigMap, Pod, Volume } from '@podscope/k8s';
import { MemoryOS } from '@podscope/kuberuntime';
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { PodDirectories } from '../container/pod-directories.ts';
import { FakeApi, newPod } from '../testing/bench.ts';
import { validatePath } from './atomic-writer.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { VolumeManager } from './volume-manager.ts';

const podWith = (...volumes: Volume[]): Pod =>
  newPod('web', { volumes, containers: [{ name: 'app', image: 'busybox', volumeMounts: volumes.map(({ name }) => ({ name, mountPath: `/${name}` })) }] });

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
  const volumes = '/var/lib/kubelet/pods/uid-web/volumes';

  beforeEach(() => {
    clock = new VirtualClock();
    os = new MemoryOS();
    api = new FakeApi();
    events = [];
    manager = makeManager();
  });

  const makeManager = (): VolumeManager =>
    new VolumeManager({
      os,
      directories: new PodDirectories(os, '/var/lib/kubelet', '/var/log/pods'),
      recorder: { event: (_ctx, _pod, type, reason, message) => events.push(`${type} ${reason} ${message}`), nodeEvent: () => undefined },
      random: () => 0.25,
      sources: {
        client: api,
        tokens: new ServiceAccountTokens(api, () => 0),
        downwardValue: (pod, { fieldRef }) => (fieldRef?.fieldPath === 'metadata.name' ? pod.metadata.name : '?'),
      },
    });

  const ctx = () => background(clock, new Tracer());

  it('needs no time for a pod without volumes', async () => {
    await manager.waitForAttachAndMount(ctx(), newPod('web'));
    expect(os.paths()).toEqual(['/']);
  });

  it('makes an emptyDir that everybody may write to', async () => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    expect(os.mode(`${volumes}/kubernetes.io~empty-dir/data`)).toBe(0o777);
    expect(manager.mountedVolumes('uid-web').get('data')).toMatchObject({ hostPath: `${volumes}/kubernetes.io~empty-dir/data`, readOnly: false });
  });

  it('leaves an emptyDir as its containers made it, over syncs and a restart', async () => {
    const path = `${volumes}/kubernetes.io~empty-dir/data`;
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    await os.chmod(path, 0o700);
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    expect(os.mode(path)).toBe(0o700);
    const restarted = makeManager();
    await restarted.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    expect(os.mode(path)).toBe(0o700);
    expect(restarted.hasVolume('uid-web', 'data')).toBe(true);
    // One that somebody removed is made again.
    await os.removeAll(path);
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
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
    api.secrets.set('key', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', uid: 'key' }, data: { password: btoa('hunter2') } });
    api.configMaps.set('cfg', configMap('cfg', { a: 'one' }));
    await manager.waitForAttachAndMount(
      ctx(),
      podWith(
        { name: 'secret', secret: { secretName: 'key', items: [{ key: 'password', path: 'deep/pw', mode: 0o400 }] } },
        {
          name: 'all',
          projected: {
            sources: [{ configMap: { name: 'cfg' } }, { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } }],
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

  it('tries again when a config map appears later', async () => {
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

  it('keeps a mounted volume whose config map is gone, tells of it, and follows the config map when it is back', async () => {
    const pod = podWith({ name: 'cfg', configMap: { name: 'cfg' } });
    const path = `${volumes}/kubernetes.io~configmap/cfg/a`;
    api.configMaps.set('cfg', configMap('cfg', { a: 'one' }));
    await manager.waitForAttachAndMount(ctx(), pod);
    api.configMaps.delete('cfg');
    const before = clock.now();
    await manager.waitForAttachAndMount(ctx(), pod);
    expect(clock.now()).toBe(before);
    expect(events).toEqual(['Warning FailedMount MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found']);
    expect(os.text(path)).toBe('one');
    expect(manager.hasVolume('uid-web', 'cfg')).toBe(true);
    api.configMaps.set('cfg', configMap('cfg', { a: 'two' }));
    await clock.advance(60_000);
    await manager.waitForAttachAndMount(ctx(), pod);
    expect(os.text(path)).toBe('two');
  });

  it('gives up after two minutes', async () => {
    const waiting = manager.waitForAttachAndMount(ctx(), podWith({ name: 'cfg', configMap: { name: 'cfg' } })).catch((error: unknown) => error);
    await clock.advance(130_000);
    expect(String(await waiting)).toContain('unmounted volumes=[cfg], unattached volumes=[], failed to process volumes=[]: context deadline exceeded');
  });

  it('leaves out what is optional', async () => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'cfg', configMap: { name: 'cfg', optional: true } }));
    expect(events).toEqual([]);
  });

  it('says which kind of volume it can not mount', async () => {
    const waiting = manager.waitForAttachAndMount(ctx(), podWith({ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }));
    await expect(waiting).rejects.toThrow('volume "disk" is of a kind this node can\'t mount (persistentVolumeClaim); supported kinds: emptyDir,');
  });

  it.each([
    ['DirectoryOrCreate', '/made', 'directory'],
    ['FileOrCreate', '/made', 'file'],
  ] as const)('makes a host path of type %s', async (type, path, kind) => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'host', hostPath: { path, type } }));
    expect(await os.fileType(path)).toBe(kind);
  });

  it('refuses a host path that is not there', async () => {
    const waiting = manager.waitForAttachAndMount(ctx(), podWith({ name: 'host', hostPath: { path: '/none', type: 'Directory' } })).catch(() => undefined);
    await clock.settle();
    expect(events[0]).toContain('hostPath type check failed: /none is not a directory');
    await clock.advance(130_000);
    await waiting;
  });

  it('takes volumes down with their content', async () => {
    await manager.waitForAttachAndMount(ctx(), podWith({ name: 'data', emptyDir: {} }));
    await manager.tearDown('uid-web');
    expect(await os.exists(volumes)).toBe(false);
    expect(manager.mountedVolumes('uid-web').size).toBe(0);
  });
});

describe('validatePath', () => {
  it.each(['', '/abs', 'a/../b', '..data', 'x'.repeat(256), 'y/'.repeat(2100)])('refuses %.10j…', (path) => {
    expect(validatePath(path)).toContain('invalid path');
  });
  it('accepts nested names', () => {
    expect(validatePath('a/b..c/.d')).toBeUndefined();
  });
});
