/** Tests the kubelet's preparations of pods in cases that the recordings don't cover. */
import { computePodQOS, type Pod } from '@podscope/k8s';
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { oomScoreAdjustV136 } from '../container/oom-score.ts';
import type { EventRecorder } from '../runtime.ts';
import { testPod, testStage } from '../testing/test-stage.ts';
import { getPodCgroupParent } from './cgroup-parent.ts';
import { dnsProfileV136, getPodDNS, parseResolvConf } from './dns.ts';
import { environmentProfileV136, makeEnvironmentVariables, type VolumeFile } from './environment.ts';
import { generatePodHostNameAndDomain, getNodenameForKernel } from './hostname.ts';
import { type MountsRequest, makeMounts } from './mounts.ts';
import { resourceFieldValue } from './resource-field.ts';
import { serviceEnvironment } from './service-environment.ts';
import { dnsProfileV120, environmentProfileV120 } from './v1-20/helper-profile.ts';

const ctx = background(new VirtualClock(), new Tracer());

function recorder(): EventRecorder & { readonly messages: string[] } {
  const messages: string[] = [];
  return {
    messages,
    event: (_ctx, _pod, _type, reason, message) => void messages.push(`${reason}: ${message}`),
    nodeEvent: (_ctx, _type, reason, message) => void messages.push(`node ${reason}: ${message}`),
  };
}

const node = { clusterDNS: ['10.96.0.10'], clusterDomain: 'cluster.local', ips: ['192.0.2.10', 'fd00::10'] };

describe('getPodDNS', () => {
  it('falls back to the node and records two events when the cluster has no DNS', async () => {
    const heard = recorder();
    const readResolvConf = (): Promise<string> => Promise.resolve('nameserver 1.1.1.1\nsearch a.io. .\n');
    const dns = await getPodDNS(
      ctx,
      { ...node, clusterDNS: [], readResolvConf },
      heard,
      testPod({ dnsPolicy: 'ClusterFirst' }),
    );
    expect(dns).toEqual({ servers: ['1.1.1.1'], searches: ['a.io'], options: [] });
    expect(heard.messages.map((message) => message.split(':')[0])).toEqual([
      'node MissingClusterDNS',
      'MissingClusterDNS',
    ]);
  });

  it('makes lookups fail inside the pod when the node has no resolver file', async () => {
    const dns = await getPodDNS(ctx, node, recorder(), testPod({ dnsPolicy: 'Default' }));
    expect(dns).toEqual({ servers: ['127.0.0.1', '::1'], searches: ['.'], options: [] });
  });

  it('omits search paths beyond the limits', async () => {
    const searches = Array.from({ length: 40 }, (_, index) => `${'x'.repeat(40)}${index}.io`);
    const pod = testPod({ dnsPolicy: 'None', dnsConfig: { searches: ['y'.repeat(300), ...searches] } });
    const heard = recorder();
    const { searches: kept } = await getPodDNS(ctx, node, heard, pod);
    expect(kept).toEqual(searches.slice(0, 31));
    expect(heard.messages).toHaveLength(1);
    expect((await getPodDNS(ctx, node, recorder(), pod, dnsProfileV120)).searches).toEqual([]);
  });

  it('parses resolver files as each release does', () => {
    const file = '# comment\nnameserver 1.1.1.1 \noptions ndots:1 rotate\noptions ndots:3\nsearch a\nsearch b. .';
    expect(parseResolvConf(file, dnsProfileV136)).toEqual({
      servers: ['1.1.1.1'],
      searches: ['b'],
      options: ['ndots:3', 'rotate'],
    });
    expect(parseResolvConf(file, dnsProfileV120)).toEqual({
      servers: ['1.1.1.1'],
      searches: ['b', ''],
      options: ['ndots:3'],
    });
    expect(() => parseResolvConf('nameserver')).toThrow('nameserver list is empty');
  });
});

