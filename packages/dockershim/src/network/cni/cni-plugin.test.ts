/** Tests the calls of CNI plugins with a program that records them. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { dockershimOver } from '../../create-dockershim.ts';
import type { FakeDocker } from '../../testing/fake-docker.ts';
import { type FakeShim, fakeShim } from '../../testing/fake-shim.ts';
import { sandboxConfig } from '../../testing/requests.ts';

/** A program that records each call. It fails with the content of the file `fail-COMMAND` if that file exists. */
const program = (directory: string): string => `#!/bin/sh
printf '%s %s ' "$CNI_COMMAND" "\${0##*/}" >> ${directory}/calls
tr -d '\\n' >> ${directory}/calls
echo >> ${directory}/calls
if [ -f ${directory}/fail-$CNI_COMMAND ]; then cat ${directory}/fail-$CNI_COMMAND; exit 1; fi
case $CNI_COMMAND in
  VERSION) echo '{"cniVersion":"1.1.0","supportedVersions":["0.3.1","0.4.0","1.0.0","1.1.0"]}' ;;
  ADD) echo '{"cniVersion":"1.0.0","ips":[{"address":"10.1.2.3/24"}]}' ;;
esac
`;

/** A pid without a process. It only occurs in the path of a network namespace. */
const pid = 99_999_999;

function withPids(docker: FakeDocker): void {
  const inspect = docker.inspectContainer.bind(docker);
  docker.inspectContainer = async (...args) => {
    const found = await inspect(...args);
    return { ...found, State: { ...found.State, Pid: found.State.Running ? pid : 0 } };
  };
}

const stdinSchema = z.looseObject({ runtimeConfig: z.record(z.string(), z.unknown()).optional() });

interface Scene {
  readonly shim: FakeShim;
  /** The directories of configurations, plugins and results. */
  readonly places: {
    readonly cniConfDir: string;
    readonly cniBinDirs: readonly string[];
    readonly cniCacheDir: string;
  };
  /** Returns the calls since the last time, as `COMMAND type` with the plugin's input. */
  calls(): Promise<readonly { readonly call: string; readonly stdin: z.output<typeof stdinSchema> }[]>;
  fail(command: string, message: string): Promise<void>;
}

/** Creates a dockershim whose network comes from one configuration file. */
async function scene(file: string, configuration: object): Promise<Scene> {
  const directory = await mkdtemp(join(tmpdir(), 'cni-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const name of ['bin', 'net.d']) await mkdir(join(directory, name));
  for (const type of ['loopback', 'net', 'shaper']) {
    await writeFile(join(directory, 'bin', type), program(directory));
    await chmod(join(directory, 'bin', type), 0o755);
  }
  await writeFile(join(directory, 'net.d', file), JSON.stringify(configuration));
  const isRoot = vi.spyOn(process, 'getuid').mockReturnValue(0);
  onTestFinished(() => isRoot.mockRestore());
  const places = {
    cniConfDir: join(directory, 'net.d'),
    cniBinDirs: [join(directory, 'bin')],
    cniCacheDir: join(directory, 'cache'),
  };
  const shim = await fakeShim({ networkPlugin: 'cni', ...places }, undefined, withPids);
  return {
    shim,
    places,
    async calls() {
      const text = await readFile(join(directory, 'calls'), 'utf8').catch(() => '');
      await rm(join(directory, 'calls'), { force: true });
      return text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('VERSION'))
        .map((line) => {
          const [command = '', type = ''] = line.split(' ', 2);
          return {
            call: `${command} ${type}`,
            stdin: stdinSchema.parse(JSON.parse(line.slice(command.length + type.length + 2))),
          };
        });
    },
    fail: (command, message) =>
      writeFile(join(directory, `fail-${command}`), JSON.stringify({ cniVersion: '1.0.0', code: 50, msg: message })),
  };
}

const run = async ({ shim: { runtime, ctx } }: Scene, overrides = {}): Promise<string> =>
  (await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig(overrides) })).podSandboxId;

