/** Lists what tests may leave on the machine: processes, networks of CNI plugins, cgroups. */
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

const cniResults = '/var/lib/cni/results';
const cniNetworks = '/var/lib/cni/networks';
const networkNamespaces = '/run/netns';
const cgroupRoot = '/sys/fs/cgroup';

/**
 * Matches the names of bridges, networks and control groups of tests: `psc` or `pst`, and the last six characters of a
 * temporary directory.
 */
const networkPattern = /(?:^|\/)ps[ct]([a-z0-9]{6})(?=$|-|\/)/g;

/** Returns the directory suffixes in a name. */
export const networkNames = (name: string): string[] =>
  [...name.matchAll(networkPattern)].map(([, suffix = '']) => suffix);

const isTestName = (name: string): boolean => networkNames(name).length > 0;

/** The networks of all tests on the machine, including other runs'. */
export interface TestNetworks {
  readonly links: readonly string[];
  /** `network-container-interface`: the results that CNI plugins delete again. */
  readonly leases: readonly string[];
  /** Networks with addresses in host-local's default directory. */
  readonly addresses: readonly string[];
  /** Namespaces that any containerd created: their names don't identify the creator. */
  readonly namespaces: readonly string[];
  /** Paths relative to /sys/fs/cgroup. */
  readonly cgroups: readonly string[];
}

const names = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

export async function testNetworks(): Promise<TestNetworks> {
  const hierarchies = ['.', ...(await names(cgroupRoot))];
  const cgroups = await Promise.all(
    hierarchies.map(async (hierarchy) =>
      (await names(join(cgroupRoot, hierarchy))).map((name) => join(hierarchy, name)),
    ),
  );
  return {
    links: (await names('/sys/class/net')).filter(isTestName),
    leases: (await names(cniResults)).filter(isTestName),
    addresses: (await names(cniNetworks)).filter(isTestName),
    namespaces: (await names(networkNamespaces)).filter((name) => /^cni-[0-9a-f-]+$/.test(name)),
    cgroups: cgroups.flat().filter(isTestName),
  };
}

/**
 * Returns the namespaces without a process: a pod of another run has at least its pause process. Without root the
 * result is empty, because not all processes are visible.
 * @param namespaces names in `directory`
 */
export async function unusedNamespaces(
  namespaces: readonly string[],
  directory = networkNamespaces,
): Promise<readonly string[]> {
  if (namespaces.length === 0 || process.getuid?.() !== 0) return [];
  const pids = (await names('/proc')).filter((name) => /^\d+$/.test(name));
  const used = new Set(await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/ns/net`).catch(() => ''))));
  const nodes = await Promise.all(
    namespaces.map(async (name) => ({ name, node: await stat(join(directory, name)).catch(() => undefined) })),
  );
  return nodes.flatMap(({ name, node }) => (node && !used.has(`net:[${node.ino}]`) ? [name] : []));
}

/** A process whose TMPDIR is the directory. */
interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

/** Returns the processes with that TMPDIR, except this one and its children, which the test runner ends. */
export async function processesOf(directory: string): Promise<readonly LeftProcess[]> {
  const found: LeftProcess[] = [];
  for (const name of await names('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
    if (!environment.split('\0').includes(`TMPDIR=${directory}`)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    if (status === '' || /^State:\s+Z/m.test(status) || new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status))
      continue;
    const command = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0').join(' ').trim();
    found.push({ pid: Number(name), command });
  }
  return found;
}
