import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exporterOf } from './command.ts';
import { type Host, hostAt } from './host.ts';
import { type InstallOptions, install, uninstall } from './install.ts';
import { installedSocket } from './record.ts';
import type { VerifiedNode } from './verify.ts';

const containerd = 'unix:///run/containerd/containerd.sock';
const ours = 'unix:///run/podscope/cri.sock';
const configYaml = (extra = ''): string =>
  `# written by kubeadm\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n` +
  `${extra}cgroupDriver: systemd # as containerd\n`;
const kubeadmFlags = (others: string): string =>
  `KUBELET_KUBEADM_ARGS="--container-runtime-endpoint=${containerd} ${others}"\n`;
const kubeletUnit = '[Service]\nExecStart=/usr/bin/kubelet\n';
const kubeadmDropIn =
  '[Service]\nEnvironment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"\nEnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env\nEnvironmentFile=-/etc/default/kubelet\n';

/** Files of hosts, by host and path. They set the endpoint that the kubelet uses. */
const trees: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kubeadm 1.31': {
    'usr/lib/systemd/system/kubelet.service': kubeletUnit,
    'usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf': kubeadmDropIn,
    'var/lib/kubelet/config.yaml': configYaml(),
    'var/lib/kubelet/kubeadm-flags.env': kubeadmFlags('--pod-infra-container-image=registry.k8s.io/pause:3.10'),
  },
  'kubeadm 1.35': {
    'usr/lib/systemd/system/kubelet.service': kubeletUnit,
    'usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf': kubeadmDropIn,
    'var/lib/kubelet/config.yaml': configYaml(`containerRuntimeEndpoint: ${containerd}\n`),
    'var/lib/kubelet/instance-config.yaml': configYaml(`containerRuntimeEndpoint: "${containerd}"\n`),
    'var/lib/kubelet/kubeadm-flags.env': 'KUBELET_KUBEADM_ARGS=""\n',
  },
  kind: {
    'etc/systemd/system/kubelet.service': kubeletUnit,
    'etc/systemd/system/kubelet.service.d/10-kubeadm.conf': kubeadmDropIn,
    'etc/default/kubelet': 'KUBELET_EXTRA_ARGS=--runtime-cgroups=/system.slice/containerd.service\n',
    'var/lib/kubelet/config.yaml': configYaml(`containerRuntimeEndpoint: ${containerd}\n`),
    'var/lib/kubelet/kubeadm-flags.env': kubeadmFlags('--node-ip=172.18.0.2'),
  },
  'a drop-in directory': {
    'etc/systemd/system/kubelet.service': `${kubeletUnit.trimEnd()} --config-dir /etc/kubernetes/kubelet.conf.d\n`,
    'var/lib/kubelet/config.yaml': configYaml(),
    'etc/kubernetes/kubelet.conf.d/10-runtime.conf': configYaml(`containerRuntimeEndpoint: ${containerd}\n`),
  },
  'a kubelet with defaults': {
    'etc/systemd/system/kubelet.service': kubeletUnit,
    'var/lib/kubelet/config.yaml': configYaml(),
  },
};
const k3sUnit = (...flags: readonly string[]): string =>
  `[Service]\nExecStart=/usr/local/bin/k3s \\\n    server ${flags.map((flag) => `\\\n\t'${flag}' `).join('')}\\\n`;
const k3sSocket = 'run/k3s/containerd/containerd.sock';
const k3s = {
  'etc/systemd/system/k3s.service': k3sUnit(),
  'etc/rancher/k3s/config.yaml': 'write-kubeconfig-mode: "0644"\nkubelet-arg: max-pods=50\n',
};

let root: string;
let calls: string[];
/** The process id of the running kubelet, as systemd prints it; 0 while none runs. */
let mainPid: number;
let output: string;
const at = (path: string): string => join(root, path);

async function plant(
  files: Readonly<Record<string, string>>,
  socket = 'run/containerd/containerd.sock',
): Promise<void> {
  for (const [path, text] of Object.entries({ ...files, [socket]: '' })) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text, { mode: 0o640 });
  }
}

