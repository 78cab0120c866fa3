import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerConfig, LinuxContainerSecurityContext, Mount } from '@podscope/cri';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DockershimDependencies } from '../../dependencies.ts';
import { resolveOptions } from '../../options.ts';
import { FakeDocker } from '../../testing/fake-docker.ts';
import { makeContainerConfig } from './container-config.ts';

const uid = '00000000-0000-4000-8000-000000000025';
const shim: Pick<DockershimDependencies, 'options' | 'engine' | 'docker'> = {
  options: resolveOptions({ stateDirectory: '/state', instance: 'one' }),
  engine: {
    cgroupDriver: 'CGROUPFS',
    isLocal: true,
    hasLocalFiles: true,
    rootDirectory: '/var/lib/docker',
    hasAppArmor: true,
    hasSELinux: false,
  },
  docker: new FakeDocker(),
};
const sandboxConfig = {
  metadata: { name: 'env-downward-twin-node', namespace: 'default', uid, attempt: 0 },
  logDirectory: `/var/log/pods/default_env-downward-twin-node_${uid}`,
  linux: { cgroupParent: `/kubepods/burstable/pod${uid}` },
};
const maskedPaths = ['/proc/acpi', '/proc/kcore'];
const readonlyPaths = ['/proc/asound', '/proc/bus'];
const namespaceOptions = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } as const;
const config: ContainerConfig = {
  metadata: { name: 'app', attempt: 0 },
  image: { image: 'sha256:42d797b4' },
  command: ['sh', '-c', 'env | sort; exec sleep 3600'],
  args: ['one', 'one-two'],
  envs: [
    { key: 'A', value: 'one' },
    { key: 'B', value: 'one-two' },
  ],
  mounts: [
    { hostPath: '/pods/etc-hosts', containerPath: '/etc/hosts' },
    { hostPath: '/pods/app/1a2b', containerPath: '/dev/termination-log' },
  ],
  labels: { 'io.kubernetes.container.name': 'app', 'io.kubernetes.pod.uid': uid },
  annotations: { 'io.kubernetes.container.hash': 'ed3f7c52', 'io.kubernetes.container.restartCount': '0' },
  logPath: 'app/0.log',
  linux: {
    resources: {
      cpuPeriod: 100_000,
      cpuQuota: 25_000,
      cpuShares: 102,
      memoryLimitInBytes: 67_108_864,
      oomScoreAdj: -997,
    },
    securityContext: { runAsUser: { value: 0 }, namespaceOptions, maskedPaths, readonlyPaths },
  },
};
const settings = { sandboxId: 'sandbox', runtimeHandler: '', oomScoreAdj: -997 };
const make = (overrides: Partial<ContainerConfig> = {}, apiVersion = '1.41') =>
  makeContainerConfig(
    shim,
    { podSandboxId: 'sandbox', sandboxConfig, config: { ...config, ...overrides } },
    { ...settings, apiVersion },
  );
const secure = (securityContext: LinuxContainerSecurityContext) => make({ linux: { securityContext } });