const networkCondition = async ({ shim: { runtime, ctx } }: Scene) =>
  (await runtime.runtime.status(ctx, {})).status.conditions.find(({ type }) => type === 'NetworkReady');

const capabilities = { bandwidth: true, dns: true, ipRanges: true, portMappings: true };

it('passes declared capabilities (bandwidth, DNS, ranges, ports) to ADD, and to DEL only those it needs', async () => {
  const plugins = [{ type: 'net' }, { type: 'shaper', capabilities }];
  const own = await scene('10-test.conflist', { cniVersion: '1.0.0', name: 'test', plugins });
  const { runtime, ctx } = own.shim;
  await expect(run(own)).rejects.toThrow('cni config needs ipRanges but no PodCIDR set');
  await runtime.runtime.updateRuntimeConfig(ctx, { runtimeConfig: { networkConfig: { podCidr: '10.1.2.0/24' } } });
  await own.calls();
  const podSandboxId = await run(own, {
    annotations: { 'kubernetes.io/ingress-bandwidth': '10M', 'kubernetes.io/egress-bandwidth': '1k' },
    dnsConfig: { servers: ['10.0.0.10'], searches: ['svc.example.com'], options: ['ndots:5'] },
    portMappings: [{ protocol: 'UDP', containerPort: 53, hostPort: 5353 }, { containerPort: 80 }],
  });
  const added = await own.calls();
  expect(added.map(({ call }) => call)).toEqual(['ADD loopback', 'ADD net', 'ADD shaper']);
  const ipRanges = [[{ subnet: '10.1.2.0/24' }]];
  const portMappings = [{ hostPort: 5353, containerPort: 53, protocol: 'udp', hostIP: '' }];
  expect(added.map(({ stdin }) => stdin.runtimeConfig)).toEqual([
    undefined,
    undefined,
    {
      bandwidth: { ingressRate: 10_000_000, ingressBurst: 2_147_483_647, egressRate: 1000, egressBurst: 2_147_483_647 },
      dns: { servers: ['10.0.0.10'], searches: ['svc.example.com'], options: ['ndots:5'] },
      ipRanges,
      portMappings,
    },
  ]);
  expect(own.shim.decisions('setUpPod.bandwidth')).toEqual(['yes: by the CNI plugin shaper']);
  await runtime.runtime.stopPodSandbox(ctx, { podSandboxId });
  const deleted = await own.calls();
  expect(deleted.map(({ call }) => call).toSorted()).toEqual(['DEL loopback', 'DEL net', 'DEL shaper']);
  expect(deleted.find(({ call }) => call === 'DEL shaper')?.stdin.runtimeConfig).toMatchObject({
    ipRanges,
    portMappings,
  });
});

it.each([
  ['10', 'resource is unreasonably small (< 1kbit)'],
  ['2P', 'resource is unreasonably large (> 1Pbit)'],
  ['fast', 'failed to get pod bandwidth from annotations'],
])('rejects a bandwidth of %s', async (text, message) => {
  const own = await scene('10-test.conflist', {
    cniVersion: '1.0.0',
    name: 'test',
    plugins: [{ type: 'net', capabilities: { bandwidth: true } }],
  });
  await expect(run(own, { annotations: { 'kubernetes.io/ingress-bandwidth': text } })).rejects.toThrow(message);
});

it('accepts a single plugin in a .conf file', async () => {
  const own = await scene('10-test.conf', { cniVersion: '0.3.1', name: 'single', type: 'net', mtu: 1400 });
  expect(await networkCondition(own)).toMatchObject({ status: true });
  const podSandboxId = await run(own);
  const [, add] = await own.calls();
  expect(add).toEqual({
    call: 'ADD net',
    stdin: expect.objectContaining({ name: 'single', cniVersion: '0.3.1', type: 'net', mtu: 1400 }),
  });
  const { runtime, ctx } = own.shim;
  expect((await runtime.runtime.podSandboxStatus(ctx, { podSandboxId })).status.network?.ip).toBe('10.1.2.3');
});