/** Returns all directories, and all files with their text and mode. */
async function contents(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) found[path.slice(root.length + 1)] = 'directory';
    if (!entry.isFile()) continue;
    const { mode } = await stat(path);
    found[path.slice(root.length + 1)] = `${(mode & 0o777).toString(8)} ${await readFile(path, 'utf8')}`;
  }
  return found;
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'host-'));
  calls = [];
  mainPid = 0;
  output = '';
});
afterEach(() => rm(root, { recursive: true }));

/** Starts a kubelet with these arguments: the kernel shows each with a null character behind it. */
async function startKubelet(...args: readonly string[]): Promise<void> {
  mainPid = 4242;
  await mkdir(at(`proc/${mainPid}`), { recursive: true });
  await writeFile(at(`proc/${mainPid}/cmdline`), args.map((arg) => `${arg}\0`).join(''));
}

const host = (): Host =>
  hostAt(root, (...words) => {
    const command = words.join(' ');
    if (command === 'systemctl show --property=MainPID --value kubelet.service') return Promise.resolve(`${mainPid}\n`);
    calls.push(command);
    return Promise.resolve('');
  });
const options = (more: Partial<InstallOptions> = {}): InstallOptions => ({
  host: host(),
  print: (text) => {
    output += `${text}\n`;
  },
  dryRun: false,
  verify: () => Promise.resolve(),
  node: '/usr/bin/node',
  program: '/opt/podscope/relay.js',
  version: '1.0.0',
  ...more,
});

describe.each(Object.entries(trees))('install on %s', (_name, tree) => {
  it('points the kubelet to the relay, and uninstall restores every byte', async () => {
    await plant(tree);
    const before = await contents();
    await install(options());
    const after = await contents();
    const own = Object.entries(after).filter(([path]) => path.startsWith('var/lib/kubelet/'));
    for (const [, text] of own) expect(text).not.toContain(containerd);
    expect(
      Object.entries(after).filter(([path, text]) => before[path] !== undefined && text.includes(ours)),
    ).not.toEqual([]);
    const service = after['etc/systemd/system/podscope-relay.service'];
    expect(service).toContain('/opt/podscope/relay.js --listen /run/podscope/cri.sock');
    expect(service).toContain('--runtime /run/containerd/containerd.sock');
    expect(after['etc/systemd/system/podscope-relay.socket']).toContain('SocketMode=0640');
    expect(calls.at(-1)).toBe('systemctl restart kubelet.service');
    await uninstall(options());
    expect(await contents()).toEqual(before);
    expect(calls).toContain('systemctl stop podscope-relay.service podscope-relay.socket');
  });

  it('changes nothing with --dry-run, and shows the difference', async () => {
    await plant(tree);
    const before = await contents();
    await install(options({ dryRun: true }));
    expect(await contents()).toEqual(before);
    expect(calls).toEqual([]);
    expect(output).toContain(ours);
  });

  it('restores every byte when the node does not work', async () => {
    await plant(tree);
    const before = await contents();
    const verify = (): Promise<never> => Promise.reject(new Error('healthz answers 500'));
    await expect(install(options({ verify }))).rejects.toThrow('The files are restored, but: healthz answers 500');
    expect(await contents()).toEqual(before);
    expect(calls.filter((call) => call === 'systemctl restart kubelet.service')).toHaveLength(2);
  });
});

