/**
 * Starts a separate containerd. Its configuration, data, socket, network and images are in one temporary directory.
 * When it stops, its processes and mounts are removed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { connectCri } from '../client/connect.ts';
import { testContext } from './fake-runtime.ts';

const exec = promisify(execFile);

const pluginDirectory = '/usr/lib/cni';
const cniResults = '/var/lib/cni/results';
const pauseImage = 'podscope/pause:local';
const timeoutMs = 120_000;

/** A running containerd. */
export interface Containerd {
  /** The CRI endpoint. */
  readonly endpoint: `unix://${string}`;
  readonly socket: string;
  /** The directory that contains all its files. */
  readonly directory: string;
  /** A cgroup for pods. It is removed when containerd stops. */
  readonly cgroup: string;
  /** Runs `ctr` on CRI's images and containers. */
  ctr(...args: readonly string[]): Promise<string>;
  /** Copies an image and its names from the local Docker engine. */
  importImage(...names: readonly string[]): Promise<void>;
  /** Removes all pods, stops containerd and its shims, and removes its mounts, bridge and files. */
  stop(): Promise<void>;
}

const configuration = (directory: string): string => `version = 2
root = "${directory}/root"
state = "${directory}/state"
[grpc]
  address = "${directory}/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "${directory}/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/${pauseImage}"
  # Without CAP_SYS_RESOURCE a score below containerd's own cannot be set.
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${pluginDirectory}"
    conf_dir = "${directory}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
`;

let networks = 0;

