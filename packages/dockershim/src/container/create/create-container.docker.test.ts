/**
 * Tests CreateContainer where it needs a real kernel: groups from the files of an image, the devices of the node, and
 * mounts that change while a container runs.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LinuxContainerSecurityContext, Mount, MountPropagation } from '@podscope/cri';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deviceNodes } from '../../engine/device-nodes.ts';
import { cgroupDirectories } from '../../runtime/cgroup-readings.ts';
import { busyboxImage, type RealShim, realShim } from '../../testing/real-shim.ts';
import { containerRequest, sandboxConfig } from '../../testing/requests.ts';
import { mountPointsBelow } from './recursive-readonly.ts';

const exec = promisify(execFile);
const namespaceOptions = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } as const;
const privileged: LinuxContainerSecurityContext = { namespaceOptions, privileged: true };

describe('a container on the Docker Engine', () => {
  let shim: RealShim;
  let podSandboxId: string;
  let last = 0;
  const config = sandboxConfig({
    metadata: {
      name: `create-${crypto.randomUUID()}`,
      namespace: 'podscope-test',
      uid: crypto.randomUUID(),
      attempt: 0,
    },
  });

  beforeAll(async () => {
    shim = await realShim();
    ({ podSandboxId } = await shim.runtime.runtime.runPodSandbox(shim.ctx, { config }));
  });
  afterAll(() => shim?.cleanup());

  const create = async (
    securityContext: LinuxContainerSecurityContext,
    mounts: readonly Mount[],
    image = busyboxImage,
  ): Promise<string> => {
    const name = `c${++last}`;
    const overrides = {
      metadata: { name, attempt: 0 },
      image: { image },
      mounts,
      logPath: '',
      linux: { securityContext },
    };
    return (await shim.runtime.runtime.createContainer(shim.ctx, containerRequest(podSandboxId, overrides, config)))
      .containerId;
  };
  const start = async (...of: Parameters<typeof create>): Promise<string> => {
    const containerId = await create(...of);
    await shim.runtime.runtime.startContainer(shim.ctx, { containerId });
    return containerId;
  };
  const run = async (containerId: string, script: string): Promise<string> => {
    const { stdout, stderr } = await shim.runtime.runtime.execSync(shim.ctx, {
      containerId,
      cmd: ['sh', '-c', script],
      timeout: 120,
    });
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  const status = async (containerId: string) =>
    (await shim.runtime.runtime.containerStatus(shim.ctx, { containerId })).status;

  /**
   * Creates a directory on the host for mounts. Mounts below the directory are removed before the directory is deleted.
   */
  async function hostDirectory(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'dockershim-mounts-'));
    onTestFinished(async () => {
      for (const below of (await mountPointsBelow(path)).toReversed())
        await exec('umount', ['--lazy', join(path, below)]);
      expect(await mountPointsBelow(path)).toEqual([]);
      await rm(path, { recursive: true, force: true });
    });
    return path;
  }
  const mount = (...args: readonly string[]): Promise<unknown> => exec('mount', args);

  it("has the groups of its image's user, or, with the policy Strict, only the groups of the request", async () => {
    const image = `podscope-test/groups:${crypto.randomUUID().slice(0, 8)}`;
    const files =
      'echo "tester:x:1000:1001::/:/bin/sh" >> /etc/passwd; echo "own:x:1001:" >> /etc/group; echo "more:x:50000:tester" >> /etc/group';
    const maker = await shim.docker.createContainer({
      Image: busyboxImage,
      Cmd: ['sh', '-c', files],
      HostConfig: { NetworkMode: 'none' },
    });
    await maker.start();
    await maker.wait();
    const [repo = '', tag = ''] = image.split(':');
    await maker.commit({ repo, tag, changes: 'USER tester' });
    await maker.remove();
    const ids: string[] = [];
    onTestFinished(async () => {
      // The engine only untags an image that containers use, so the containers are removed first.
      await Promise.all(ids.map((containerId) => shim.runtime.runtime.removeContainer(shim.ctx, { containerId })));
      await shim.docker.getImage(image).remove({ force: true });
    });

    const identity = async (security: LinuxContainerSecurityContext) => {
      const id = await start({ namespaceOptions, supplementalGroups: [1234], ...security }, [], image);
      ids.push(id);
      const { user } = await status(id);
      return [
        (await run(id, 'id -u; id -G')).trim().split(/\s+/).map(Number),
        { ...user?.linux, supplementalGroups: user?.linux?.supplementalGroups?.toSorted((a, b) => a - b) },
      ];
    };
    const all = [1001, 1234, 50_000];
    expect(await identity({ runAsUser: { value: 1000 } })).toEqual([
      [1000, ...all],
      { uid: 1000, gid: 1001, supplementalGroups: all },
    ]);
    const only = [[1000, 1001, 1234], { uid: 1000, gid: 1001, supplementalGroups: [1001, 1234] }];
    expect(await identity({ supplementalGroupsPolicy: 'Strict', runAsUser: { value: 1000 } })).toEqual(only);
    expect(await identity({ supplementalGroupsPolicy: 'Strict', runAsUsername: 'tester' })).toEqual(only);
    expect(await identity({ supplementalGroupsPolicy: 'Strict' })).toEqual(only);
    await expect(identity({ supplementalGroupsPolicy: 'Strict', runAsUsername: 'nobody-knows' })).rejects.toMatchObject(
      { code: 'InvalidArgument' },
    );
    expect((await shim.runtime.runtime.status(shim.ctx, {})).features?.supplementalGroupsPolicy).toBe(true);
  });

  it('has cgroup settings without a Docker field, also after an update, and records unsupported ones', async () => {
    const { runtime } = shim.runtime;
    const linux = { resources: { unified: { 'cgroup.max.descendants': '7' } }, securityContext: { namespaceOptions } };
    const request = containerRequest(
      podSandboxId,
      { metadata: { name: 'unified', attempt: 0 }, logPath: '', linux },
      config,
    );
    const { containerId } = await runtime.createContainer(shim.ctx, request);
    await runtime.startContainer(shim.ctx, { containerId });
    const { State } = await shim.docker.getContainer(containerId).inspect();
    const paths = (await cgroupDirectories(State.Pid)).map(({ path }) => join(path, 'cgroup.max.descendants'));
    const value = async (): Promise<string> =>
      (await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')))).join('').trim();
    expect(await value()).toBe('7');
    await runtime.updateContainerResources(shim.ctx, {
      containerId,
      linux: { unified: { 'cgroup.max.descendants': '9', 'no.such_file': '1' } },
    });
    expect(await value()).toBe('9');
    expect(shim.runtime.deviations()).toContainEqual(
      expect.stringContaining("this machine's control groups have no no.such_file"),
    );
  });

  it('starts privileged while a terminal is open on the host', { meta: { needs: ['script'] } }, async () => {
    const terminal = spawn('script', ['-qec', 'tty; cat', '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const closed = once(terminal, 'close');
    onTestFinished(async () => {
      terminal.kill();
      await closed;
    });
    const [name] = await once(terminal.stdout.setEncoding('utf8'), 'data');
    expect(name).toMatch(/^\/dev\/pts\/\d+\s/);
    const id = await start(privileged, []);
    const devices = (await deviceNodes()).join(' ');
    expect(await run(id, `ls -d ${devices} >/dev/null; ls /dev/pts`)).toBe('ptmx\n');
  });

  it.each<[MountPropagation, { readonly fromHost: boolean; readonly toHost: boolean }]>([
    ['PROPAGATION_PRIVATE', { fromHost: false, toHost: false }],
    ['PROPAGATION_HOST_TO_CONTAINER', { fromHost: true, toHost: false }],
    ['PROPAGATION_BIDIRECTIONAL', { fromHost: true, toHost: true }],
  ])('propagates mounts according to %s', async (propagation, { fromHost, toHost }) => {
    const path = await hostDirectory();
    for (const name of ['source', 'shared', 'shared/host', 'shared/container']) await mkdir(join(path, name));
    await writeFile(join(path, 'source', 'flag'), '');
    await mount('--bind', join(path, 'shared'), join(path, 'shared'));
    await mount('--make-rshared', join(path, 'shared'));
    const hostPath = join(path, 'shared');
    const id = await start(privileged, [{ hostPath, containerPath: '/shared', propagation }]);
    expect((await status(id)).mounts).toEqual([{ hostPath, containerPath: '/shared', readonly: false, propagation }]);

    await mount('--bind', join(path, 'source'), join(hostPath, 'host'));
    expect(await run(id, 'ls -A /shared/host')).toBe(fromHost ? 'flag\n' : '');
    expect(await run(id, 'mount --bind /etc /shared/container')).toBe('');
    expect((await readdir(join(hostPath, 'container'))).includes('passwd')).toBe(toHost);
  });

  it('may have a recursively read-only mount on any engine, even through a symbolic link', async () => {
    const path = await hostDirectory();
    await mkdir(join(path, 'tmpfs'));
    await mount('-t', 'tmpfs', 'none', join(path, 'tmpfs'));
    await symlink(path, `${path}-link`);
    onTestFinished(() => rm(`${path}-link`));
    const { runtimeHandlers } = await shim.runtime.runtime.status(shim.ctx, {});
    expect(runtimeHandlers?.find(({ name }) => name === '')?.features).toMatchObject({
      recursiveReadOnlyMounts: true,
      userNamespaces: false,
    });

    const mounts: Mount[] = [
      { hostPath: path, containerPath: '/deep', readonly: true, recursiveReadOnly: true },
      { hostPath: path, containerPath: '/flat', readonly: true },
      { hostPath: `${path}-link`, containerPath: '/linked' },
    ];
    const id = await start(privileged, mounts);
    expect(await run(id, 'touch /flat/tmpfs/written; touch /deep/tmpfs/x /deep/x; ls /deep/tmpfs /linked')).toBe(
      '/deep/tmpfs:\nwritten\n\n/linked:\ntmpfs\ntouch: /deep/tmpfs/x: Read-only file system\ntouch: /deep/x: Read-only file system\n',
    );
    expect(
      (await status(id)).mounts.map(({ containerPath, readonly, recursiveReadOnly = false }) => [
        containerPath,
        readonly,
        recursiveReadOnly,
      ]),
    ).toEqual([
      ['/deep', true, true],
      ['/flat', true, false],
      ['/linked', false, false],
    ]);
  });
});