describe('the endpoint that the kubelet uses', () => {
  const docker = 'unix:///run/cri-dockerd.sock';
  const relayRuntime = async (): Promise<string | undefined> =>
    /--runtime (\S+)/.exec((await contents())['etc/systemd/system/podscope-relay.service'] ?? '')?.[1];

  it('is that of config.yaml when instance-config.yaml is stale, and both get the relay', async () => {
    const tree = trees['kubeadm 1.35'] ?? {};
    await plant({ ...tree, 'var/lib/kubelet/instance-config.yaml': `containerRuntimeEndpoint: ${docker}\n` });
    const before = await contents();
    await install(options());
    expect(await relayRuntime()).toBe('/run/containerd/containerd.sock');
    const after = await contents();
    expect(after['var/lib/kubelet/config.yaml']).toContain(`containerRuntimeEndpoint: ${ours}`);
    expect(after['var/lib/kubelet/instance-config.yaml']).toContain(`containerRuntimeEndpoint: ${ours}`);
    await uninstall(options());
    expect(await contents()).toEqual(before);
  });

  it('is the default when only instance-config.yaml sets one, and config.yaml gets the relay', async () => {
    await plant({
      ...trees['kubeadm 1.35'],
      'var/lib/kubelet/config.yaml': configYaml(),
      'var/lib/kubelet/instance-config.yaml': `containerRuntimeEndpoint: ${docker}\n`,
    });
    await install(options());
    expect(await relayRuntime()).toBe('/run/containerd/containerd.sock');
    expect((await contents())['var/lib/kubelet/config.yaml']).toContain(`containerRuntimeEndpoint: ${ours}`);
  });

  it('is in the configuration file and the drop-ins that the running kubelet names', async () => {
    await plant({
      'etc/systemd/system/kubelet.service': '[Service]\nExecStart=/opt/start-kubelet\n',
      'var/lib/kubelet/config.yaml': configYaml(`containerRuntimeEndpoint: ${docker}\n`),
      'etc/kubelet/main.yaml': configYaml(`containerRuntimeEndpoint: ${docker}\n`),
      'etc/kubelet/conf.d/10-runtime.conf': configYaml(`containerRuntimeEndpoint: ${containerd}\n`),
    });
    await startKubelet('/usr/bin/kubelet', '--config', '/etc/kubelet/main.yaml', '--config-dir=/etc/kubelet/conf.d');
    const before = await contents();
    await install(options());
    expect(await relayRuntime()).toBe('/run/containerd/containerd.sock');
    const after = await contents();
    expect(after['etc/kubelet/main.yaml']).toContain(ours);
    expect(after['etc/kubelet/conf.d/10-runtime.conf']).toContain(ours);
    expect(after['var/lib/kubelet/config.yaml']).toBe(before['var/lib/kubelet/config.yaml']);
  });

  it('is not that of a flag file which the running kubelet ignores', async () => {
    await plant({
      ...trees['kubeadm 1.35'],
      'etc/default/kubelet': `KUBELET_EXTRA_ARGS=--container-runtime-endpoint=${docker}\n`,
    });
    await startKubelet('/usr/bin/kubelet', '--config=/var/lib/kubelet/config.yaml');
    const before = await contents();
    await install(options());
    expect(await relayRuntime()).toBe('/run/containerd/containerd.sock');
    expect((await contents())['etc/default/kubelet']).toBe(before['etc/default/kubelet']);
  });

  it('is that of a flag, which overrides config.yaml', async () => {
    await plant(trees['kubeadm 1.31'] ?? {});
    await writeFile(at('var/lib/kubelet/config.yaml'), configYaml(`containerRuntimeEndpoint: ${docker}\n`));
    await startKubelet('kubelet', '--config=/var/lib/kubelet/config.yaml', '--container-runtime-endpoint', containerd);
    await install(options());
    expect(await relayRuntime()).toBe('/run/containerd/containerd.sock');
    expect((await contents())['var/lib/kubelet/kubeadm-flags.env']).toContain(`endpoint=${ours}`);
  });

  it('is that of the files when the kubelet ended, or shows no arguments', async () => {
    await plant(trees['kubeadm 1.31'] ?? {});
    await startKubelet();
    await install(options({ dryRun: true }));
    await rm(at('proc'), { recursive: true });
    await install(options());
    expect(await relayRuntime()).toBe('/run/containerd/containerd.sock');
    expect((await contents())['var/lib/kubelet/kubeadm-flags.env']).toContain(`endpoint=${ours}`);
  });

  it('is that of a flag among arguments with spaces, without a value, and an empty one', async () => {
    await plant(trees['kubeadm 1.31'] ?? {});
    await startKubelet('kubelet', '--node-labels=', 'a b', `--container-runtime-endpoint=${docker}`, '');
    await cp(at('run/containerd/containerd.sock'), at('run/cri-dockerd.sock'));
    await install(options());
    expect(await relayRuntime()).toBe('/run/cri-dockerd.sock');
  });

  it('cannot be changed when no file contains the flag of the running kubelet', async () => {
    await plant(trees['kubeadm 1.35'] ?? {});
    await startKubelet('kubelet', '--config=/var/lib/kubelet/config.yaml', `--container-runtime-endpoint=${docker}`);
    await expect(install(options())).rejects.toThrow('move it to /var/lib/kubelet/config.yaml first');
  });

  it('cannot be changed when the kubelet has no configuration file', async () => {
    await plant({ 'etc/systemd/system/kubelet.service': kubeletUnit });
    await expect(install(options())).rejects.toThrow('start it with --config=/var/lib/kubelet/config.yaml');
  });
});

