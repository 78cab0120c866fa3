/** Reads the facts of this machine for the kubelet and the node object. */
import { readdir, readFile, statfs } from 'node:fs/promises';
import { arch, availableParallelism, platform, release, totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { NodeConfiguration } from '@podscope/kubelet';
import type { MachineFacts } from '@podscope/node';
import { appArmorHost } from './app-armor.ts';
import { networkAddresses } from './network-addresses.ts';

/** Returns the content of a file; empty when it can't be read. */
const contentOf = async (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/**
 * Returns a resolver configuration with name servers that containers can reach. Containers can't reach the stub
 * resolver of systemd-resolved, because it listens only on the host's loopback.
 */
async function readResolvConf(): Promise<string> {
  const content = await contentOf('/etc/resolv.conf');
  if (!/^nameserver\s+127\.0\.0\.53\s*$/m.test(content)) return content;
  return (await contentOf('/run/systemd/resolve/resolv.conf')) || content;
}

/** Returns the supported huge page sizes, for example `2Mi` for the directory `hugepages-2048kB`. */
async function hugePageSizes(): Promise<readonly string[]> {
  const entries = await readdir('/sys/kernel/mm/hugepages').catch(() => []);
  return entries.flatMap((entry) => {
    const kilobytes = Number(/^hugepages-(\d+)kB$/.exec(entry)?.[1]);
    if (!kilobytes) return [];
    return kilobytes % (1024 * 1024) === 0
      ? `${kilobytes / 1024 / 1024}Gi`
      : kilobytes % 1024 === 0
        ? `${kilobytes / 1024}Mi`
        : `${kilobytes}Ki`;
  });
}

/**
 * Returns the size of a path's file system in bytes; undefined when it can't be read. Upstream: cadvisor's RootFsInfo.
 */
async function fileSystemSize(path: string): Promise<number | undefined> {
  try {
    const { blocks, bsize } = await statfs(path);
    return blocks * bsize;
  } catch {
    return undefined;
  }
}

/** The maximum number of pods: the kubelet's default. */
const maxPods = 110;

export interface NodeFactsOptions {
  readonly nodeName: string;
  /** The directory that contains the pods' directories. */
  readonly rootDir: string;
  readonly podLogsDir: string;
  /** The directory for links to container logs. */
  readonly legacyLogDir: string;
}

/** Returns the name servers in a resolver configuration. */
const nameservers = (resolvConf: string): string[] =>
  [...resolvConf.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, server]) => server ?? []);

/** Returns the facts and settings of the node. */
export async function nodeConfiguration({
  nodeName,
  rootDir,
  podLogsDir,
  legacyLogDir,
}: NodeFactsOptions): Promise<NodeConfiguration> {
  const [controllers, ephemeralStorageBytes] = await Promise.all([
    contentOf('/sys/fs/cgroup/cgroup.controllers'),
    fileSystemSize(dirname(rootDir)),
  ]);
  return {
    name: nodeName,
    ips: [networkAddresses()[0] ?? '127.0.0.1'],
    rootDir,
    podLogsDir,
    legacyLogDir,
    memoryBytes: totalmem(),
    cpus: availableParallelism(),
    ...(ephemeralStorageBytes === undefined ? {} : { ephemeralStorageBytes }),
    hugePageSizes: await hugePageSizes(),
    // Without a cluster DNS, use the host's name servers. Pods then get a resolver file as usual, and can resolve the
    // same names as the host.
    clusterDNS: nameservers(await readResolvConf()),
    clusterDomain: 'cluster.local',
    readResolvConf,
    readHostsFile: () => contentOf('/etc/hosts'),
    cgroupDriver: 'cgroupfs',
    cgroupVersion: controllers === '' ? 1 : 2,
    // Unless pod cgroups are enabled, the engine chooses the parents of containers' cgroups.
    cgroupsPerQOS: false,
    cpuCFSQuota: true,
    seccompDefault: false,
    maxPods,
    ...(platform() === 'linux' ? { appArmor: await appArmorHost() } : {}),
  };
}

/** Returns the facts about the machine that `kubectl describe node` shows. */
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