it('calls STATUS of a network with version 1.1.0 and reports its error', async () => {
  const own = await scene('10-test.conflist', { cniVersion: '1.1.0', name: 'test', plugins: [{ type: 'net' }] });
  expect(await networkCondition(own)).toMatchObject({ status: true });
  expect((await own.calls()).map(({ call }) => call)).toEqual(['STATUS net']);
  await own.fail('STATUS', 'no address left');
  expect(await networkCondition(own)).toMatchObject({
    status: false,
    reason: 'NetworkPluginNotReady',
    message: 'docker: network plugin is not ready: no address left',
  });
});

it("doesn't call STATUS of older versions", async () => {
  const own = await scene('10-test.conflist', { cniVersion: '1.0.0', name: 'test', plugins: [{ type: 'net' }] });
  await own.fail('STATUS', 'unknown CNI_COMMAND: STATUS');
  expect(await networkCondition(own)).toMatchObject({ status: true });
});

it('calls CHECK for pods of an earlier process, warns about differences and keeps the address', async () => {
  const own = await scene('10-test.conflist', { cniVersion: '1.0.0', name: 'test', plugins: [{ type: 'net' }] });
  const podSandboxId = await run(own);
  await own.calls();
  await own.fail('CHECK', 'eth0 has no address');
  const { docker, ctx, log, stateDirectory } = own.shim;
  const options = {
    stateDirectory,
    instance: 'test',
    sandboxImage: 'pause:1',
    logFiles: false,
    networkPlugin: 'cni',
  } as const;
  const next = await dockershimOver(ctx, docker, { ...options, ...own.places });
  const from = log.lastSeq;
  expect((await next.runtime.podSandboxStatus(ctx, { podSandboxId })).status.network?.ip).toBe('10.1.2.3');
  const calls = await own.calls();
  expect(calls.map(({ call }) => call)).toEqual(['CHECK net']);
  expect(calls[0]?.stdin['prevResult']).toMatchObject({ ips: [{ address: '10.1.2.3/24' }] });
  const reported = log.after(from).flatMap((event) => (event.type === 'output' ? [event.message] : []));
  expect(reported).toContain('The network of pod default/web is not as it was set up: eth0 has no address');
});

it("uses the engine's bridge where CNI plugins can't run, and records the reason", async () => {
  const user = vi.spyOn(process, 'getuid').mockReturnValue(1000);
  onTestFinished(() => user.mockRestore());
  const asUser = await fakeShim({ networkPlugin: 'cni' });
  const why = (reason: string): string =>
    `Pods are on Docker's bridge: CNI plugins cannot be run on pods' network namespaces, since ${reason}.`;
  expect(asUser.runtime.deviations()).toContain(why('that needs root'));
  const far = await fakeShim({ networkPlugin: 'cni' }, undefined, (docker) => {
    docker.information = { ...docker.information, Name: 'another-machine' };
  });
  expect(far.runtime.deviations()).toContain(why('the Docker Engine is not on this machine'));
  const { podSandboxId } = await far.runtime.runtime.runPodSandbox(far.ctx, { config: sandboxConfig() });
  expect((await far.runtime.runtime.podSandboxStatus(far.ctx, { podSandboxId })).status.network?.ip).toBe('172.17.0.2');
});

it.each([
  ['-P FORWARD DROP', true],
  ['-P FORWARD ACCEPT', false],
  ['-P FORWARD DROP\\n-A FORWARD -j CNI-FORWARD', false],
])('records a closed FORWARD policy of iptables: %s', async (rules, isNoted) => {
  const own = await mkdtemp(join(tmpdir(), 'iptables-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  await writeFile(join(own, 'iptables'), `#!/bin/sh\nprintf '%b\\n' '${rules}'\n`);
  await chmod(join(own, 'iptables'), 0o755);
  vi.stubEnv('PATH', `${own}:${process.env['PATH']}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { shim } = await scene('10-test.conflist', { cniVersion: '1.0.0', name: 'test', plugins: [{ type: 'net' }] });
  expect(shim.runtime.deviations().some((text) => text.includes('FORWARD policy is DROP'))).toBe(isNoted);
});