describe.each([
  ['k3s', 'etc/systemd/system/k3s.service', 'k3s.service'],
  ['RKE2', 'usr/local/lib/systemd/system/rke2-agent.service', 'rke2-agent.service'],
])('install on %s', (kind, unitPath, unit) => {
  const directory = `etc/rancher/${kind.toLowerCase()}`;
  const dropIn = `${directory}/config.yaml.d/zz-podscope.yaml`;
  const socket = 'run/k3s/containerd/containerd.sock';

  it('adds an argument of the kubelet in a drop-in, and uninstall removes it', async () => {
    await plant({ [unitPath]: k3sUnit(), [`${directory}/config.yaml`]: 'kubelet-arg: max-pods=50\n' }, socket);
    const before = await contents();
    await install(options());
    const after = await contents();
    expect(after[dropIn]).toBe(`644 kubelet-arg+:\n  - container-runtime-endpoint=${ours}\n`);
    expect(after[`${directory}/config.yaml`]).toBe(before[`${directory}/config.yaml`]);
    expect(after['etc/systemd/system/podscope-relay.service']).toContain(`--runtime /${socket}`);
    expect(calls.at(-1)).toBe(`systemctl restart ${unit}`);
    await writeFile(at(dropIn), 'kubelet-arg+: v=2\n');
    await uninstall(options());
    expect(await contents()).toEqual(before);
  });
});

describe('install on k3s', () => {
  const service = async (): Promise<string> => (await contents())['etc/systemd/system/podscope-relay.service'] ?? '';

  it.each([
    ['docker in config.yaml', { ...k3s, 'etc/rancher/k3s/config.yaml': 'docker: true\n' }],
    ['--docker in the unit', { 'etc/systemd/system/k3s.service': k3sUnit('--docker') }],
  ])('puts the relay in front of cri-dockerd with %s', async (_name, tree) => {
    await plant(tree, 'run/k3s/cri-dockerd/cri-dockerd.sock');
    await install(options());
    expect(await service()).toContain('--runtime /run/k3s/cri-dockerd/cri-dockerd.sock');
  });

  it('keeps a runtime and an image service that k3s was given, and adds both arguments', async () => {
    const tree = {
      'etc/systemd/system/k3s.service': k3sUnit('--container-runtime-endpoint', '/run/containerd/containerd.sock'),
      'etc/rancher/k3s/config.yaml': 'image-service-endpoint: /run/images.sock\n',
    };
    await plant(tree);
    await install(options());
    expect(await service()).toContain('--runtime /run/containerd/containerd.sock --image-runtime /run/images.sock');
    expect((await contents())['etc/rancher/k3s/config.yaml.d/zz-podscope.yaml']).toContain(
      `  - container-runtime-endpoint=${ours}\n  - image-service-endpoint=${ours}\n`,
    );
  });

  it('uses the drop-ins of the configuration file that the unit names', async () => {
    await plant({ ...k3s, 'etc/systemd/system/k3s.service.env': 'K3S_CONFIG_FILE=/etc/k3s.yaml\n' }, k3sSocket);
    await install(options());
    expect(await contents()).toHaveProperty(['etc/k3s.yaml.d/zz-podscope.yaml']);
  });

  it.each([
    [
      'config.yaml',
      { 'etc/rancher/k3s/config.yaml': `kubelet-arg: [v=2, container-runtime-endpoint=${containerd}]\n` },
    ],
    ['a drop-in', { 'etc/rancher/k3s/config.yaml.d/a.yaml': `kubelet-arg+: container-runtime-endpoint=${containerd}` }],
    [
      'the unit',
      { 'etc/systemd/system/k3s.service': k3sUnit(`--kubelet-arg=container-runtime-endpoint=${containerd}`) },
    ],
  ])('fails when %s already passes the kubelet an endpoint', async (_name, tree) => {
    await plant({ ...k3s, ...tree }, k3sSocket);
    await expect(install(options())).rejects.toThrow('remove it first');
  });

  it('fails when a later drop-in replaces the arguments of the kubelet', async () => {
    await plant({ ...k3s, 'etc/rancher/k3s/config.yaml.d/zzz.yaml': 'kubelet-arg: v=2\n' }, k3sSocket);
    await expect(install(options())).rejects.toThrow('a name before zz-podscope.yaml');
  });

  it('accepts a later drop-in that appends arguments of the kubelet', async () => {
    await plant({ ...k3s, 'etc/rancher/k3s/config.yaml.d/zzz.yaml': 'kubelet-arg+: v=2\n' }, k3sSocket);
    await install(options());
    expect(await service()).toContain('--runtime /run/k3s/containerd/containerd.sock');
  });
});