/** Each containerd of the workers of a test run has its own bridge and subnet. */
function network(directory: string, bridge: string): object {
  const third = (Number(process.env['VITEST_POOL_ID'] ?? 0) * 32 + (networks++ % 32)) % 256;
  return {
    cniVersion: '0.4.0',
    name: bridge,
    plugins: [
      {
        type: 'bridge',
        bridge,
        isGateway: true,
        ipMasq: false,
        ipam: {
          type: 'host-local',
          dataDir: `${directory}/ipam`,
          ranges: [[{ subnet: `10.89.${third}.0/24` }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}

const socketIn = (directory: string): string => join(directory, 'containerd.sock');
const bridgeOf = (directory: string): string => `psc${directory.slice(-6).toLowerCase()}`;

/** Removes the shims, mounts, networks, cgroups and files that a killed containerd has left. */
export async function removeContainerdRemains(directory: string): Promise<void> {
  const bridge = bridgeOf(directory);
  await endShims(socketIn(directory));
  await removeCgroups(bridge);
  await unmount(directory);
  await removeNetworks(bridge);
  await exec('ip', ['link', 'delete', bridge]).catch(() => undefined);
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
}

/**
 * Starts containerd with the pause image.
 * @param images additional images of the local Docker engine
 * @throws Error with containerd's output, or one that names a missing package
 */
export async function startContainerd(images: readonly string[] = []): Promise<Containerd> {
  const directory = await mkdtemp(join(tmpdir(), 'containerd-'));
  const socket = socketIn(directory);
  const bridge = bridgeOf(directory);
  await mkdir(join(directory, 'cni'));
  await writeFile(join(directory, 'config.toml'), configuration(directory));
  await writeFile(join(directory, 'cni', '10-test.conflist'), JSON.stringify(network(directory, bridge)));
  const log = join(directory, 'containerd.log');
  const out = openSync(log, 'w');
  const child = spawn('containerd', ['--config', join(directory, 'config.toml')], { stdio: ['ignore', out, out] });
  const ctr = async (...args: readonly string[]): Promise<string> =>
    (await exec('ctr', ['--address', socket, '--namespace', 'k8s.io', ...args])).stdout;
  const containerd: Containerd = {
    endpoint: `unix://${socket}`,
    socket,
    directory,
    cgroup: `/${bridge}`,
    ctr,
    async importImage(...names) {
      const archive = join(directory, 'images.tar');
      await exec('docker', ['save', '--output', archive, ...names]);
      await ctr('images', 'import', archive);
      await rm(archive);
    },
    async stop() {
      try {
        if (child.exitCode === null) await removePods(`unix://${socket}`);
      } finally {
        await end(child);
        await removeContainerdRemains(directory);
      }
    },
  };
  try {
    await answering(child, containerd.endpoint, log);
    await containerd.importImage(pauseImage, ...images);
  } catch (error) {
    await containerd.stop();
    throw error;
  }
  return containerd;
}

async function answering(child: ChildProcess, endpoint: string, log: string): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = new Error(
      'containerd cannot be started (Debian: apt-get install containerd containernetworking-plugins)',
      { cause: error },
    );
  });
  const end = performance.now() + timeoutMs;
  for (;;) {
    if (failure) throw failure;
    if (child.exitCode !== null)
      throw new Error(`containerd ended with code ${child.exitCode}:\n${await readFile(log, 'utf8')}`);
    const remote = await connectCri(testContext(), endpoint).catch(() => undefined);
    const conditions = await remote?.runtime.status(testContext(), {}).then(
      ({ status }) => status.conditions,
      () => undefined,
    );
    await remote?.close();
    if (conditions?.every(({ status }) => status)) return;
    if (performance.now() > end)
      throw new Error(
        `containerd is not ready after ${timeoutMs / 1000} s: ` +
          `${JSON.stringify(conditions)}\n${await readFile(log, 'utf8')}`,
      );
    await delay(100);
  }
}

/** Removes all pods, even those of a failed test, to release their network namespaces and addresses. */
async function removePods(endpoint: string): Promise<void> {
  const ctx = testContext();
  const remote = await connectCri(ctx, endpoint, { connectTimeout: 120_000 });
  try {
    const { items } = await remote.runtime.listPodSandbox(ctx, {});
    for (const { id: podSandboxId } of items) {
      await remote.runtime.stopPodSandbox(ctx, { podSandboxId });
      await remote.runtime.removePodSandbox(ctx, { podSandboxId });
    }
  } finally {
    await remote.close();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/**
 * Kills the shims, which continue to run after containerd by design. The command line of a shim contains the socket.
 */
async function endShims(socket: string): Promise<void> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const words = (await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (words[0]?.includes('containerd-shim') && words.includes(socket)) kill(Number(entry));
  }
}

const cachedResult = z.object({
  containerId: z.string(),
  result: z.object({ interfaces: z.array(z.object({ sandbox: z.string().optional() })) }),
});

/**
 * Removes the network namespaces of pods that weren't stopped, and the files of the CNI library. The interfaces
 * disappear together with their namespace.
 */
async function removeNetworks(network: string): Promise<void> {
  const names = await readdir(cniResults).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(`${network}-`))) {
    const { containerId, result } = cachedResult.parse(JSON.parse(await readFile(join(cniResults, name), 'utf8')));
    const namespaces = new Set(
      result.interfaces.flatMap(({ sandbox = '' }) => (sandbox === '' ? [] : [basename(sandbox)])),
    );
    for (const namespace of namespaces) await exec('ip', ['netns', 'delete', namespace]).catch(() => undefined);
    for (const each of names) if (each.includes(`-${containerId}-`)) await rm(join(cniResults, each), { force: true });
  }
}

/** Removes the cgroup with this name and its processes. In cgroup v1, each hierarchy has a directory for it. */
async function removeCgroups(name: string): Promise<void> {
  const root = '/sys/fs/cgroup';
  const paths = ['.', ...(await readdir(root))].map((hierarchy) => join(root, hierarchy, name));
  const end = performance.now() + timeoutMs;
  for (;;) {
    const left = await Promise.all(paths.map(removeCgroup));
    if (left.every((isGone) => isGone) || performance.now() > end) return;
    // A killed process needs a moment to disappear.
    await delay(20);
  }
}

/** Kills the processes in a cgroup and removes it. Returns true if the cgroup no longer exists. */
async function removeCgroup(path: string): Promise<boolean> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return true;
  for (const entry of entries) if (entry.isDirectory()) await removeCgroup(join(path, entry.name));
  const processes = (await readFile(join(path, 'cgroup.procs'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  for (const pid of processes) kill(Number(pid));
  return rmdir(path).then(
    () => true,
    () => false,
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

/** Returns the mount points below a directory. */
export async function mountsBelow(directory: string): Promise<readonly string[]> {
  return (await readFile('/proc/self/mounts', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${directory}/`));
}

/** Unmounts the deepest mounts first. @throws Error that names the mounts that are left */
async function unmount(directory: string): Promise<void> {
  // A shim that ends unmounts its own mounts, so one may disappear meanwhile.
  for (const path of (await mountsBelow(directory)).toReversed())
    await exec('umount', ['--lazy', path]).catch(() => undefined);
  const left = await mountsBelow(directory);
  if (left.length > 0) throw new Error(`mounts are left: ${left.join(', ')}`);
}