describe('host names', () => {
  it('truncates host names to the kernel limit', () => {
    const name = `${'a'.repeat(62)}-.b`;
    expect(generatePodHostNameAndDomain(testPod({}, { name }), 'cluster.local')).toEqual({
      hostname: 'a'.repeat(62),
      domain: '',
    });
  });

  it('returns a domain for a pod with a subdomain', () => {
    const pod = testPod({ hostname: 'one', subdomain: 'sub' });
    const name = generatePodHostNameAndDomain(pod, 'cluster.local');
    expect(name).toEqual({ hostname: 'one', domain: 'sub.default.svc.cluster.local' });
    expect([getNodenameForKernel(name, false), getNodenameForKernel(name, true)]).toEqual([
      'one',
      'one.sub.default.svc.cluster.local',
    ]);
    const long = generatePodHostNameAndDomain(testPod({ hostname: 'x'.repeat(50), subdomain: 'sub' }), 'cluster.local');
    expect(() => getNodenameForKernel(long, true)).toThrow(
      'is too long (64 characters is the max, 80 characters requested)',
    );
  });

  it('uses hostnameOverride as the whole host name (v1.36)', () => {
    const pod = testPod({ hostnameOverride: 'db.example.org', subdomain: 'sub' });
    expect(generatePodHostNameAndDomain(pod, 'cluster.local')).toEqual({ hostname: 'db.example.org', domain: '' });
    expect(generatePodHostNameAndDomain(pod, 'cluster.local', false).hostname).toBe('web');
  });

  it.each([
    [{ hostname: 'No' }, 'pod Hostname "No" is not a valid DNS label: '],
    [{ subdomain: 'a_b' }, 'pod Subdomain "a_b" is not a valid DNS label: '],
    [{ hostnameOverride: 'a..b' }, 'pod HostnameOverride "a..b" is not a valid DNS subdomain: '],
  ])('throw for %j', (spec, message) => {
    expect(() => generatePodHostNameAndDomain(testPod(spec), 'cluster.local')).toThrow(message);
  });
});

describe('getPodCgroupParent', () => {
  const pod = testPod({ containers: [{ name: 'app', resources: { requests: { cpu: '1' } } }] }, { uid: 'ab-cd' });

  it.each([
    ['cgroupfs', true, '/kubepods/burstable/podab-cd'],
    ['systemd', true, '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podab_cd.slice'],
    ['cgroupfs', false, ''],
  ] as const)('%s', (cgroupDriver, cgroupsPerQOS, path) => {
    expect(getPodCgroupParent(pod, { cgroupDriver, cgroupsPerQOS })).toBe(path);
  });

  it('ignores spec.resources when the gate PodLevelResources is off', () => {
    const guaranteed = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } };
    const own = testPod({ containers: [{ name: 'app' }], resources: guaranteed }, { uid: 'a' });
    const parent = (podLevelResources: boolean): string =>
      getPodCgroupParent(own, { cgroupDriver: 'cgroupfs', cgroupsPerQOS: true, podLevelResources });
    expect([parent(true), parent(false)]).toEqual(['/kubepods/poda', '/kubepods/besteffort/poda']);
    expect([computePodQOS(own), computePodQOS(own, false)]).toEqual(['Guaranteed', 'BestEffort']);
    const score = (on: boolean): number => oomScoreAdjustV136(own, { name: 'app' }, 8 * 1024 ** 3, on);
    expect([score(true), score(false)]).toEqual([-997, 1000]);
  });
});