describe('container create body', () => {
  it('equals the one that dockershim sends, plus the instance label', async () => {
    expect(await make()).toEqual({
      User: '0',
      Healthcheck: { Test: ['NONE'] },
      Image: 'sha256:42d797b4',
      Entrypoint: ['sh', '-c', 'env | sort; exec sleep 3600'],
      Cmd: ['one', 'one-two'],
      Env: ['A=one', 'B=one-two'],
      Labels: {
        'annotation.io.kubernetes.container.hash': 'ed3f7c52',
        'annotation.io.kubernetes.container.restartCount': '0',
        'io.kubernetes.container.logpath': `/var/log/pods/default_env-downward-twin-node_${uid}/app/0.log`,
        'io.kubernetes.container.name': 'app',
        'io.kubernetes.docker.type': 'container',
        'io.kubernetes.pod.uid': uid,
        'io.kubernetes.sandbox.id': 'sandbox',
        'io.podscope.instance': 'one',
      },
      HostConfig: {
        Binds: ['/pods/etc-hosts:/etc/hosts', '/pods/app/1a2b:/dev/termination-log'],
        NetworkMode: 'container:sandbox',
        RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
        IpcMode: 'container:sandbox',
        OomScoreAdj: -997,
        SecurityOpt: ['seccomp=unconfined'],
        ShmSize: 67_108_864,
        CpuShares: 102,
        Memory: 67_108_864,
        MemorySwap: 67_108_864,
        CpuPeriod: 100_000,
        CpuQuota: 25_000,
        CgroupParent: `/kubepods/burstable/pod${uid}`,
        Devices: [],
        MaskedPaths: maskedPaths,
        ReadonlyPaths: readonlyPaths,
      },
    });
  });

  it.each<[Mount[], string[]]>([
    [
      [
        {
          hostPath: '/host/1',
          containerPath: '/mnt/1',
          selinuxRelabel: true,
          propagation: 'PROPAGATION_BIDIRECTIONAL',
        },
      ],
      ['/host/1:/mnt/1:Z,rshared'],
    ],
    [
      [{ hostPath: '/a', containerPath: '/b', readonly: true, propagation: 'PROPAGATION_HOST_TO_CONTAINER' }],
      ['/a:/b:ro,rslave'],
    ],
    [[{ hostPath: '/a', containerPath: '/b', propagation: 'PROPAGATION_PRIVATE' }], ['/a:/b']],
  ])('binds %j', async (mounts, binds) => {
    expect((await make({ mounts })).HostConfig.Binds).toEqual(binds);
  });

  it('mounts a path with a colon in the long form', async () => {
    const { HostConfig } = await make({ mounts: [{ hostPath: '/a:b', containerPath: '/c', readonly: true }] });
    expect(HostConfig).toMatchObject({
      Binds: [],
      Mounts: [{ Type: 'bind', Source: '/a:b', Target: '/c', ReadOnly: true }],
    });
  });

  it('mounts an image if the engine supports it', async () => {
    const { HostConfig } = await make({
      mounts: [{ containerPath: '/data', image: { image: 'sha256:1' }, imageSubPath: 'a' }],
    });
    expect(HostConfig.Mounts).toEqual([
      { Type: 'image', Source: 'sha256:1', Target: '/data', ReadOnly: true, ImageOptions: { Subpath: 'a' } },
    ]);
  });

  it.each([
    ['POD', {}, 'container:sandbox'],
    ['NODE', {}, 'host'],
    ['TARGET', { targetId: 'other' }, 'container:other'],
    ['CONTAINER', {}, undefined],
  ] as const)('sets the PID mode for %s', async (pid, more, mode) => {
    const { HostConfig } = await secure({ namespaceOptions: { network: 'POD', ipc: 'POD', pid, ...more } });
    expect(HostConfig.PidMode).toBe(mode);
  });

  it("joins its sandbox without namespace options, and the host's UTS namespace with the host's network", async () => {
    expect((await make({ linux: undefined })).HostConfig).toMatchObject({
      NetworkMode: 'container:sandbox',
      IpcMode: 'container:sandbox',
    });
    const { HostConfig } = await secure({ namespaceOptions: { network: 'NODE', pid: 'CONTAINER', ipc: 'NODE' } });
    expect(HostConfig).toMatchObject({ NetworkMode: 'container:sandbox', UTSMode: 'host' });
  });

  it('applies the security context', async () => {
    const body = await secure({
      runAsUsername: 'www',
      runAsGroup: { value: 7 },
      supplementalGroups: [5],
      capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] },
      readonlyRootfs: true,
      noNewPrivs: true,
      selinuxOptions: { user: 'u', role: 'r' },
      seccomp: { profileType: 'RuntimeDefault' },
      apparmor: { profileType: 'Localhost', localhostRef: 'strict' },
      maskedPaths: [],
    });
    expect(body).toMatchObject({
      User: 'www:7',
      HostConfig: {
        GroupAdd: ['5'],
        CapAdd: ['NET_ADMIN'],
        CapDrop: ['ALL'],
        ReadonlyRootfs: true,
        SecurityOpt: ['label=user:u', 'label=role:r', 'apparmor=strict', 'no-new-privileges'],
        MaskedPaths: [],
      },
    });
  });

  it('masks no paths in a privileged container', async () => {
    const { HostConfig } = await secure({ privileged: true, maskedPaths, readonlyPaths });
    expect(HostConfig.Privileged).toBe(true);
    expect(HostConfig).not.toHaveProperty('MaskedPaths');
    expect(HostConfig).not.toHaveProperty('ReadonlyPaths');
  });

  it('passes a seccomp profile without white space, otherwise unchanged', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'seccomp-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const file = join(directory, 'p.json');
    await writeFile(file, '{ "b": 1.0,\n  "a": [ "x \\" y" ] }\n');
    const profile = { seccomp: { profileType: 'Localhost', localhostRef: file } } as const;
    expect((await secure(profile)).HostConfig.SecurityOpt).toEqual(['seccomp={"b":1.0,"a":["x \\" y"]}']);
    expect((await secure({ seccompProfilePath: `localhost/${file}` })).HostConfig.SecurityOpt).toEqual([
      'seccomp={"b":1.0,"a":["x \\" y"]}',
    ]);
  });

  it.each([
    [
      { seccomp: { profileType: 'Localhost', localhostRef: 'p.json' } },
      'seccomp profile path must be absolute, but got relative path "p.json"',
    ],
    [
      { seccomp: { profileType: 'Localhost', localhostRef: '/none.json' } },
      'cannot load seccomp profile "/none.json": open /none.json: no such file or directory',
    ],
    [{ seccompProfilePath: 'odd' }, 'unknown seccomp profile option: odd'],
  ] as const)('rejects the profile %j', async (security, message) => {
    await expect(secure(security)).rejects.toThrow(
      `failed to generate seccomp security options for container: ${message}`,
    );
  });

  it.each([
    ['SIGUSR1', 'SIGUSR1'],
    ['SIGRTMINPLUS3', 'SIGRTMIN+3'],
    ['SIGRTMAXMINUS2', 'SIGRTMAX-2'],
    ['RUNTIME_DEFAULT', undefined],
  ] as const)('sets the stop signal %s', async (stopSignal, signal) => {
    expect((await make({ stopSignal })).StopSignal).toBe(signal);
  });

  it('requests CDI devices from an engine that supports them, and rejects them for an older one', async () => {
    const CDIDevices = [{ name: 'vendor.com/gpu=0' }, { name: 'vendor.com/nic=all' }];
    const { HostConfig } = await make({ CDIDevices }, '1.44');
    expect(HostConfig.DeviceRequests).toEqual([
      { Driver: 'cdi', DeviceIDs: ['vendor.com/gpu=0'] },
      { Driver: 'cdi', DeviceIDs: ['vendor.com/nic=all'] },
    ]);
    const message =
      'CDI devices (vendor.com/gpu=0, vendor.com/nic=all) need Docker 25 or newer: this engine speaks API 1.41';
    await expect(make({ CDIDevices })).rejects.toMatchObject({ code: 'Unimplemented', message });
  });

  it.each([
    ["each device on this machine if the engine's files are here", tmpdir(), expect.arrayContaining(['/dev/null'])],
    ['the directory /dev if they are not', '/no/such/directory', ['/dev']],
  ])('gives a privileged container of an engine without all capabilities %s', async (_, rootDirectory, devices) => {
    const { HostConfig } = await makeContainerConfig(
      { ...shim, engine: { ...shim.engine, rootDirectory } },
      {
        podSandboxId: 'sandbox',
        sandboxConfig,
        config: { ...config, linux: { securityContext: { privileged: true } } },
      },
      { ...settings, missingCapabilities: ['SYS_RESOURCE'] },
    );
    expect(HostConfig).toMatchObject({ CapAdd: ['ALL'], CapDrop: ['SYS_RESOURCE'] });
    expect(HostConfig).not.toHaveProperty('Privileged');
    const inContainer = HostConfig.Devices?.map(({ PathInContainer }) => PathInContainer);
    expect(inContainer).toEqual(devices);
    expect(HostConfig.Devices?.map(({ PathOnHost }) => PathOnHost)).toEqual(inContainer);
  });

  it("rejects options that Docker doesn't support", async () => {
    await expect(secure({ capabilities: { addAmbientCapabilities: ['X'] } })).rejects.toMatchObject({
      code: 'Unimplemented',
    });
  });
});
