/** Simulates the files of `/proc` and `/sys` that scripts in containers commonly read. */
import { type KernelFiles } from '../machine/file-system.ts';
import { Process, type ProcessMachine } from '../machine/process.ts';
import { formatCapabilities, hasCapability } from './capabilities.ts';
import { defaultCredentials } from './credentials.ts';
import type { NamespaceMember } from './pid-namespace.ts';

const processEntries = ['cgroup', 'cmdline', 'comm', 'environ', 'mounts', 'ns', 'status'];
const namespaceKinds = ['ipc', 'net', 'pid', 'uts'] as const;
const processPath = /^\/proc\/(\d+)(?:\/(.*))?$/;

const kibibytes = (bytes: number): string => `${Math.round(bytes / 1024)} kB`;

/** Returns the machine of a process. In a shared PID namespace, it can be the machine of another container. */
const machineOf = (reader: ProcessMachine, member: NamespaceMember): ProcessMachine =>
  member instanceof Process ? member.machine : reader;

function statusOf(member: NamespaceMember): string {
  const credentials = member instanceof Process ? member.machine.credentials : defaultCredentials;
  const { uid, gid, supplementalGroups, capabilities, noNewPrivs, seccomp } = credentials;
  const held = formatCapabilities(capabilities);
  // Processes have no ambient capabilities, so a user other than root has no effective capabilities.
  const effective = uid === 0 ? held : formatCapabilities(0n);
  const process = member instanceof Process ? member : undefined;
  const lines: readonly [string, string | number][] = [
    ['Name', member.name],
    ['State', 'S (sleeping)'],
    ['Pid', member.pid],
    ['PPid', process?.parent?.pid ?? 0],
    ['Uid', `${uid}\t${uid}\t${uid}\t${uid}`],
    ['Gid', `${gid}\t${gid}\t${gid}\t${gid}`],
    ['Groups', supplementalGroups.join(' ')],
    ['VmRSS', kibibytes(process?.memory ?? 0)],
    ['Threads', 1],
    ['CapInh', formatCapabilities(0n)],
    ['CapPrm', effective],
    ['CapEff', effective],
    ['CapBnd', held],
    ['CapAmb', formatCapabilities(0n)],
    ['NoNewPrivs', noNewPrivs ? 1 : 0],
    ['Seccomp', seccomp.mode],
  ];
  return lines.map(([name, value]) => `${name}:\t${value}\n`).join('');
}

const mountsOf = ({ files }: ProcessMachine): string =>
  [
    'overlay / overlay rw 0 0',
    'proc /proc proc rw 0 0',
    ...files.mountPoints.map(({ path, readonly }) => `node ${path} ext4 ${readonly ? 'ro' : 'rw'} 0 0`),
  ]
    .map((line) => `${line}\n`)
    .join('');

/** Returns the content of a file in a process's directory of `/proc`; undefined when it doesn't exist. */
function readProcess(machine: ProcessMachine, member: NamespaceMember, entry: string): string | undefined {
  switch (entry) {
    case 'cgroup':
      return '0::/\n';
    case 'cmdline':
      return member.title === undefined ? member.argv.map((arg) => `${arg}\0`).join('') : `${member.title}\0`;
    case 'comm':
      return `${member.name.slice(0, 15)}\n`;
    case 'environ':
      return member instanceof Process ? [...member.env].map(([name, value]) => `${name}=${value}\0`).join('') : '';
    case 'mounts':
      return mountsOf(machineOf(machine, member));
    case 'status':
      return statusOf(member);
    default:
      return undefined;
  }
}

/**
 * Serves `/proc` to the processes of `machine`. Programs resolve `/proc/self` before they read, so a path that still
 * contains it means process 1.
 */
export class ProcFiles implements KernelFiles {
  readonly #machine: ProcessMachine;

  constructor(machine: ProcessMachine) {
    this.#machine = machine;
  }

