/** What this machine is, as the kubelet and the node object tell it. */
import { readdir, readFile, statfs } from 'node:fs/promises';
import { arch, availableParallelism, networkInterfaces, platform, release, totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { MachineFacts } from '@podscope/cluster';
import type { NodeConfiguration } from '@podscope/kubelet';

/** Content of a file, empty when it can't be read. */
const contentOf = async (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** The first address that other machines could know it by, else loopback. */
function nodeAddress(): string {
  const addresses = Object.entries(networkInterfaces())
    .filter(([name]) => !/^(docker|br-|veth|cni|lo)/.test(name))
    .flatMap(([, entries]) => entries ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** The resolvers that containers can reach: not the stub of systemd-resolved, which listens on the host's loopback. */
async function readResolvConf(): Promise<string> {
  const content = await contentOf('/etc/resolv.conf');
  if (!/^nameserver\s+127\.0\.0\.53\s*$/m.test(content)) return content;
  return (await contentOf('/run/systemd/resolve/resolv.conf')) || content;
}

/** `hugepages-2048kB` as `2Mi`. */
async function hugePageSizes(): Promise<readonly string[]> {
  const entries = await readdir('/sys/kernel/mm/hugepages').catch(() => []);
  return entries.flatMap((entry) => {
    const kilobytes = Number(/^hugepages-(\d+)kB$/.exec(entry)?.[1]);
    if (!kilobytes) return [];
    return kilobytes % (1024 * 1024) === 0 ? `${kilobytes / 1024 / 1024}Gi` : kilobytes % 1024 === 0 ? `${kilobytes / 1024}Mi` : `${kilobytes}Ki`;
  });
}

/** Bytes of the file system that a path lies on; undefined where that can't be read. Upstream: cadvisor's RootFsInfo. */
async function fileSystemSize(path: string): Promise<number | undefined> {
  try {
    const { blocks, bsize } = await statfs(path);
    return blocks * bsize;
  } catch {
    return undefined;
  }
}

/** What a kubelet usually takes. */
const maxPods = 110;

export interface NodeFactsOptions {
  readonly nodeName: string;
  /** Pod directories. */
  readonly rootDir: string;
  readonly podLogsDir: string;
}

/** The servers of a resolver file. */
const nameservers = (resolvConf: string): string[] => [...resolvConf.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, server]) => server ?? []);

/** Facts and settings of the node. */
export async function nodeConfiguration({ nodeName, rootDir, podLogsDir }: NodeFactsOptions): Promise<NodeConfiguration> {
  const [controllers, ephemeralStorageBytes] = await Promise.all([contentOf('/sys/fs/cgroup/cgroup.controllers'), fileSystemSize(dirname(rootDir))]);
  return {
    name: nodeName,
    ips: [nodeAddress()],
    rootDir,
    podLogsDir,
    memoryBytes: totalmem(),
    cpus: availableParallelism(),
    ...(ephemeralStorageBytes === undefined ? {} : { ephemeralStorageBytes }),
    hugePageSizes: await hugePageSizes(),
    // No cluster means no DNS of its own: the host's servers stand in for it, so that pods look like pods elsewhere and resolve what the host does.
    clusterDNS: nameservers(await readResolvConf()),
    clusterDomain: 'cluster.local',
    readResolvConf,
    readHostsFile: () => contentOf('/etc/hosts'),
    cgroupDriver: 'cgroupfs',
    cgroupVersion: controllers === '' ? 1 : 2,
    // The engine keeps the containers' cgroups where it likes: nobody here sets limits on pods as a whole.
    cgroupsPerQOS: false,
    cpuCFSQuota: true,
    seccompDefault: false,
    maxPods,
  };
}

/** What `kubectl describe node` shows. */
export async function machineFacts(): Promise<MachineFacts> {
  const [machineID, bootID, osRelease] = await Promise.all([
    contentOf('/etc/machine-id'),
    contentOf('/proc/sys/kernel/random/boot_id'),
    contentOf('/etc/os-release'),
  ]);
  return {
    architecture: architectures[arch()] ?? arch(),
    operatingSystem: platform() === 'win32' ? 'windows' : platform(),
    kernelVersion: release(),
    osImage: /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(osRelease)?.[1] ?? platform(),
    machineID: machineID.trim(),
    bootID: bootID.trim(),
  };
}
