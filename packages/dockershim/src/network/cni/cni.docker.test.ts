import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PodSandboxConfig } from '@podscope/cri';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDockershim } from '../../create-dockershim.ts';
import { type RealShim, realShim } from '../../testing/real-shim.ts';
import { containerRequest, sandboxConfig } from '../../testing/requests.ts';
import { waitUntil } from '../../testing/wait.ts';

const run = promisify(execFile);
const subnet = '10.253.77.0/24';
/** A host port below the range from which Linux assigns ports to connections and to listeners that request no port. */
const hostPort = 28_931;

let last = 0;
const freshConfig = (overrides: Partial<PodSandboxConfig> = {}): PodSandboxConfig => {
  const name = `cni-${process.pid}-${++last}`;
  return sandboxConfig({
    metadata: { name, namespace: 'podscope-test', uid: crypto.randomUUID(), attempt: 0 },
    hostname: name,
    logDirectory: '',
    ...overrides,
  });
};

describe('a pod network of CNI plugins: bridge, host-local, portmap, firewall, loopback', () => {
  let directory: string;
  let bridge: string;
  let shim: RealShim;
  const networkOptions = () => ({
    networkPlugin: 'cni' as const,
    cniConfDir: join(directory, 'net.d'),
    cniBinDirs: ['/opt/cni/bin', '/usr/lib/cni'],
    cniCacheDir: join(directory, 'cache'),
  });
  const leases = async (): Promise<string[]> =>
    (await readdir(join(directory, 'ipam', bridge))).filter((name) => name.startsWith('10.'));
  const cached = async (): Promise<string[]> => readdir(join(directory, 'cache', 'results'));

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cni-'));
    bridge = `pst${directory.slice(-6).toLowerCase()}`;
    await mkdir(join(directory, 'net.d'));
    const plugins = [
      {
        type: 'bridge',
        bridge,
        isGateway: true,
        ipMasq: true,
        ipam: { type: 'host-local', dataDir: join(directory, 'ipam'), ranges: [[{ subnet }]] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
      { type: 'firewall' },
    ];
    await writeFile(join(directory, 'net.d', '00-broken.conflist'), '{"name":"broken"}');
    await writeFile(
      join(directory, 'net.d', '10-test.conflist'),
      JSON.stringify({ cniVersion: '0.4.0', name: bridge, plugins }),
    );
    await writeFile(
      join(directory, 'net.d', '99-later.conf'),
      JSON.stringify({ cniVersion: '0.4.0', name: 'later', type: 'bridge' }),
    );
    shim = await realShim(networkOptions());
  });
  afterAll(async () => {
    const { runtime } = shim.runtime;
    for (const { id } of (await runtime.listPodSandbox(shim.ctx, {})).items) {
      await runtime.stopPodSandbox(shim.ctx, { podSandboxId: id });
      await runtime.removePodSandbox(shim.ctx, { podSandboxId: id });
    }
    await shim.cleanup();
    await run('ip', ['link', 'delete', bridge]).catch(() => undefined);
    await rm(directory, { recursive: true, force: true });
  });

  const ipOf = async (podSandboxId: string): Promise<string> =>
    (await shim.runtime.runtime.podSandboxStatus(shim.ctx, { podSandboxId })).status.network?.ip ?? '';

  async function pod(script: string, overrides: Partial<PodSandboxConfig> = {}) {
    const { runtime } = shim.runtime;
    const config = freshConfig(overrides);
    const { podSandboxId } = await runtime.runPodSandbox(shim.ctx, { config });
    const request = containerRequest(podSandboxId, { command: ['sh', '-c', script], logPath: '' }, config);
    const { containerId } = await runtime.createContainer(shim.ctx, request);
    await runtime.startContainer(shim.ctx, { containerId });
    return { podSandboxId, containerId };
  }
  const exec = async (containerId: string, script: string): Promise<string> => {
    const answer = await shim.runtime.runtime.execSync(shim.ctx, {
      containerId,
      cmd: ['sh', '-c', script],
      timeout: 120,
    });
    return new TextDecoder().decode(answer.stdout);
  };
  async function remove(podSandboxId: string): Promise<void> {
    await shim.runtime.runtime.stopPodSandbox(shim.ctx, { podSandboxId });
    await shim.runtime.runtime.removePodSandbox(shim.ctx, { podSandboxId });
  }

  it('is ready and emits a span per plugin call under the step', async () => {
    const { conditions } = (await shim.runtime.runtime.status(shim.ctx, {})).status;
    expect(conditions).toMatchObject([
      { type: 'RuntimeReady', status: true },
      { type: 'NetworkReady', status: true },
    ]);
    const from = shim.log.lastSeq;
    const { podSandboxId } = await pod('sleep 3600');
    const started = shim.log.after(from).filter((event) => event.type === 'spanStarted');
    const step = started.find(({ point }) => point === 'dockershim.setUpSandboxNetwork');
    const calls = started.filter(({ kind, parent }) => kind === 'cni' && parent === step?.span);
    expect(calls.map(({ title, attributes }) => `${title} ${String(attributes?.['plugin'])}`)).toEqual([
      'ADD loopback',
      'ADD bridge',
      'ADD portmap',
      'ADD firewall',
    ]);
    await remove(podSandboxId);
  });

  it('gives each pod an address that other pods reach, and releases the address when the pod is removed', async () => {
    const server = await pod('mkdir /www; echo hello > /www/index.html; exec httpd -f -p 80 -h /www');
    const client = await pod('sleep 3600');
    const [serverIP, clientIP] = [await ipOf(server.podSandboxId), await ipOf(client.podSandboxId)];
    expect([serverIP, clientIP].every((ip) => ip.startsWith('10.253.77.'))).toBe(true);
    expect(serverIP).not.toBe(clientIP);
    expect(await exec(client.containerId, 'ip -4 addr show dev eth0; ip addr show dev lo')).toMatch(
      new RegExp(`${clientIP}/24[^]*127.0.0.1`),
    );
    await waitUntil(
      async () => (await exec(client.containerId, `wget -q -O - http://${serverIP}/ || true`)) === 'hello\n',
      'the other pod',
    );
    const { stats } = await shim.runtime.runtime.podSandboxStats(shim.ctx, { podSandboxId: client.podSandboxId });
    expect(stats.linux?.network?.defaultInterface).toMatchObject({ name: 'eth0' });
    expect(stats.linux?.network?.defaultInterface?.rxBytes?.value).toBeGreaterThan(0);
    const { podMetrics } = await shim.runtime.runtime.listPodSandboxMetrics(shim.ctx, {});
    const received = podMetrics
      .find(({ podSandboxId }) => podSandboxId === client.podSandboxId)
      ?.metrics.find(({ name }) => name === 'container_network_receive_bytes_total');
    expect(received?.labelValues.at(-1)).toBe('eth0');
    expect((await leases()).toSorted()).toEqual([serverIP, clientIP].toSorted());
    await Promise.all([remove(server.podSandboxId), remove(client.podSandboxId)]);
    expect(await leases()).toEqual([]);
    expect(await cached()).toEqual([]);
  });

  it('publishes ports with the portmap plugin and removes them again', async () => {
    const portMappings = [{ protocol: 'TCP', containerPort: 80, hostPort }] as const;
    const { podSandboxId } = await pod('mkdir /www; echo mapped > /www/index.html; exec httpd -f -p 80 -h /www', {
      portMappings,
    });
    const gateway = '10.253.77.1';
    const ask = (): Promise<string> =>
      fetch(`http://${gateway}:${hostPort}/`, { signal: AbortSignal.timeout(2000) }).then(
        (response) => response.text(),
        () => '',
      );
    await waitUntil(async () => (await ask()) === 'mapped\n', 'the published port');
    await remove(podSandboxId);
    expect(await ask()).toBe('');
  });

  it('keeps addresses across a restart and releases them afterwards', async () => {
    const { podSandboxId } = await pod('sleep 3600');
    const ip = await ipOf(podSandboxId);
    const options = {
      stateDirectory: shim.stateDirectory,
      instance: shim.instance,
      sandboxImage: 'podscope/pause:local',
      ...networkOptions(),
    };
    const again = await createDockershim(shim.ctx, options);
    expect((await again.runtime.podSandboxStatus(shim.ctx, { podSandboxId })).status.network?.ip).toBe(ip);
    await again.runtime.stopPodSandbox(shim.ctx, { podSandboxId });
    await again.runtime.removePodSandbox(shim.ctx, { podSandboxId });
    await again.close();
    expect(await leases()).toEqual([]);
  });

  it('tears down the network of a sandbox that was removed from outside or is unknown', async () => {
    const first = await pod('sleep 3600');
    await shim.docker.getContainer(first.podSandboxId).remove({ force: true });
    expect(await leases()).toHaveLength(1);
    await remove(first.podSandboxId);
    expect(await leases()).toEqual([]);

    const second = await pod('sleep 3600');
    await shim.docker.getContainer(second.podSandboxId).remove({ force: true });
    await shim.docker.getContainer(second.containerId).remove({ force: true });
    await rm(join(shim.stateDirectory, 'sandbox', second.podSandboxId));
    const options = {
      stateDirectory: shim.stateDirectory,
      instance: shim.instance,
      sandboxImage: 'podscope/pause:local',
      ...networkOptions(),
    };
    await (await createDockershim(shim.ctx, options)).close();
    expect(await leases()).toEqual([]);
    expect(await cached()).toEqual([]);
  });

  it("fails with the plugin's error text and leaves no network behind", async () => {
    const path = join(directory, 'net.d', '10-test.conflist');
    const good = await readFile(path, 'utf8');
    await writeFile(path, good.replace('10.253.77.0/24', '10.253.77.0/99'));
    await expect(shim.runtime.runtime.runPodSandbox(shim.ctx, { config: freshConfig() })).rejects.toThrow(
      /failed to set up sandbox container "[0-9a-f]{64}" network for pod "cni-.*": networkPlugin cni failed to set up pod "cni-.*_podscope-test" network: .*10\.253\.77\.0\/99/,
    );
    await writeFile(path, good);
    const left = await shim.docker.listContainers({
      all: true,
      filters: { label: [`io.podscope.instance=${shim.instance}`] },
    });
    expect(left.filter(({ State }) => State === 'running')).toEqual([]);
    expect(await leases()).toEqual([]);
  });

  it('undoes the first plugins if a later one fails', async () => {
    const path = join(directory, 'net.d', '10-test.conflist');
    const good = await readFile(path, 'utf8');
    await writeFile(path, good.replace('{"type":"firewall"}', '{"type":"tuning","sysctl":{"net.no.such.thing":"1"}}'));
    await expect(shim.runtime.runtime.runPodSandbox(shim.ctx, { config: freshConfig() })).rejects.toThrow(
      /no\/such\/thing|no\.such\.thing/,
    );
    await writeFile(path, good);
    expect(await leases()).toEqual([]);
  });

  it('tears down the network of a sandbox without container and checkpoint', async () => {
    const { runtime } = shim.runtime;
    const { podSandboxId } = await runtime.runPodSandbox(shim.ctx, { config: freshConfig() });
    expect(await leases()).toHaveLength(1);
    await shim.docker.getContainer(podSandboxId).remove({ force: true });
    await writeFile(join(shim.stateDirectory, 'sandbox', podSandboxId), '{"corrupt');
    await runtime.stopPodSandbox(shim.ctx, { podSandboxId });
    expect(await leases()).toEqual([]);
    expect(await readdir(join(shim.stateDirectory, 'sandbox'))).not.toContain(podSandboxId);
  });

  it('leaves no files or interfaces behind after the removal of pods', async () => {
    const { runtime } = shim.runtime;
    for (const { id } of (await runtime.listPodSandbox(shim.ctx, {})).items) await remove(id);
    expect(await shim.leaks()).toEqual([]);
    expect(await leases()).toEqual([]);
    expect(await cached()).toEqual([]);
  });

  it("isn't ready without a configuration", async () => {
    const other = await realShim({ ...networkOptions(), cniConfDir: join(directory, 'none') });
    try {
      const { conditions } = (await other.runtime.runtime.status(other.ctx, {})).status;
      const message = expect.stringContaining(
        `docker: network plugin is not ready: cni config uninitialized: no networks found in ${directory}/none`,
      );
      expect(conditions).toContainEqual({
        type: 'NetworkReady',
        status: false,
        reason: 'NetworkPluginNotReady',
        message,
      });
      await expect(other.runtime.runtime.runPodSandbox(other.ctx, { config: freshConfig() })).rejects.toThrow(
        'cni config uninitialized',
      );
    } finally {
      await other.cleanup();
    }
  });
});