  read(path: string): string | undefined {
    const found = this.#process(path);
    if (found) return readProcess(this.#machine, found.member, found.entry);
    if (path.startsWith('/proc/sys/')) {
      const value = this.#machine.sysctls.get(path.slice('/proc/sys/'.length).replaceAll('/', '.'));
      return value === undefined ? undefined : `${value}\n`;
    }
    return this.#machineFile(path);
  }

  list(path: string): readonly string[] | undefined {
    if (path === '/proc') {
      const pids = this.#machine.pidNamespace.members.map(({ pid }) => String(pid));
      return [...pids, 'loadavg', 'meminfo', 'mounts', 'self', 'sys', 'uptime', 'version'].toSorted();
    }
    const found = this.#process(path);
    if (found) return found.entry === '' ? processEntries : found.entry === 'ns' ? namespaceKinds : undefined;
    return path === '/proc/sys' || path.startsWith('/proc/sys/') ? this.#listSysctls(path) : undefined;
  }

  readLink(path: string): string | undefined {
    if (path === '/proc/self') return String(this.#machine.init?.pid ?? 1);
    const found = this.#process(path);
    const kind = namespaceKinds.find((name) => found?.entry === `ns/${name}`);
    if (!found || !kind) return undefined;
    const { pidNamespace } = this.#machine;
    const namespaces = found.member.namespaces ?? machineOf(this.#machine, found.member).namespaces;
    return `${kind}:[${kind === 'pid' ? pidNamespace.inode : namespaces[kind]}]`;
  }

  write(path: string, content: string): boolean {
    const { credentials, sysctls } = this.#machine;
    const name = path.replace(/^\/proc\/sys\//, '').replaceAll('/', '.');
    if (
      !path.startsWith('/proc/sys/') ||
      !sysctls.has(name) ||
      credentials.uid !== 0 ||
      !hasCapability(credentials.capabilities, 'SYS_ADMIN')
    )
      return false;
    if (content !== '') sysctls.set(name, content.trimEnd());
    return true;
  }

  #process(path: string): { readonly member: NamespaceMember; readonly entry: string } | undefined {
    const self = this.#machine.init?.pid ?? 1;
    const [, pid, entry = ''] = processPath.exec(path.replace(/^\/proc\/self(?=\/|$)/, `/proc/${self}`)) ?? [];
    const member = this.#machine.pidNamespace.member(Number(pid));
    return member && { member, entry };
  }

  #machineFile(path: string): string | undefined {
    const { nodeMemory, clock, startedAt } = this.#machine;
    switch (path) {
      case '/proc/loadavg':
        return '0.10 0.05 0.01 1/120 1\n';
      case '/proc/meminfo':
        return (
          `MemTotal:       ${kibibytes(nodeMemory)}\nMemFree:        ${kibibytes(nodeMemory / 2)}\nMemAvailable:   ` +
          `${kibibytes(nodeMemory * 0.75)}\n`
        );
      case '/proc/mounts':
        return mountsOf(this.#machine);
      case '/proc/uptime':
        return `${(86_400 + (clock.now() - startedAt) / 1000).toFixed(2)} 0.00\n`;
      case '/proc/version':
        return 'Linux version 6.1.0 (podscope@simulator) #1 SMP\n';
      default:
        return undefined;
    }
  }

  #listSysctls(path: string): readonly string[] | undefined {
    const prefix = path === '/proc/sys' ? '' : `${path.slice('/proc/sys/'.length).replaceAll('/', '.')}.`;
    const names = [...this.#machine.sysctls.keys()]
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length).split('.')[0] ?? '');
    return names.length > 0 ? [...new Set(names)].toSorted() : undefined;
  }
}

/** Serves `/sys`, which contains the container's own cgroup (v2). */
export class SysFiles implements KernelFiles {
  readonly #machine: ProcessMachine;

  constructor(machine: ProcessMachine) {
    this.#machine = machine;
  }

  read(path: string): string | undefined {
    const name = /^\/sys\/fs\/cgroup\/([^/]+)$/.exec(path)?.[1];
    return name === undefined ? undefined : this.#controls[name]?.();
  }

  list(path: string): readonly string[] | undefined {
    if (path === '/sys') return ['fs'];
    if (path === '/sys/fs') return ['cgroup'];
    return path === '/sys/fs/cgroup' ? Object.keys(this.#controls).toSorted() : undefined;
  }

  readLink(): undefined {
    return undefined;
  }

  readonly #controls: Readonly<Record<string, () => string>> = {
    'cgroup.controllers': () => 'cpuset cpu io memory hugetlb pids\n',
    'cgroup.procs': () => this.#machine.processes.map(({ pid }) => `${pid}\n`).join(''),
    'cpu.max': () => {
      const { cpuQuota, cpuPeriod } = this.#machine.limits;
      return `${cpuQuota || 'max'} ${cpuPeriod || 100_000}\n`;
    },
    // Converts shares of cgroup v1 to the weight of cgroup v2, as runc does.
    'cpu.weight': () =>
      `${Math.floor(1 + (Math.max(0, (this.#machine.limits.cpuShares || 1024) - 2) * 9999) / 262_142)}\n`,
    'cpu.stat': () => `usage_usec ${Math.round(this.#machine.cpuTime / 1000)}\n`,
    'memory.current': () => `${this.#machine.usedMemory}\n`,
    'memory.max': () => `${this.#machine.limits.memoryLimitInBytes || 'max'}\n`,
    'memory.events': () => `oom_kill ${this.#machine.oomKilled ? 1 : 0}\n`,
    'pids.current': () => `${this.#machine.processes.length}\n`,
  };
}