describe('the node that is verified', () => {
  const verifiedWith = async (tree: Readonly<Record<string, string>>, socket?: string): Promise<VerifiedNode[]> => {
    const verified: VerifiedNode[] = [];
    const verify = async (node: VerifiedNode): Promise<void> => void verified.push(node);
    await plant(tree, socket);
    await install(options({ verify }));
    await uninstall(options({ verify }));
    return verified;
  };
  const config = trees['kubeadm 1.35'] ?? {};
  const withConfig = (text: string) => ({ ...config, 'var/lib/kubelet/config.yaml': configYaml(text) });
  const dropIns = trees['a drop-in directory'] ?? {};
  const withDropIns = (first: string, second: string) => ({
    ...dropIns,
    'var/lib/kubelet/config.yaml': configYaml('healthzPort: 1\n'),
    'etc/kubernetes/kubelet.conf.d/10-runtime.conf': configYaml(first),
    'etc/kubernetes/kubelet.conf.d/20-health.conf': configYaml(second),
  });

  it.each([
    ['the default', config, 'http://127.0.0.1:10248/healthz'],
    ['a port in config.yaml', withConfig('healthzPort: 11248\n'), 'http://127.0.0.1:11248/healthz'],
    ['every address', withConfig('healthzBindAddress: 0.0.0.0\n'), 'http://127.0.0.1:10248/healthz'],
    ['an address of IPv6', withConfig("healthzBindAddress: '::'\n"), 'http://[::1]:10248/healthz'],
    ['drop-ins', withDropIns('healthzPort: 2\n', 'healthzBindAddress: 10.0.0.7\n'), 'http://10.0.0.7:2/healthz'],
    [
      'a flag',
      { ...withConfig('healthzPort: 11248\n'), 'etc/default/kubelet': 'KUBELET_EXTRA_ARGS=--healthz-port=12248\n' },
      'http://127.0.0.1:12248/healthz',
    ],
    ['none, with port 0', withConfig('healthzPort: 0\n'), undefined],
  ])('has the health endpoint of %s', async (_name, tree, healthz) => {
    const [installed, removed] = await verifiedWith(tree);
    expect(installed).toEqual({ unit: 'kubelet.service', healthz, control: '/run/podscope/relay.sock' });
    expect(removed).toMatchObject({ unit: 'kubelet.service', ...(healthz === undefined ? {} : { healthz }) });
    expect(removed).not.toHaveProperty('control');
  });

  it('has the health endpoint of the arguments that k3s passes the kubelet', async () => {
    const tree = {
      'etc/systemd/system/k3s.service': k3sUnit('--kubelet-arg=healthz-bind-address=127.0.0.2'),
      'etc/rancher/k3s/config.yaml': 'kubelet-arg: [healthz-port=1]\n',
      'etc/rancher/k3s/config.yaml.d/a.yaml': 'kubelet-arg+: healthz-port=13248\n',
      'etc/rancher/k3s/config.yaml.d/b.yaml': 'kubelet-arg+: v=2\n',
    };
    expect((await verifiedWith(tree, k3sSocket))[0]?.healthz).toBe('http://127.0.0.2:13248/healthz');
  });

  it('ignores arguments of k3s that a later drop-in replaces', async () => {
    const tree = {
      ...k3s,
      'etc/rancher/k3s/config.yaml': 'kubelet-arg: [healthz-port=1]\n',
      'etc/rancher/k3s/config.yaml.d/a.yaml': 'kubelet-arg: [v=2]\n',
    };
    expect((await verifiedWith(tree, k3sSocket))[0]?.healthz).toBe('http://127.0.0.1:10248/healthz');
  });
});