describe('environment', () => {
  const make = (
    env: Pod['spec']['containers'][number]['env'],
    more: Partial<Parameters<typeof makeEnvironmentVariables>[1]> = {},
  ): Promise<unknown> =>
    makeEnvironmentVariables(ctx, {
      pod: testPod({ nodeName: 'node-1' }),
      container: { name: 'app', env },
      podIPs: ['10.0.0.1', 'fd00::1'],
      node: { ips: ['fd00::10', '192.0.2.10'], allocatable: { cpu: '4', memory: '8Gi' } },
      sources: {
        getConfigMap: () => Promise.resolve(undefined),
        getSecret: () => Promise.resolve(undefined),
        listServices: () => Promise.resolve([]),
      },
      recorder: recorder(),
      profile: environmentProfileV136,
      warn: () => undefined,
      ...more,
    });
  const field = (fieldPath: string): { name: string; valueFrom: { fieldRef: { fieldPath: string } } } => ({
    name: fieldPath,
    valueFrom: { fieldRef: { fieldPath } },
  });

  it('lists addresses of the node’s primary family first', async () => {
    await expect(
      make([field('status.podIP'), field('status.podIPs'), field('status.hostIPs'), field('spec.nodeName')]),
    ).resolves.toEqual([
      { name: 'status.podIP', value: 'fd00::1' },
      { name: 'status.podIPs', value: 'fd00::1,10.0.0.1' },
      { name: 'status.hostIPs', value: 'fd00::10,192.0.2.10' },
      { name: 'spec.nodeName', value: 'node-1' },
    ]);
    await expect(
      make([field('status.podIP'), field('status.podIPs')], { profile: environmentProfileV120 }),
    ).resolves.toEqual([
      { name: 'status.podIP', value: '10.0.0.1' },
      { name: 'status.podIPs', value: '10.0.0.1,fd00::1' },
    ]);
    await expect(make([field('status.hostIPs')], { profile: environmentProfileV120 })).rejects.toThrow(
      'unsupported fieldPath: status.hostIPs',
    );
  });

  it('fails before services are known, except for static pods', async () => {
    const sources = {
      getConfigMap: () => Promise.resolve(undefined),
      getSecret: () => Promise.resolve(undefined),
      listServices: () => Promise.resolve(undefined),
    };
    await expect(make([], { sources })).rejects.toThrow('services have not yet been read at least once');
    const pod = testPod({}, { annotations: { 'kubernetes.io/config.source': 'file' } });
    await expect(make([], { sources, pod })).resolves.toEqual([]);
    await expect(make([], { pod: testPod({ enableServiceLinks: undefined }) })).rejects.toThrow(
      'nil pod.spec.enableServiceLinks',
    );
  });

  it('omits missing optional references and fails for required ones', async () => {
    const from = (
      optional: boolean,
    ): { name: string; valueFrom: { configMapKeyRef: { name: string; key: string; optional: boolean } } } => ({
      name: 'X',
      valueFrom: { configMapKeyRef: { name: 'settings', key: 'k', optional } },
    });
    await expect(make([from(true)])).resolves.toEqual([]);
    await expect(make([from(false)])).rejects.toThrow('configmap "settings" not found');
  });

  it('adds variables for the names and ports of services', () => {
    const service = (
      name: string,
      namespace: string,
      clusterIP: string,
    ): Parameters<typeof serviceEnvironment>[0][number] => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace, uid: name },
      spec: { clusterIP, ports: [{ name: 'web-ui', port: 80 }] },
    });
    const services = [
      service('my-db', 'default', 'fd00::7'),
      service('other', 'elsewhere', '10.0.0.7'),
      service('none', 'default', 'None'),
    ];
    expect(serviceEnvironment(services, 'default', true)).toEqual({
      MY_DB_SERVICE_HOST: 'fd00::7',
      MY_DB_SERVICE_PORT: '80',
      MY_DB_SERVICE_PORT_WEB_UI: '80',
      MY_DB_PORT: 'tcp://[fd00::7]:80',
      MY_DB_PORT_80_TCP: 'tcp://[fd00::7]:80',
      MY_DB_PORT_80_TCP_PROTO: 'tcp',
      MY_DB_PORT_80_TCP_PORT: '80',
      MY_DB_PORT_80_TCP_ADDR: 'fd00::7',
    });
    expect(serviceEnvironment(services, 'default', false)).toEqual({});
  });

  it('reads values from files in volumes', async () => {
    const from = (
      key: string,
      optional = false,
    ): {
      name: string;
      valueFrom: { fileKeyRef: { volumeName: string; path: string; key: string; optional: boolean } };
    } => ({
      name: key,
      valueFrom: { fileKeyRef: { volumeName: 'data', path: 'vars.env', key, optional } },
    });
    const warnings: string[] = [];
    const path = '/pods/uid-1/volumes/data/vars.env';
    const makeFrom = (content: string | undefined, ...keys: Parameters<typeof from>[]): Promise<unknown> => {
      const volumeFile = async (): Promise<VolumeFile> => ({ path, read: () => Promise.resolve(content) });
      const warn = (message: string): void => void warnings.push(message);
      return make(
        keys.map((key) => from(...key)),
        { volumeFile, warn },
      );
    };
    const file = "# made by an init container\nA='one' # the first\n\n B='two\r\nlines'\r\nC= 'blank'\na b=''\n";
    await expect(makeFrom(file, ['A'], ['B'], ['C', true], ['D', true])).resolves.toEqual([
      { name: 'A', value: 'one' },
      { name: 'B', value: 'two\nlines' },
    ]);
    for (const key of ['C', 'D', 'a b'])
      await expect(makeFrom(file, [key])).rejects.toThrow(
        new Error(`environment variable key "${key}" not found in file "${path}"`),
      );
    const invalid = ['A=one', "A='one", "A ='one'", "='one'", 'A', "A='one' two", "A=''\nB='\n\n", undefined];
    for (const content of invalid)
      await expect(makeFrom(content, ['C', true])).rejects.toThrow(/^couldn't parse env file$/);
    expect(warnings.map((warning) => warning.split(': ').slice(1).join(': '))).toEqual([
      'invalid environment variable format at line 1: value must be enclosed in single quotes',
      'invalid environment variable format at line 1: unclosed single quote',
      "invalid environment variable format at line 1: whitespace before '=' is not allowed",
      'invalid environment variable format at line 1: empty variable name',
      "invalid environment variable format at line 1: missing '='",
      'invalid environment variable format at line 1: unexpected content after closing quote',
      'invalid environment variable format at line 2: unclosed single quote',
      `open ${path}: no such file or directory`,
    ]);
    await expect(make([from('A')])).rejects.toThrow('cannot find the volume "data" referenced by FileKeyRef');
  });

  it('divides resources and rounds up', () => {
    const container = { name: 'app', resources: { limits: { cpu: '1500m' }, requests: { memory: '100Mi' } } };
    const value = (resource: string, divisor?: string): string =>
      resourceFieldValue(testPod(), container, { resource, divisor }, { cpu: '4', memory: '8Gi' });
    expect([
      value('limits.cpu'),
      value('limits.cpu', '1m'),
      value('limits.memory', '1Gi'),
      value('requests.memory', '1Gi'),
      value('requests.cpu'),
    ]).toEqual(['2', '1500', '8', '1', '0']);
    expect(() => value('limits.bananas')).toThrow('Unsupported container resource : limits.bananas');
  });
});

