import type { PodSandboxConfig } from '@podscope/cri';
import { describe, expect, it } from 'vitest';
import type { DockershimDependencies } from '../dependencies.ts';
import { noopNetworkPlugin } from '../network/plugin.ts';
import { resolveOptions } from '../options.ts';
import { makeSandboxConfig } from './sandbox-config.ts';

const uid = '00000000-0000-4000-8000-000000000003';
const shim = (
  engine: Partial<DockershimDependencies['engine']> = {},
): Pick<DockershimDependencies, 'options' | 'network' | 'engine'> => ({
  options: resolveOptions({ stateDirectory: '/state', instance: 'one', release: 'v1.20' }),
  network: noopNetworkPlugin,
  engine: {
    cgroupDriver: 'CGROUPFS',
    isLocal: true,
    hasLocalFiles: true,
    rootDirectory: '/var/lib/docker',
    hasAppArmor: true,
    hasSELinux: false,
    ...engine,
  },
});
it.each([
  ['v1.36', 'registry.k8s.io/pause:3.10'],
  ['v1.20', 'k8s.gcr.io/pause:3.2'],
] as const)('uses the sandbox image of %s by default: %s', (release, image) => {
  expect(resolveOptions({ stateDirectory: '/state', instance: 'one', release }).sandboxImage).toBe(image);
});

const settings = { image: shim().options.sandboxImage, runtimeHandler: '', oomScoreAdj: -998 };
const config: PodSandboxConfig = {
  metadata: { name: 'init-ok-twin-node', namespace: 'default', uid, attempt: 0 },
  hostname: 'init-ok-twin-node',
  labels: {
    'io.kubernetes.pod.name': 'init-ok-twin-node',
    'io.kubernetes.pod.namespace': 'default',
    'io.kubernetes.pod.uid': uid,
  },
  annotations: { 'kubernetes.io/config.source': 'file' },
  linux: {
    cgroupParent: `/kubepods/besteffort/pod${uid}`,
    securityContext: { namespaceOptions: { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } },
  },
};

const makeWith = (securityContext: object) => () =>
  makeSandboxConfig(shim(), { ...config, linux: { securityContext } }, settings);

describe('sandbox create body', () => {
  it('equals the one that dockershim sends, plus the instance label', () => {
    expect(makeSandboxConfig(shim(), config, settings)).toEqual({
      Hostname: 'init-ok-twin-node',
      Image: 'k8s.gcr.io/pause:3.2',
      Labels: {
        'annotation.kubernetes.io/config.source': 'file',
        'io.kubernetes.container.name': 'POD',
        'io.kubernetes.docker.type': 'podsandbox',
        'io.kubernetes.pod.name': 'init-ok-twin-node',
        'io.kubernetes.pod.namespace': 'default',
        'io.kubernetes.pod.uid': uid,
        'io.podscope.instance': 'one',
      },
      ExposedPorts: {},
      HostConfig: {
        NetworkMode: 'default',
        PortBindings: {},
        RestartPolicy: { Name: '', MaximumRetryCount: 0 },
        IpcMode: 'shareable',
        OomScoreAdj: -998,
        SecurityOpt: ['no-new-privileges'],
        ShmSize: 67_108_864,
        CpuShares: 2,
        CgroupParent: `/kubepods/besteffort/pod${uid}`,
      },
    });
  });

  it('publishes only mappings with a host port', () => {
    const portMappings = [
      { protocol: 'TCP', containerPort: 80, hostPort: 8080 },
      { protocol: 'TCP', containerPort: 80, hostPort: 8081, hostIp: '127.0.0.1' },
      { protocol: 'UDP', containerPort: 53, hostPort: 53 },
      { protocol: 'TCP', containerPort: 443 },
    ] as const;
    expect(makeSandboxConfig(shim(), { ...config, portMappings }, settings)).toMatchObject({
      ExposedPorts: { '80/tcp': {}, '53/udp': {} },
      HostConfig: {
        PortBindings: {
          '80/tcp': [
            { HostIp: '', HostPort: '8080' },
            { HostIp: '127.0.0.1', HostPort: '8081' },
          ],
          '53/udp': [{ HostIp: '', HostPort: '53' }],
        },
      },
    });
  });

  it("joins the host's namespaces and applies the security context", () => {
    const securityContext = {
      namespaceOptions: { network: 'NODE', pid: 'NODE', ipc: 'NODE' },
      runAsUser: { value: 1000 },
      runAsGroup: { value: 2000 },
      supplementalGroups: [1, 2],
      readonlyRootfs: true,
      privileged: true,
      selinuxOptions: { type: 't', level: 's0' },
    } as const;
    const body = makeSandboxConfig(
      shim(),
      { ...config, linux: { securityContext, sysctls: { 'net.a': '1' } } },
      { ...settings, runtimeHandler: 'runsc' },
    );
    expect(body).toMatchObject({
      User: '1000:2000',
      HostConfig: {
        NetworkMode: 'host',
        PidMode: 'host',
        IpcMode: 'host',
        GroupAdd: ['1', '2'],
        ReadonlyRootfs: true,
        SecurityOpt: ['label=type:t', 'label=level:s0', 'no-new-privileges'],
        Sysctls: { 'net.a': '1' },
        Runtime: 'runsc',
      },
      Labels: { 'io.podscope.sandbox.runtime-handler': 'runsc' },
    });
    // The pause process needs no privileges, even if the pod's containers are privileged.
    expect(body.HostConfig).not.toHaveProperty('Privileged');
  });

  it('passes the DNS config to a remote engine and converts the cgroup parent for systemd', () => {
    const dnsConfig = { servers: ['10.0.0.10'], searches: ['svc'], options: ['ndots:5'] };
    const body = makeSandboxConfig(
      shim({ hasLocalFiles: false, cgroupDriver: 'SYSTEMD' }),
      { ...config, dnsConfig },
      settings,
    );
    expect(body.HostConfig).toMatchObject({
      Dns: ['10.0.0.10'],
      DnsSearch: ['svc'],
      DnsOptions: ['ndots:5'],
      CgroupParent: `kubepods-besteffort-pod${uid.replaceAll('-', '_')}.slice`,
    });
  });

  it("rejects options that Docker doesn't support", () => {
    expect(makeWith({ runAsGroup: { value: 1 } })).toThrow('runAsGroup is specified without a runAsUser');
    const namespaceOptions = { network: 'POD', pid: 'POD', ipc: 'POD', usernsOptions: { mode: 'POD' } };
    expect(makeWith({ namespaceOptions })).toThrow('user namespaces');
  });
});