describe('install in front of CRI-O', () => {
  const tree = {
    ...trees['kubeadm 1.35'],
    'var/lib/kubelet/config.yaml': configYaml('containerRuntimeEndpoint: unix:///run/crio/crio.sock\n'),
  };

  it('keeps the ending of the endpoint by which cAdvisor recognizes CRI-O', async () => {
    await plant(tree, 'run/crio/crio.sock');
    await install(options());
    const after = await contents();
    const listen = '/run/podscope/run/crio/crio.sock';
    expect(after['var/lib/kubelet/config.yaml']).toContain(`containerRuntimeEndpoint: unix://${listen}`);
    expect(after['etc/systemd/system/podscope-relay.service']).toContain(`--runtime /run/crio/crio.sock`);
    expect(await installedSocket(host())).toBe(listen);
  });

  it('rejects another ending', async () => {
    await plant(tree, 'run/crio/crio.sock');
    await expect(install(options({ listen: '/run/podscope/cri.sock' }))).rejects.toThrow(
      '--listen: /run/podscope/cri.sock must end with run/crio/crio.sock',
    );
  });
});

describe('install with an export', () => {
  it('adds a unit that exports without a page, and uninstall removes it', async () => {
    const exporter = exporterOf('/opt/podscope/main.js', {
      'otlp-export': 'http://collector:4318',
      kubelet: 'https://127.0.0.1:10250',
      'kubelet-token': 'token',
    });
    await plant(trees['kind'] ?? {});
    const before = await contents();
    await install(options({ exporter }));
    const unit = (await contents())['etc/systemd/system/podscope-export.service'];
    expect(unit).toContain(
      'ExecStart=/usr/bin/node /opt/podscope/main.js observe --no-page --otlp-export http://collector:4318 ' +
        `--kubelet https://127.0.0.1:10250 --kubelet-token ${resolve('token')}\n`,
    );
    expect(calls.at(-1)).toBe('systemctl enable --now podscope-export.service');
    await uninstall(options());
    expect(await contents()).toEqual(before);
    expect(calls).toContain('systemctl stop podscope-export.service podscope-relay.service podscope-relay.socket');
  });

  it('fails for options of the export without a collector, and for an address that is no URL', () => {
    expect(() => exporterOf('/main.js', { kubelet: 'https://127.0.0.1:10250' })).toThrow('--otlp-export');
    expect(() => exporterOf('/main.js', { 'otlp-export': 'collector' })).toThrow('--otlp-export');
    expect(exporterOf('/main.js', {})).toBeUndefined();
  });
});