describe('makeMounts', () => {
  const request = (
    mount: NonNullable<Pod['spec']['containers'][number]['volumeMounts']>[number],
    more: Partial<MountsRequest> = {},
  ): MountsRequest => ({
    pod: testPod(),
    container: { name: 'app', volumeMounts: [mount] },
    podDir: '/var/lib/kubelet/pods/uid-1',
    name: { hostname: 'web', domain: '' },
    podIPs: [],
    volumes: new Map([['data', { hostPath: '/vol/data', readOnly: false }]]),
    imageVolumes: {},
    envs: [{ name: 'A', value: 'x' }],
    os: testStage().os,
    readHostsFile: () => Promise.resolve(''),
    hostsFileForHostNetwork: true,
    supportsRecursiveReadOnly: false,
    warn: () => undefined,
    ...more,
  });

  it('creates sub-path directories and makes container paths absolute', async () => {
    const given = request({ name: 'data', mountPath: 'mnt', subPathExpr: 'a/./$(A)//b' });
    expect(await makeMounts(given)).toMatchObject([
      { containerPath: '/mnt', hostPath: '/vol/data/a/x/b', readOnly: false },
    ]);
    expect(await given.os.exists('/vol/data/a/x/b')).toBe(true);
  });

  it('rejects links out of the volume without revealing their target', async () => {
    const warnings: string[] = [];
    const given = request(
      { name: 'data', mountPath: '/mnt', subPath: 'escape' },
      { warn: (message) => void warnings.push(message) },
    );
    await given.os.mkdirAll('/vol/data', 0o777);
    await given.os.mkdirAll('/etc/shadow', 0o700);
    await given.os.symlink('/etc/shadow', '/vol/data/escape');
    await expect(makeMounts(given)).rejects.toThrow(
      /^failed to prepare subPath for volumeMount "data" of container "app"$/,
    );
    expect(warnings[0]).toContain('subpath "/etc/shadow" not within volume path "/vol/data"');
  });

  it('mounts image volumes read-only with their sub-paths', async () => {
    const given = request(
      { name: 'img', mountPath: '/img', subPath: 'usr' },
      { imageVolumes: { img: { image: 'sha256:1', userSpecifiedImage: 'a:1' } } },
    );
    expect(await makeMounts(given)).toMatchObject([
      { hostPath: '', readOnly: true, image: { image: 'sha256:1' }, imageSubPath: 'usr' },
    ]);
  });

  it.each([
    [{ name: 'lost', mountPath: '/x' }, 'cannot find volume "lost" to mount into container "app"'],
    [{ name: 'data', mountPath: '/x', subPath: '/abs' }, 'error SubPath `/abs` must not be an absolute path'],
    [{ name: 'data', mountPath: '/x', subPath: 'a/../b' }, 'unable to provision SubPath `a/../b`: must not contain'],
    [{ name: 'data', mountPath: '/x', subPathExpr: '$(Z)$(B)' }, 'missing value for B, Z'],
    [
      { name: 'data', mountPath: '/x', readOnly: true, recursiveReadOnly: 'Enabled' as const },
      'failed to resolve recursive read-only mode: volume "data" requested recursive read-only mode, but it is not',
    ],
  ])('throws for %j', async (mount, message) => {
    await expect(makeMounts(request(mount))).rejects.toThrow(message);
  });
});