describe('uninstall', () => {
  it('restores only the endpoint in a file that was changed since the installation', async () => {
    await plant(trees['kubeadm 1.35'] ?? {});
    await install(options());
    const path = 'var/lib/kubelet/config.yaml';
    await writeFile(at(path), `${await readFile(at(path), 'utf8')}maxPods: 50\n`);
    await uninstall(options());
    const text = await readFile(at(path), 'utf8');
    expect(text).toContain(`containerRuntimeEndpoint: ${containerd}`);
    expect(text).toContain('maxPods: 50');
    expect(output).toContain('was changed since the installation');
  });

  it.each([
    [
      'config.yaml',
      'var/lib/kubelet/config.yaml',
      configYaml(`containerRuntimeEndpoint: ${containerd}\nimageServiceEndpoint: unix:///run/images.sock\n`),
      `containerRuntimeEndpoint: ${containerd}\nimageServiceEndpoint: unix:///run/images.sock\n`,
      'maxPods: 50\n',
    ],
    [
      'the flags',
      'var/lib/kubelet/kubeadm-flags.env',
      kubeadmFlags('--image-service-endpoint unix:///run/images.sock'),
      `--container-runtime-endpoint=${containerd} --image-service-endpoint unix:///run/images.sock`,
      '# changed\n',
    ],
  ])('restores a separate image endpoint in a changed file: %s', async (_name, path, text, restored, added) => {
    await plant({ ...trees['kubeadm 1.31'], 'var/lib/kubelet/kubeadm-flags.env': '', [path]: text });
    await cp(at('run/containerd/containerd.sock'), at('run/images.sock'));
    await install(options());
    await writeFile(at(path), `${await readFile(at(path), 'utf8')}${added}`);
    await uninstall(options());
    const after = await readFile(at(path), 'utf8');
    expect(after).toContain(restored);
    expect(after).toContain(added);
    expect(after).not.toContain(ours);
  });

  it('fails where nothing is installed', async () => {
    await plant(trees['kind'] ?? {});
    await expect(uninstall(options())).rejects.toThrow('not installed');
  });
});

describe('install', () => {
  it('fails on a host without a kubelet, and where the unit itself sets the endpoint', async () => {
    await plant({});
    await expect(install(options())).rejects.toThrow('no kubelet.service');
    await plant({
      'etc/systemd/system/kubelet.service': `ExecStart=kubelet --container-runtime-endpoint=${containerd}`,
    });
    await expect(install(options())).rejects.toThrow('kubelet.service itself sets');
  });

  it('restores the host when the user interrupts it', async () => {
    await plant(trees['kind'] ?? {});
    const before = await contents();
    const interrupted = AbortSignal.abort(new Error('interrupted by SIGINT'));
    await expect(install(options({ interrupted }))).rejects.toThrow('not installed: interrupted by SIGINT');
    expect(await contents()).toEqual(before);
  });

  it('fails before it changes anything when a file to change is not UTF-8', async () => {
    const path = 'var/lib/kubelet/config.yaml';
    await plant(trees['kind'] ?? {});
    const text = configYaml(`containerRuntimeEndpoint: ${containerd} # caf\u00e9\n`);
    await writeFile(at(path), Buffer.from(text, 'latin1'));
    const before = await readFile(at(path));
    await expect(install(options())).rejects.toThrow(`/${path} is not valid UTF-8`);
    expect(await readFile(at(path))).toEqual(before);
    expect(calls).toEqual([]);
  });

  it('fails when it is installed already', async () => {
    await plant(trees['kind'] ?? {});
    await install(options());
    await expect(install(options())).rejects.toThrow('installed already');
  });

  it('passes a separate image endpoint to the relay', async () => {
    const image = 'unix:///run/images.sock';
    await plant({
      ...trees['kind'],
      'var/lib/kubelet/config.yaml': configYaml(
        `containerRuntimeEndpoint: ${containerd}\nimageServiceEndpoint: ${image}\n`,
      ),
    });
    await cp(at('run/containerd/containerd.sock'), at('run/images.sock'));
    await install(options());
    const after = await contents();
    expect(after['etc/systemd/system/podscope-relay.service']).toContain('--image-runtime /run/images.sock');
    expect(after['var/lib/kubelet/config.yaml']).toContain(`imageServiceEndpoint: ${ours}`);
  });
});
